#!/usr/bin/env bash
# Makes shogi.safetensors, the network that ships for shogi, from a folder of records of the floodgate server of 2016
# (28,829 games between players rated at least 2500). About forty minutes of CPU time; continues where it was interrupted.
#
#   shogi.sh FLOODGATE_FOLDER WORK_FOLDER
set -euo pipefail
tesuji=${TESUJI:-tesuji}
records=$1
mkdir -p "$2"
cd "$2"

[ -f games.train ] || "$tesuji" records shogi "$records" --min-rating 2500 --min-plies 51 --split 0.1 --seed 1 --out games
for part in train test; do
    [ -f "$part.set" ] || "$tesuji" train data shogi "games.$part" --out "$part.set"
done
"$tesuji" train shogi --net policy-value:blocks=6,channels=64 --data train.set --test test.set --test-positions 20000 \
    --epochs 1 --optimizer muon --lr 0.01 --eval-every 250000 --log shogi.log --out shogi.f32.safetensors
"$tesuji" net convert shogi.f32.safetensors --to safetensors --precision f16 --out shogi.safetensors
