#!/usr/bin/env bash
# Makes the weights of the evaluation `lines` of Trax from nothing: self-play without an evaluation, then five
# generations, each of which plays with the weights of the one before. Continues where it was interrupted. The weights do
# not depend on the number of threads. docs/trax.md tells what came of it.
#
#   trax.sh WORK_FOLDER
set -euo pipefail
tesuji=${TESUJI:-tesuji}
threads=${THREADS:-$(nproc)}
mkdir -p "$1"
cd "$1"

# play GENERATION GAMES ENGINE: the games of a generation, and others to test on.
play() {
    for set in "gen$1 $2 $1" "test$1 500 10$1"; do
        read -r name games seed <<<"$set"
        "$tesuji" selfplay trax --games "$games" --engine "alphabeta:$3,hash=1" --seed "$seed" --threads "$threads" \
            --out "$name.set"
    done
}

# 0: results of games without an evaluation.
play 0 12000 eval=none,nodes=1500
"$tesuji" train trax --data gen0.set --test test0.set --lambda 1 --epochs 4 --out gen0.weights

# 1: results, and values of searches that know little.
play 1 10000 nodes=1200,weights=gen0.weights
"$tesuji" train trax --data gen1.set --test test1.set --lambda 0.6 --epochs 4 --out gen1.weights

# 2 and 3: mostly values of searches.
play 2 10000 nodes=2500,weights=gen1.weights
"$tesuji" train trax --data gen2.set --test test2.set --epochs 4 --out gen2.weights

play 3 12000 nodes=2500,weights=gen2.weights
"$tesuji" train trax --data gen2.set gen3.set --test test3.set --epochs 4 --out gen3.weights

# varied GENERATION GAMES WEIGHTS: half of the games with 2 and half with 15 random moves in a hundred. Positions in a
# search are mostly positions after bad moves.
varied() {
    for set in "even$1 $2 20$1 0.02" "wild$1 $2 30$1 0.15" "test$1 1000 10$1 0.02"; do
        read -r name games seed random <<<"$set"
        "$tesuji" selfplay trax --games "$games" --engine "alphabeta:nodes=2000,hash=1,weights=$3" --seed "$seed" \
            --random-moves "$random" --threads "$threads" --out "$name.set"
    done
    "$tesuji" train trax --data "even$1.set" "wild$1.set" --test "test$1.set" --lambda 0 --lr 0.02 --epochs 4 \
        --out "gen$1.weights"
}

# 4 and 5: values of searches alone.
varied 4 5000 gen3.weights
varied 5 10000 gen4.weights
