#!/usr/bin/env bash
# Makes shogi.nnue, the evaluation that ships for shogi, from a folder of records of the floodgate server of 2016 (28,829
# games between players rated at least 2500). About four minutes on one core; continues where it was interrupted.
#
#   shogi-nnue.sh FLOODGATE_FOLDER WORK_FOLDER
set -euo pipefail
tesuji=${TESUJI:-tesuji}
records=$1
mkdir -p "$2"
cd "$2"

[ -f games.train ] || "$tesuji" records shogi "$records" --min-rating 2500 --min-plies 51 --split 0.1 --seed 1 --out games
for part in train test; do
    [ -f "$part.set" ] || "$tesuji" train data shogi "games.$part" --out "$part.set"
done
"$tesuji" train shogi --eval nnue --data train.set --test test.set --test-positions 50000 --epochs 1 --batch 4096 \
    --lr 0.002 --weight-decay 1 --lambda 0.1 --out shogi.nnue
