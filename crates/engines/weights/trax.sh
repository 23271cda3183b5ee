#!/usr/bin/env bash
# Makes weights for the evaluation `lines` of Trax by another generation: self-play with the weights that ship, and a
# training that begins with them. The weights that ship were not made by this script; docs/trax.md tells where they come
# from. Continues where it was interrupted.
#
#   trax.sh SHIPPED_WEIGHTS WORK_FOLDER
set -euo pipefail
tesuji=${TESUJI:-tesuji}
start=$(realpath "$1")
mkdir -p "$2"
cd "$2"

play() {
    "$tesuji" selfplay trax --games "$1" --engine "alphabeta:nodes=3000,hash=1,weights=$start" --random 2..6 \
        --random-moves 0.03 --seed "$2" --out "$3"
}
play 10700 1002 train.set
play 1500 1000 more.set
play 719 1001 test.set
"$tesuji" train trax --data train.set more.set --test test.set --continue "$start" --epochs 3 --lr 0.003 --out trax.weights
"$tesuji" match trax "alphabeta:nodes=3000,hash=1,weights=trax.weights" "alphabeta:nodes=3000,hash=1,weights=$start" --games 400
