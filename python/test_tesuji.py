"""Tests of the reader and the trainer: `python -m unittest` in this folder. They need NumPy and PyTorch."""

import json
import os
import tempfile
import unittest
import zlib
from pathlib import Path

import numpy as np
import torch

import train_torch
from tesuji_data import DataError, PositionSet, PositionSets, encode_othello, encode_shogi
from tesuji_net import Architecture, NetError, read_safetensors, write_safetensors

START = bytes.fromhex("58a449210cd757217e8e4d212caf427814c2ab109e4d212cd75f213e8e49210c")
OTHELLO_START = (0x0000000810000000).to_bytes(8, "little") + (0x0000001008000000).to_bytes(8, "little") + b"\0"


def entry(packed, label=0xFFFF, value=-0x8000, result=3, visits=(0, 0)):
    fields = [(label, 2), (value & 0xFFFF, 2), (result, 1), (0, 1), (0, 2), (0, 4), (visits[0], 4), (visits[1], 2), (0, 2)]
    return packed + b"".join(number.to_bytes(size, "little") for number, size in fields)


def write_set(path, header, blocks):
    """A block file as `store::blocks` documents it."""
    head = b"tesujiB\n" + (1).to_bytes(4, "little") + len(header).to_bytes(4, "little") + header
    head_sum = zlib.crc32(head).to_bytes(4, "little")
    listed = b"".join(len(block).to_bytes(4, "little") + zlib.crc32(block).to_bytes(4, "little") for block in blocks)
    listed += len(blocks).to_bytes(8, "little")
    end = listed + zlib.crc32(head_sum + listed).to_bytes(4, "little") + b"tesujiE\n"
    Path(path).write_bytes(head + head_sum + b"".join(blocks) + end)


def othello_set(path, entries, tail=b"", block=8):
    header = (
        f"tesuji-positions 1\ngame othello\npacking othello/discs/1\nencoding othello-3/1\nentry 37\nblock {block}\n"
        f"positions {len(entries):>12}\ngames {1:>12}\nmade by a test\n"
    ).encode()
    blocks = []
    for at in range(0, len(entries), block):
        part = entries[at : at + block]
        own = tail if at == 0 else b""
        blocks.append(len(part).to_bytes(4, "little") + len(own).to_bytes(4, "little") + b"".join(part) + own)
    write_set(path, header, blocks)


def random_othello(generator, count):
    """Random discs: no game leads there, but a network can learn them."""
    words = generator.integers(0, 1 << 63, (count, 2), dtype=np.uint64)
    own, other = words[:, 0], words[:, 1] & ~words[:, 0]
    return [a.tobytes() + b.tobytes() + b"\0" for a, b in zip(own, other)]


class Encoders(unittest.TestCase):
    def test_the_start_of_shogi_looks_the_same_to_both_sides(self):
        black = np.frombuffer(START, np.uint8)[None]
        white = black.copy()
        white[0, 0] |= 1
        planes, turned = encode_shogi(black)[0], encode_shogi(white)[0]
        self.assertEqual(planes.sum(), 40)
        self.assertTrue((planes == turned).all())
        # The mover's pawns stand on the seventh row, the bishop on 8h, the king on 5i.
        self.assertEqual(np.nonzero(planes[0])[0].tolist(), list(range(54, 63)))
        self.assertEqual((np.nonzero(planes[5])[0].tolist(), np.nonzero(planes[7])[0].tolist()), ([64], [76]))
        self.assertEqual(np.nonzero(planes[52])[0].tolist(), list(range(18, 27)))

    def test_bytes_that_are_no_position_are_refused(self):
        for wrong in (bytes(32), b"\xff" * 32):
            with self.assertRaises(DataError):
                encode_shogi(np.frombuffer(wrong, np.uint8)[None])

    def test_othello_has_four_first_moves(self):
        planes = encode_othello(np.frombuffer(OTHELLO_START, np.uint8)[None])[0]
        self.assertEqual(planes.sum(axis=1).tolist(), [2, 2, 4])
        # d3, c4, f5 and e6.
        self.assertEqual(np.nonzero(planes[2])[0].tolist(), [19, 26, 37, 44])


class Sets(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name, "set")
        boards = random_othello(np.random.default_rng(1), 20)
        self.entries = [entry(board, label=n, value=10 * n, result=n % 4) for n, board in enumerate(boards)]
        self.entries[3] = entry(boards[3], label=3, visits=(4, 2))
        pairs = np.array([9, 9, 5, 30, 7, 10], "<u2").tobytes()
        othello_set(self.path, self.entries, tail=pairs)

    def test_entries_are_read_in_any_order(self):
        positions = PositionSet(self.path)
        self.assertEqual((len(positions), positions.game, positions.provenance), (20, "othello", "made by a test\n"))
        batch = positions.batch([19, 3, 8])
        self.assertEqual(batch.labels.tolist(), [19, 3, 8])
        self.assertEqual(batch.values[0], 190)
        self.assertTrue(np.isnan(batch.results[0]) and np.isnan(batch.values[1]) and batch.results[2] == 0)
        self.assertEqual((batch.visits[1][0].tolist(), batch.visits[1][1].tolist()), ([5, 7], [30, 10]))
        own = np.frombuffer(self.entries[8][:8], np.uint8)
        self.assertEqual(batch.planes[2, 0].reshape(-1).tolist(), np.unpackbits(own, bitorder="little").tolist())
        both = PositionSets([self.path, self.path]).batch([25, 2, 39])
        self.assertEqual(both.labels.tolist(), [5, 2, 19])
        with self.assertRaises(IndexError):
            positions.batch([20])

    def test_every_damage_is_noticed(self):
        content = self.path.read_bytes()
        for at in list(range(0, len(content), 3)) + [len(content) - 1]:
            self.path.write_bytes(content[:at] + bytes([content[at] ^ 4]) + content[at + 1 :])
            with self.assertRaises(DataError, msg=f"byte {at}"):
                PositionSet(self.path).batch(range(20))
        for length in range(0, len(content), 7):
            self.path.write_bytes(content[:length])
            with self.assertRaises(DataError, msg=f"{length} bytes"):
                PositionSet(self.path).batch(range(20))

    def test_other_files_are_refused(self):
        write_set(self.path, b"tesuji-samples 3\n", [])
        with self.assertRaisesRegex(DataError, "is not a data set of positions"):
            PositionSet(self.path)


