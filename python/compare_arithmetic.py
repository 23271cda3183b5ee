#!/usr/bin/env python3
"""How often tesuji prefers the same move in bfloat16 and in single precision, on positions of a data set, and how
often each finds the move that was played.

    cargo build --release -p tesuji-nn --example agreement
    python compare_arithmetic.py target/release/examples/agreement net.safetensors shogi.test
"""

import argparse
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from tesuji_data import PositionSets
from tesuji_files import write_safetensors


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("example", help="the example `agreement` of tesuji-nn")
    parser.add_argument("net", help="a network of tesuji")
    parser.add_argument("data", nargs="+", help="data sets")
    parser.add_argument("--positions", type=int, default=10_000)
    args = parser.parse_args()
    sets = PositionSets(args.data)
    indices = np.random.default_rng(1).choice(len(sets), min(len(sets), args.positions), replace=False)
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "batch.safetensors"))
        batch = sets.batch(np.sort(indices))
        write_safetensors(path, {"planes": batch.planes, "labels": batch.labels.astype(np.float32)}, {})
        subprocess.run([args.example, args.net, path], check=True)


if __name__ == "__main__":
    main()
