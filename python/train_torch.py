#!/usr/bin/env python3
"""Trains a network with PyTorch, on a GPU if there is one, from the data sets of `tesuji train data`.

The architectures, the recipe of `--optimizer adamw`, the order of the positions and the files are those of
`tesuji train GAME --net …`: what one program has trained, the other one reads. An interrupted training continues from FILE.checkpoint.

    python train_torch.py --net policy-value:blocks=6,channels=64 --data shogi.train --test shogi.test --out net.safetensors
"""

import argparse
import json
import math
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch
from torch.nn import functional as F

from tesuji_data import DataError, PositionSets
from tesuji_net import Architecture, Net, NetError, read_safetensors, save


def arguments(argv=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--net", required=True, help="the architecture, such as policy-value:blocks=6,channels=64")
    add("--data", required=True, nargs="+", help="data sets to learn from")
    add("--test", nargs="*", default=[], help="data sets to measure on")
    add("--out", required=True, help="the network to write, a .safetensors file")
    add("--init", help="a network to start from; the tensors that fit are taken over")
    add("--batch", type=int, default=256, help="positions of a step (256)")
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--epochs", type=float, default=1, help="passes over the data (1)")
    length.add_argument("--positions", type=int, help="positions to learn from, instead of epochs")
    add("--optimizer", choices=["adamw", "sgd"], default="adamw", help="adamw, or sgd with Nesterov's momentum")
    add("--lr", type=float, help="the greatest learning rate (adamw: 0.003, sgd: 0.2)")
    add("--momentum", type=float, default=0.9, help="momentum of sgd (0.9)")
    add("--weight-decay", type=float, help="decay of the weights (adamw: 0.01, sgd: 0.0001)")
    add("--clip", type=float, help="the greatest norm of a gradient")
    add("--schedule", choices=["one-cycle", "constant"], default="one-cycle", help="the learning rate over the steps")
    add("--warm-up", type=float, default=0.15, help="the share of the steps in which the rate rises (0.15)")
    add("--lambda", type=float, default=1.0, dest="share", help="the share of the result in the value target (1)")
    add("--value-scale", type=float, default=600.0, help="the search value of a win rate of 73 %% (600)")
    add("--policy-weight", type=float, default=1.0, help="the weight of the policy in the loss (1)")
    add("--value-weight", type=float, default=1.0, help="the weight of the win rate in the loss (1)")
    add("--eval-every", type=int, default=200_000, help="positions between two measurements (200000)")
    add("--eval-positions", type=int, default=50_000, help="positions of the test sets to measure on (50000)")
    add("--seed", type=int, default=0, help="decides the order of the positions and the first weights")
    add("--device", help="cuda, mps or cpu; the best one by default")
    add("--amp", choices=["off", "bf16", "f16"], default="off", help="train in mixed precision (off)")
    add("--threads", type=int, help="threads of the CPU")
    add("--checkpoint", type=float, default=60, help="seconds between two checkpoints (60)")
    add("--log", help="a file that gets a JSON line for every measurement")
    add("--precision", choices=["f32", "f16"], default="f32", help="how the weights are stored")
    return parser.parse_args(argv)


def mix(z):
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def order(count, seed, epoch, places):
    """The positions at some places of an epoch: tesuji's permutation, a Feistel network."""
    with np.errstate(over="ignore"):
        bits = max(1, -(-max(count - 1, 0).bit_length() // 2))
        half, mask = np.uint64(bits), np.uint64((1 << bits) - 1)
        key = mix(np.array([seed], np.uint64)) ^ mix(np.array([epoch], np.uint64) + np.uint64(0x5851F42D4C957F2D))
        keys = []
        for _ in range(4):
            key = key + np.uint64(0x9E3779B97F4A7C15)
            keys.append(mix(key))
        numbers = np.asarray(places, np.uint64)
        outside = np.ones(len(numbers), bool)
        while outside.any():
            left, right = numbers[outside] >> half, numbers[outside] & mask
            for key in keys:
                left, right = right, left ^ (mix(right ^ key) & mask)
            numbers[outside] = left << half | right
            outside = numbers >= count
        return numbers.astype(np.int64)


class Loader:
    """Prepares batches ahead of the steps that need them. A batch depends on the seed and its number alone."""

    def __init__(self, args, sets, pin):
        self.args, self.sets, self.pin = args, sets, pin
        self.pool = ThreadPoolExecutor(2)

    def load(self, step):
        count, size = len(self.sets), self.args.batch
        numbers = np.arange(step * size, (step + 1) * size)
        epochs, indices = numbers // count, np.empty(size, np.int64)
        for epoch in np.unique(epochs):
            own = epochs == epoch
            indices[own] = order(count, self.args.seed, int(epoch), numbers[own] % count)
        return self.tensors(self.sets.batch(indices))

    def tensors(self, batch):
        values = value_targets(batch, self.args.share, self.args.value_scale)
        parts = [torch.from_numpy(batch.planes), torch.from_numpy(batch.labels), torch.from_numpy(values)]
        if self.pin:
            parts = [part.pin_memory() for part in parts]
        return (*parts, batch.visits)

    def batches(self, steps):
        waiting = []
        for step in steps:
            waiting.append(self.pool.submit(self.load, step))
            if len(waiting) > 6:
                yield waiting.pop(0).result()
        for batch in waiting:
            yield batch.result()


def value_targets(batch, share, scale):
    """The win rates to learn: the result mixed with the search value; NaN where nothing is known."""
    search = (1 / (1 + np.exp(-batch.values.astype(np.float64) / scale))).astype(np.float32)
    if share >= 1:
        search[:] = np.where(np.isnan(batch.results), np.nan, batch.results)
    mixed = share * batch.results + (1 - share) * search
    return np.where(np.isnan(batch.results), search, np.where(np.isnan(search), batch.results, mixed)).astype(np.float32)


def losses(policy, value, labels, targets, visits):
    """The sums of the cross-entropies over a batch. Positions without a target do not count."""
    policy_loss = value_loss = None
    if policy is not None:
        logs = F.log_softmax(policy.float(), dim=1)
        policy_loss = F.nll_loss(logs, labels, ignore_index=-1, reduction="sum")
        searched = [(row, pair) for row, pair in enumerate(visits) if pair is not None and pair[1].sum() > 0]
        if searched:
            # Visit counts replace the label.
            rows = np.concatenate([np.full(len(pair[0]), row) for row, pair in searched])
            moves = np.concatenate([pair[0] for _, pair in searched])
            shares = np.concatenate([pair[1] / pair[1].sum() for _, pair in searched]).astype(np.float32)
            rows, moves, shares = (torch.from_numpy(part).to(logs.device) for part in (rows, moves, shares))
            single = torch.tensor([row for row, _ in searched], device=logs.device)
            policy_loss = policy_loss - F.nll_loss(logs[single], labels[single], ignore_index=-1, reduction="sum")
            policy_loss = policy_loss - (logs[rows, moves] * shares).sum()
    if value is not None:
        known = ~torch.isnan(targets)
        value_loss = F.binary_cross_entropy_with_logits(value.float()[known], targets[known], reduction="sum")
    return policy_loss, value_loss


def groups(net, decay):
    """Weights of convolutions and fully connected layers decay; biases and batch norms do not."""
    weights = [parameter for parameter in net.parameters() if parameter.dim() > 1]
    others = [parameter for parameter in net.parameters() if parameter.dim() == 1]
    return [{"params": weights, "weight_decay": decay}, {"params": others, "weight_decay": 0.0}]


def rate(args, step, steps):
    """The learning rate of a step: up from a 25th of the peak, then down to nearly zero, both along a cosine."""
    if args.schedule == "constant":
        return args.lr
    first = args.lr / 25
    rise = min(max(args.warm_up, 0.0), 1.0) * steps

    def cosine(start, end, share):
        return end + (start - end) * 0.5 * (1 + math.cos(math.pi * min(max(share, 0.0), 1.0)))

    if step < rise:
        return cosine(first, args.lr, step / rise)
    return cosine(args.lr, first / 1e4, (step - rise) / max(steps - rise - 1, 1.0))


@torch.no_grad()
def evaluate(net, sets, args, device):
    """The figures of `tesuji net eval`."""
    net.eval()
    count = len(sets)
    indices = np.arange(count)
    if count > args.eval_positions:
        indices = np.sort(order(count, 0, 0, np.arange(args.eval_positions)))
    moves = top1 = top3 = results = decided = right = 0
    policy_loss = value_loss = 0.0
    for at in range(0, len(indices), 512):
        batch = sets.batch(indices[at : at + 512])
        planes = torch.from_numpy(batch.planes).to(device).float()
        with torch.autocast(device.type, amp_type(args), enabled=args.amp != "off"):
            policy, value = net(planes.to(memory_format=torch.channels_last))
        best = torch.tensor(
            [label if pair is None else int(pair[0][pair[1].argmax()]) for label, pair in zip(batch.labels, batch.visits)]
        )
        known = best >= 0
        labels = torch.from_numpy(batch.labels).to(device)
        targets = torch.from_numpy(batch.results).to(device)
        sums = losses(policy, value, labels, targets, batch.visits)
        if policy is not None and known.any():
            logits, own = policy.float()[known.to(device)], best[known].to(device)
            greater = (logits > logits.gather(1, own[:, None])).sum(dim=1)
            moves, policy_loss = moves + len(own), policy_loss + sums[0].item()
            top1, top3 = top1 + int((greater == 0).sum()), top3 + int((greater < 3).sum())
        if value is not None:
            known = ~torch.isnan(targets)
            results, value_loss = results + int(known.sum()), value_loss + sums[1].item()
            known &= targets != 0.5
            decided += int(known.sum())
            right += int(((value.float() > 0) == (targets > 0.5))[known].sum())
    net.train()

    def mean(total, number):
        return round(total / number, 6) if number else None

    return {
        "positions": len(indices),
        "policy_accuracy": mean(top1, moves),
        "policy_top3": mean(top3, moves),
        "policy_cross_entropy": mean(policy_loss, moves),
        "value_accuracy": mean(right, decided),
        "value_cross_entropy": mean(value_loss, results),
    }


def amp_type(args):
    return torch.float16 if args.amp == "f16" else torch.bfloat16


def best_device():
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def train(args):
    architecture = Architecture.parse(args.net)
    data = PositionSets(args.data)
    tests = PositionSets(args.test) if args.test else None
    if len(data) == 0:
        raise DataError("there is no position in the data")
    if tests and tests.encoding != data.encoding:
        raise DataError(f"the test set belongs to {tests.encoding.name}, the data to {data.encoding.name}")
    adamw = args.optimizer == "adamw"
    args.lr = args.lr or (0.003 if adamw else 0.2)
    args.weight_decay = args.weight_decay if args.weight_decay is not None else (0.01 if adamw else 1e-4)
    if args.threads:
        torch.set_num_threads(args.threads)
    device = torch.device(args.device or best_device())
    torch.manual_seed(args.seed)
    net = Net(data.encoding, architecture)
    if args.init:
        taken = net.take(read_safetensors(args.init)[0])
        say(f"{len(taken)} of {len(net.tensors())} tensors of {args.init} are taken over")
    net = net.to(device, memory_format=torch.channels_last)
    if adamw:
        optimizer = torch.optim.AdamW(groups(net, args.weight_decay), lr=args.lr)
    else:
        optimizer = torch.optim.SGD(groups(net, args.weight_decay), lr=args.lr, momentum=args.momentum, nesterov=args.momentum > 0)
    scaler = torch.amp.GradScaler(device.type, enabled=args.amp == "f16")
    positions = args.positions or int(args.epochs * len(data))
    steps = -(-positions // args.batch)

    checkpoint, step = f"{args.out}.checkpoint", 0
    settings = {key: value for key, value in vars(args).items() if key not in FREE}
    if os.path.exists(checkpoint):
        saved = torch.load(checkpoint, map_location=device, weights_only=True)
        if saved["settings"] != settings:
            different = sorted(key for key in settings if saved["settings"].get(key) != settings[key])
            raise NetError(f"{checkpoint} belongs to other settings ({', '.join(different)}): remove it, or use the same")
        net.load_state_dict(saved["net"])
        optimizer.load_state_dict(saved["optimizer"])
        scaler.load_state_dict(saved["scaler"])
        step = saved["step"]
        say(f"continuing from {checkpoint}: step {step} of {steps}")
    elif os.path.exists(args.out):
        raise NetError(f"{args.out} exists: remove it, or write to another file")

    def keep():
        state = {"settings": settings, "step": step, "net": net.state_dict(), "optimizer": optimizer.state_dict()}
        torch.save({**state, "scaler": scaler.state_dict()}, f"{checkpoint}.part")
        os.replace(f"{checkpoint}.part", checkpoint)

    def measure(seen):
        figures = {"step": step, "positions_seen": step * args.batch, **{key: value for key, value in seen.items()}}
        if tests:
            figures["test"] = evaluate(net, tests, args, device)
        say(json.dumps(figures))
        if args.log:
            with open(args.log, "a", encoding="utf-8") as file:
                file.write(json.dumps(figures) + "\n")

    say(f"{architecture} on {device}: {steps} steps of {args.batch} positions")
    loader = Loader(args, data, pin=device.type == "cuda")
    net.train()
    started, first = time.monotonic(), step
    kept = shown = started
    sums, counted = torch.zeros(2, device=device), 0
    for planes, labels, targets, visits in loader.batches(range(step, steps)):
        planes, labels, targets = (part.to(device, non_blocking=True) for part in (planes, labels, targets))
        planes = planes.float().to(memory_format=torch.channels_last)
        for group in optimizer.param_groups:
            group["lr"] = rate(args, step, steps)
        with torch.autocast(device.type, amp_type(args), enabled=args.amp != "off"):
            policy, value = net(planes)
        policy_loss, value_loss = losses(policy, value, labels, targets, visits)
        loss = torch.zeros((), device=device)
        for part, (own, weight) in enumerate([(policy_loss, args.policy_weight), (value_loss, args.value_weight)]):
            if own is not None:
                loss = loss + weight * own / args.batch
                sums[part] += own.detach()
        optimizer.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        if args.clip:
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(net.parameters(), args.clip)
        scaler.step(optimizer)
        scaler.update()
        step, counted = step + 1, counted + args.batch
        now = time.monotonic()
        done = step * args.batch
        if done // args.eval_every > (done - args.batch) // args.eval_every or step == steps:
            seen = (sums / counted).tolist()
            measure({"policy_loss": round(seen[0], 6), "value_loss": round(seen[1], 6), "seconds": round(now - started, 1)})
            sums.zero_()
            counted = 0
        elif now - shown > 10:
            speed = (step - first) * args.batch / (now - started)
            left = (steps - step) * args.batch / speed
            seen = (sums / counted).tolist()
            say(f"step {step} of {steps}: policy loss {seen[0]:.4f}, value loss {seen[1]:.4f}, {speed:.0f} positions/s, {left:.0f} s left")
            shown = now
        if now - kept > args.checkpoint:
            keep()
            kept = now
    metadata = {
        "game": data.game,
        "data": "; ".join(f"{part.path.name}: {len(part)} positions" for part in data.sets),
        "command": " ".join(["train_torch.py", *sys.argv[1:]]),
        "positions": str(steps * args.batch),
    }
    save(args.out, net, metadata, args.precision.upper())
    if os.path.exists(checkpoint):
        os.remove(checkpoint)
    say(f"{args.out} is written")
    return net


# Settings that may change when a training continues.
FREE = {"threads", "device", "checkpoint", "log", "precision", "eval_every", "eval_positions", "test", "init"}


def say(text):
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        train(arguments())
    except (DataError, NetError, OSError) as error:
        say(f"error: {error}")
        sys.exit(2)
