#!/usr/bin/env python3
"""Compares the loss and the gradients of tesuji's trainer with PyTorch's on the same batch and weights.

    cargo build --release -p tesuji-nn --example gradients
    python compare_gradients.py target/release/examples/gradients [--data SET]

A ReLU whose input is nearer to zero than the rounding errors is on in one program and off in the other. Then gradients
differ by more than rounding, also between single and double precision of PyTorch alone. So the strict comparison takes a
few positions for which no such input exists; a whole batch follows for information.

Exits with 1 if a loss or a gradient of the strict comparison differs by more than 1e-4 from PyTorch in double precision,
absolutely or relative to the greatest gradient of its tensor.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import torch

from tesuji_data import SHOGI, PositionSets
from tesuji_net import Architecture, Net, read_safetensors, save, write_safetensors
from train_torch import losses

TOLERANCE = 1e-4
# No input of a ReLU may be nearer to zero.
MARGIN = 2e-5
# About so many inputs are tried at a time: more are too likely to come near zero.
INPUTS = 200_000


def random_batch(size, generator):
    """About as many pieces and hands as in a real position."""
    planes = (generator.random((size, SHOGI.planes, SHOGI.height, SHOGI.width)) < 0.125).astype(np.float32)
    return planes, generator.integers(0, SHOGI.labels, size), generator.integers(0, 2, size).astype(np.float32)


def real_batch(path, size, generator):
    """Positions of a data set whose move and result are known."""
    sets = PositionSets([path])
    batch = sets.batch(np.sort(generator.choice(len(sets), min(len(sets), 2 * size), replace=False)))
    known = np.nonzero((batch.labels >= 0) & ~np.isnan(batch.results))[0][:size]
    return batch.planes[known].astype(np.float32), batch.labels[known], batch.results[known]


def torch_side(net, batch, dtype):
    """Losses and gradients by PyTorch."""
    net = net.to(dtype).train()
    net.zero_grad()
    planes, labels, values = (torch.from_numpy(part) for part in batch)
    logits, value = net(planes.to(dtype))
    # `losses` computes in single precision.
    policy_loss = torch.nn.functional.cross_entropy(logits, labels) if logits is not None else None
    value_loss = torch.nn.functional.binary_cross_entropy_with_logits(value, values.to(dtype)) if value is not None else None
    sum(part for part in (policy_loss, value_loss) if part is not None).backward()
    if dtype == torch.float32:
        # The loss of the trainer is the same.
        own = losses(logits, value, labels, values, [None] * len(labels))
        for mean, total in zip((policy_loss, value_loss), own):
            assert mean is None or abs(mean.item() - total.item() / len(labels)) < 1e-5
    gradients = {name: parameter.grad.double().numpy() for name, parameter in net.named_parameters()}
    return [0.0 if part is None else part.item() for part in (policy_loss, value_loss)], gradients


def worst(found, expected):
    """The greatest difference, absolute, relative to the greatest gradient of the tensor, and as norms of tensors."""
    pairs = [(found[name] - expected[name], expected[name]) for name in expected]
    return (
        max(np.abs(difference).max() for difference, _ in pairs),
        max(np.abs(difference).max() / np.abs(whole).max() for difference, whole in pairs),
        max(np.linalg.norm(difference) / np.linalg.norm(whole) for difference, whole in pairs),
    )


@torch.no_grad()
def margin(net, planes):
    """The least distance of an input of a ReLU from zero, with the statistics of this batch."""
    plain, least = torch.relu, float("inf")

    def relu(x):
        nonlocal least
        least = min(least, x.abs().min().item())
        return plain(x)

    torch.relu = relu
    try:
        net.double().train()(torch.from_numpy(planes).double())
    finally:
        torch.relu = plain
    return least


def compare(args, spec, batch, net, title):
    """Prints the differences; whether they are small."""
    net.float()
    with tempfile.TemporaryDirectory() as folder:
        files = [str(Path(folder, name)) for name in ("net.safetensors", "batch.safetensors", "out.safetensors")]
        save(files[0], net, {})
        write_safetensors(files[1], dict(zip(["planes", "labels", "values"], map(np.asarray, batch))), {})
        subprocess.run([args.example, *files], check=True)
        gradients, metadata = read_safetensors(files[2])
    ours = [float(metadata["policy_loss"]), float(metadata["value_loss"]) if net.value else 0.0]
    single, single_gradients = torch_side(net, batch, torch.float32)
    double, double_gradients = torch_side(net, batch, torch.float64)
    print(f"{spec}, {len(batch[1])} positions, {title}")
    print(f"  policy loss: tesuji {ours[0]:.7f}, PyTorch f32 {single[0]:.7f}, f64 {double[0]:.7f}")
    if net.value:
        print(f"  value loss:  tesuji {ours[1]:.7f}, PyTorch f32 {single[1]:.7f}, f64 {double[1]:.7f}")
    pairs = [
        ("tesuji and PyTorch f32", gradients, single_gradients),
        ("tesuji and PyTorch f64", gradients, double_gradients),
        ("PyTorch f32 and f64   ", single_gradients, double_gradients),
    ]
    for title, found, expected in pairs:
        absolute, relative, norm = worst(found, expected)
        print(f"  gradients, {title}: at most {absolute:.1e}, relative {relative:.1e}, norm {norm:.1e}")
    absolute, relative, _ = worst(gradients, double_gradients)
    return max(absolute, relative, *(abs(a - b) for a, b in zip(ours, double))) <= TOLERANCE


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("example", help="the example `gradients` of tesuji-nn")
    parser.add_argument("--data", help="a data set of shogi positions; random planes by default")
    parser.add_argument("--batch", type=int, default=256, help="the size of the whole batch (256)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--net", nargs="*", default=["policy-value:blocks=6,channels=64", "policy:layers=12,channels=192"])
    args = parser.parse_args()
    agree = True
    for spec in args.net:
        generator = np.random.default_rng(args.seed)
        draw = (lambda size: real_batch(args.data, size, generator)) if args.data else (lambda size: random_batch(size, generator))
        torch.manual_seed(args.seed)
        net = Net(SHOGI, Architecture.parse(spec))
        size = max(1, INPUTS // (len(net.trunk) * net.architecture.channels * SHOGI.squares))
        batch = draw(size)
        while (found := margin(net, batch[0])) < MARGIN:
            # Other weights, too: with few positions the batch decides little.
            batch = draw(size)
            net.float().reset()
        agree &= compare(args, spec, batch, net, f"no ReLU within {found:.1e} of its kink")
        compare(args, spec, draw(args.batch), net, "a whole batch")
    sys.exit(0 if agree else 1)


if __name__ == "__main__":
    main()
