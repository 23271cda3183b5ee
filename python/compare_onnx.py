#!/usr/bin/env python3
"""How often tesuji and ONNX Runtime prefer the same move, on positions of a data set that the network was not trained on.

    cargo build --release -p tesuji-nn --example outputs
    tesuji net convert net.safetensors --to onnx --out net.onnx
    python compare_onnx.py target/release/examples/outputs net.safetensors net.onnx shogi.test
"""

import argparse
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import onnxruntime

from tesuji_data import PositionSets
from tesuji_files import read_safetensors, write_safetensors


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("example", help="the example `outputs` of tesuji-nn")
    parser.add_argument("net", help="a network of tesuji")
    parser.add_argument("onnx", help="the same network as an ONNX file")
    parser.add_argument("data", nargs="+", help="data sets")
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--batch", type=int, default=500)
    args = parser.parse_args()
    sets = PositionSets(args.data)
    indices = np.sort(np.random.default_rng(1).choice(len(sets), min(len(sets), args.positions), replace=False))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(args.onnx, options, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    same = positions = 0
    logits = values = 0.0
    with tempfile.TemporaryDirectory() as folder:
        batch, out = (str(Path(folder, name)) for name in ("batch.safetensors", "out.safetensors"))
        for first in range(0, len(indices), args.batch):
            planes = sets.batch(indices[first : first + args.batch]).planes.astype(np.float32)
            write_safetensors(batch, {"planes": planes}, {})
            subprocess.run([args.example, args.net, batch, out], check=True)
            ours, _ = read_safetensors(out)
            theirs = dict(zip(names, session.run(None, {session.get_inputs()[0].name: planes})))
            policy = theirs["policy"].reshape(len(planes), -1)
            same += int((policy.argmax(1) == ours["policy"].argmax(1)).sum())
            positions += len(planes)
            logits = max(logits, float(np.abs(policy - ours["policy"]).max()))
            if "value" in theirs:
                values = max(values, float(np.abs(theirs["value"].reshape(-1) - ours["value"].reshape(-1)).max()))
    print(f"ONNX Runtime {onnxruntime.__version__}, {positions} positions")
    print(f"the same best label: {same} of {positions}, {100 * same / positions:.3f} %")
    print(f"logits differ by {logits:.2g} at most, win rates by {values:.2g}")


if __name__ == "__main__":
    main()
