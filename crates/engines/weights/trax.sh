#!/usr/bin/env bash
# Makes the weights of the evaluation `lines` of Trax from nothing: self-play without an evaluation, then six
# generations, each of which plays with the weights of the one before. gen6.weights ships as trax.weights. Continues where
# it was interrupted. The weights do not depend on the number of threads. docs/trax.md tells what came of it.
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

# varied NAME GAMES SEED RANDOM WEIGHTS: games in which this share of the moves is random. Positions in a search are
# mostly positions after bad moves.
varied() {
    "$tesuji" selfplay trax --games "$2" --engine "alphabeta:nodes=2000,hash=1,weights=$5" --seed "$3" \
        --random-moves "$4" --threads "$threads" --out "$1.set"
}

# learn GENERATION TEST: from values of searches alone.
learn() {
    "$tesuji" train trax --data "even$1.set" "wild$1.set" --test "$2.set" --lambda 0 --lr 0.02 --epochs 4 \
        --out "gen$1.weights"
}

# 4 to 6
varied even4 5000 204 0.02 gen3.weights
varied wild4 5000 304 0.15 gen3.weights
varied test4 1000 104 0.02 gen3.weights
learn 4 test4

varied even5 10000 205 0.02 gen4.weights
varied wild5 10000 305 0.15 gen4.weights
varied test5 1000 105 0.02 gen4.weights
learn 5 test5

varied even6 3000 206 0.02 gen5.weights
varied wild6 3000 306 0.15 gen5.weights
learn 6 test5