class Order(unittest.TestCase):
    def test_every_position_comes_once(self):
        for count in (1, 2, 5, 16, 17, 1000):
            self.assertEqual(sorted(train_torch.order(count, 7, 0, np.arange(count)).tolist()), list(range(count)))

    def test_the_rate_rises_and_falls(self):
        args = train_torch.arguments(["--net", "policy", "--data", "x", "--out", "y", "--lr", "0.003"])
        rates = [train_torch.rate(args, step, 1000) for step in range(1000)]
        self.assertAlmostEqual(rates[0], 0.003 / 25)
        self.assertAlmostEqual(rates[150], 0.003)
        self.assertAlmostEqual(rates[999], 0.003 / 25e4)


class Training(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        boards = random_othello(np.random.default_rng(2), 32)
        self.data = self.folder / "set"
        othello_set(self.data, [entry(board, label=n, result=n % 3) for n, board in enumerate(boards)])
        torch.set_num_threads(1)

    def run_trainer(self, name, *more):
        out, log = self.folder / name, self.folder / f"{name}.log"
        common = ["--net", "policy-value:blocks=1,channels=16", "--batch", "16", "--device", "cpu", "--log", str(log)]
        train_torch.say = lambda text: None
        train_torch.train(
            train_torch.arguments([*common, "--data", str(self.data), "--test", str(self.data), "--out", str(out), *more])
        )
        return out, [json.loads(line) for line in log.read_text().splitlines()]

    def test_a_tiny_set_is_learned_by_heart(self):
        out, log = self.run_trainer("net.safetensors", "--epochs", "60", "--lr", "0.01")
        self.assertEqual(log[-1]["test"]["policy_accuracy"], 1.0)
        self.assertEqual(log[-1]["test"]["value_accuracy"], 1.0)
        tensors, metadata = read_safetensors(out)
        self.assertEqual(metadata["format"], "tesuji/net/1")
        self.assertEqual(metadata["architecture"], "policy-value:blocks=1,channels=16")
        self.assertEqual(metadata["encoding"], "height=8,width=8,planes=3,policy-planes=1")
        self.assertEqual(list(tensors)[0], "trunk.0.conv.weight")
        self.assertFalse(os.path.exists(f"{out}.checkpoint"))

    def test_a_training_continues_from_its_checkpoint(self):
        whole, _ = self.run_trainer("whole.safetensors", "--epochs", "4")
        stopped = self.folder / "stopped.safetensors"
        plain = train_torch.evaluate
        calls = []

        def stop(*args):
            calls.append(args)
            if len(calls) == 2:
                raise KeyboardInterrupt
            return plain(*args)

        train_torch.evaluate = stop
        self.addCleanup(setattr, train_torch, "evaluate", plain)
        settings = ["--epochs", "4", "--checkpoint", "0", "--eval-every", "32"]
        with self.assertRaises(KeyboardInterrupt):
            self.run_trainer("stopped.safetensors", *settings)
        self.assertTrue(os.path.exists(f"{stopped}.checkpoint"))
        with self.assertRaisesRegex(NetError, "other settings .lr."):
            self.run_trainer("stopped.safetensors", *settings, "--lr", "1")
        train_torch.evaluate = plain
        self.run_trainer("stopped.safetensors", *settings)
        for name, tensor in read_safetensors(whole)[0].items():
            np.testing.assert_array_equal(tensor, read_safetensors(stopped)[0][name], err_msg=name)
        with self.assertRaisesRegex(NetError, "exists"):
            self.run_trainer("stopped.safetensors", *settings)

    def test_a_value_net_takes_the_trunk_of_a_policy_net(self):
        policy, _ = self.run_trainer("p.safetensors", "--epochs", "1", "--net", "policy:blocks=1,channels=16")
        value, _ = self.run_trainer("v.safetensors", "--epochs", "1", "--net", "value:blocks=1,channels=16", "--lr", "1e-12", "--init", str(policy))
        name = "trunk.2.conv.weight"
        np.testing.assert_allclose(read_safetensors(value)[0][name], read_safetensors(policy)[0][name], atol=1e-6)


class Files(unittest.TestCase):
    def test_architectures_are_printed_as_they_are_written(self):
        for text in ("policy:layers=12,channels=192", "policy-value:blocks=2,channels=8,value-hidden=4"):
            self.assertEqual(str(Architecture.parse(text)), text)
        self.assertEqual(str(Architecture.parse("policy-value")), "policy-value:blocks=6,channels=64")
        for wrong in ("resnet", "policy:chanels=3", "policy:layers=2,blocks=3", "policy:channels=0", "policy:value-hidden=3"):
            with self.assertRaises(NetError):
                Architecture.parse(wrong)

    def test_damaged_weights_are_noticed(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "x.safetensors")
            write_safetensors(path, {"a": np.ones((2, 3))}, {"sha256": "0" * 64})
            with self.assertRaisesRegex(NetError, "SHA-256"):
                read_safetensors(path)
            path.write_bytes(path.read_bytes()[:40])
            with self.assertRaises(NetError):
                read_safetensors(path)


if __name__ == "__main__":
    unittest.main()
