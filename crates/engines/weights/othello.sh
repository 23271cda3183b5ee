#!/bin/sh
# How othello.weights and othello.cuts came about: about two hours on two cores.
#
#   othello.sh FOLDER-OF-WTHOR-BASES
#
# Everything happens in the current folder; an interrupted run goes on where it was. The games were played with the
# weights of an earlier version, which were earlier.weights below, and the labels of the middle game are those of an
# evaluation with the first 46 patterns alone; the program plays and labels with those that ship, so that a run today
# gives other games and other weights. othello.cuts are older than e4.set and the last patterns.
set -e

tesuji train data othello "$1" --solve 16 --out wthor16.set
tesuji train othello --data wthor16.set --out earlier.weights
tesuji selfplay othello --games 6000 --solve 18 --out own18.set
tesuji selfplay othello --games 17600 --solve 18 --seed 1 --out own17k.set
tesuji selfplay othello --games 100000 --solve 8 --seed 2 --out fast100k.set
tesuji selfplay othello --games 200000 --random 6..16 --solve 6 --seed 3 --engine alphabeta:depth=2,hash=1 --out fast200k.set

# The end: solved positions of games, and more of them after a random move.
solved="wthor16.set own17k.set own18.set"
tesuji train label othello --data $solved --stages 3..6 --positions 300000 --stray 1 --solve 18 --out e1.set
tesuji train label othello --data $solved --stages 7 --positions 120000 --stray 1 --solve 18 --out e2.set
tesuji train label othello --data $solved --stages 8 --positions 50000 --stray 1 --solve 18 --out e3.set
tesuji train label othello --data fast200k.set fast100k.set --stages 3..6 --positions 1000000 --stray 1 --solve 18 \
    --seed 11 --out e4.set

# From there to the opening, three stages at a time, each labelled by the weights of those before. The searches leave
# branches out, so they need weights for all stages.
tesuji train othello --data $solved e1.set e2.set e3.set e4.set --stages 0..8 --continue earlier.weights --ridge 4 \
    --out b-0..8.weights
weights=b-0..8.weights labelled=
for stages in 9..11 12..14 15..17 18..20 21..23 24..26; do
    tesuji train label othello --data $solved fast100k.set --stages $stages --positions 600000 --depth 6 \
        --weights $weights --out l-$stages.set
    labelled="l-$stages.set $labelled"
    tesuji train othello --data $labelled --stages $stages --continue $weights --ridge 4 --out b-$stages.weights
    weights=b-$stages.weights
done

# Once more, of other games; then all of it together, this time from nothing.
tesuji train label othello --data fast200k.set --stages 9..26 --positions 400000 --depth 6 --seed 1 \
    --weights $weights --out d1.set
tesuji train othello --data $solved e1.set e2.set e3.set e4.set --stages 0..8 --ridge 4 --out late.weights
tesuji train othello --data $(ls l-*.set | sort -V) d1.set --stages 9..26 --continue late.weights --ridge 4 --smooth 0.4 \
    --out othello.weights
tesuji train cuts othello --data wthor16.set --weights othello.weights --out othello.cuts
