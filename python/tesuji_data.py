"""Reads the data sets of positions that `tesuji train data` and `tesuji selfplay` write, with NumPy.

    positions = PositionSet("shogi.train")
    batch = positions.batch(range(256))       # planes, labels, values, results, visit counts
    batch.planes.shape                        # (256, 104, 9, 9), uint8

The file is memory-mapped. The checksum of a block is checked when the block is first touched.
"""

import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

BLOCK_MAGIC, END_MAGIC = b"tesujiB\n", b"tesujiE\n"
BLOCK_FORMAT = 1
NO_LABEL, NO_VALUE, UNKNOWN = 0xFFFF, -0x8000, 3


class DataError(ValueError):
    """A file that is not a data set, or a damaged one."""


@dataclass(frozen=True)
class Encoding:
    """What a network of a game looks like from outside."""

    name: str
    height: int
    width: int
    planes: int
    policy_planes: int

    @property
    def squares(self):
        return self.height * self.width

    @property
    def labels(self):
        return self.policy_planes * self.squares

    def __str__(self):
        return f"height={self.height},width={self.width},planes={self.planes},policy-planes={self.policy_planes}"


@dataclass
class Batch:
    """Positions and what is known about them, one row each."""

    planes: np.ndarray  # uint8, (positions, planes, height, width)
    labels: np.ndarray  # int64; -1: none
    values: np.ndarray  # float32, the search value for the mover in the game's unit; NaN: none
    results: np.ndarray  # float32, 1 for a win of the mover, 0.5 for a draw, 0 for a loss; NaN: unknown
    visits: list  # of (labels, visits) or None


class PositionSet:
    """A data set of positions."""

    def __init__(self, path):
        self.path = Path(path)
        if not self.path.is_file():
            raise DataError(f"{path}: there is no such file")
        if self.path.stat().st_size < 40:
            raise DataError(f"{path} is not a data set of positions: it has {self.path.stat().st_size} bytes")
        self._map = np.memmap(self.path, dtype=np.uint8, mode="r")
        head, first = self._read_head()
        self._read_header(head)
        self._starts, self._sums = self._read_list(first)
        self._checked = np.zeros(len(self._sums), dtype=bool)
        self._check_length()

    def _damaged(self, part):
        return DataError(f"{self.path}: the {part} is damaged: create the file again or restore it from a copy")

    def _u32(self, at):
        return int.from_bytes(self._map[at : at + 4].tobytes(), "little")

    def _read_head(self):
        if self._map[:8].tobytes() != BLOCK_MAGIC:
            raise DataError(f"{self.path} is not a data set of positions, or its beginning is damaged")
        if (found := self._u32(8)) != BLOCK_FORMAT:
            raise DataError(f"{self.path} has block format {found}; this program reads format {BLOCK_FORMAT}")
        end = 16 + self._u32(12)
        if end + 4 > len(self._map) or zlib.crc32(self._map[:end]) != self._u32(end):
            raise self._damaged("head")
        self._head_sum = self._u32(end)
        return self._map[16:end].tobytes(), end + 4

    def _read_header(self, head):
        lines = head.decode("utf-8", "replace").split("\n", 8)
        if not lines[0].startswith("tesuji-positions "):
            raise DataError(
                f"{self.path} is not a data set of positions: give one made by `tesuji train data … --for net` "
                "or `tesuji selfplay`"
            )
        if lines[0] != "tesuji-positions 1":
            raise DataError(f"{self.path}: {lines[0]!r} is not known; this program reads tesuji-positions 1")
        names = ["game", "packing", "encoding", "entry", "block", "positions", "games"]
        fields = [line.partition(" ") for line in lines[1:8]]
        if [name for name, _, _ in fields] != names:
            raise self._damaged("header")
        self.game, self.packing, encoding = (value.strip() for _, _, value in fields[:3])
        self._entry, self._block, self._length, self.games = (int(value) for _, _, value in fields[3:])
        self.provenance = lines[8] if len(lines) > 8 else ""
        if (self.packing, encoding) not in ENCODERS:
            known = ", ".join(sorted(name for _, name in ENCODERS))
            raise DataError(
                f"{self.path}: positions packed as {self.packing} for the encoding {encoding} are not known here; "
                f"the encodings known are {known}"
            )
        self.encoding, self._encode, bytes_of_position = ENCODERS[self.packing, encoding]
        if self._entry != bytes_of_position + 20 or self._block < 1:
            raise self._damaged("header")
        self._type = np.dtype(
            [
                ("packed", np.uint8, bytes_of_position),
                ("label", "<u2"),
                ("value", "<i2"),
                ("result", "u1"),
                ("flags", "u1"),
                ("ply", "<u2"),
                ("game", "<u4"),
                ("visits_at", "<u4"),
                ("visits", "<u2"),
                ("reserved", "<u2"),
            ]
        )

    def _read_list(self, first):
        after = len(self._map) - 20
        count = int.from_bytes(self._map[after : after + 8].tobytes(), "little") if after >= first else 0
        at = after - 8 * count
        if after < first or at < first or self._map[after + 12 :].tobytes() != END_MAGIC:
            raise self._damaged("list of blocks")
        whole = self._head_sum.to_bytes(4, "little") + self._map[at : after + 8].tobytes()
        if zlib.crc32(whole) != self._u32(after + 8):
            raise self._damaged("list of blocks")
        pairs = np.frombuffer(self._map[at:after].tobytes(), "<u4").reshape(-1, 2).astype(np.int64)
        starts = first + np.concatenate([[0], np.cumsum(pairs[:, 0])])
        if starts[-1] != at:
            raise self._damaged("list of blocks")
        return starts, pairs[:, 1]

    def _check_length(self):
        expected = -(-self._length // self._block)
        if len(self._sums) != expected:
            raise DataError(
                f"{self.path} has {len(self._sums)} blocks; {self._length} positions need {expected}: create it again"
            )

    def __len__(self):
        return self._length

    def _entries_of(self, block):
        """The entries and the tail of a block."""
        data = self._map[self._starts[block] : self._starts[block + 1]]
        if not self._checked[block]:
            if zlib.crc32(data) != self._sums[block]:
                raise self._damaged(f"block {block} of {len(self._sums)}")
            count, tail = self._u32(self._starts[block]), self._u32(self._starts[block] + 4)
            full = min(self._block, self._length - block * self._block)
            if count != full or len(data) != 8 + count * self._entry + tail:
                raise self._damaged(f"block {block} of {len(self._sums)}")
            self._checked[block] = True
        end = 8 + int.from_bytes(data[:4].tobytes(), "little") * self._entry
        return data[8:end].view(self._type), data[end:]

    def entries(self, indices):
        """The raw entries at some places, with their visit counts."""
        indices = np.asarray(indices, dtype=np.int64)
        if len(indices) and not (0 <= indices.min() and indices.max() < len(self)):
            raise IndexError(f"{self.path} has {len(self)} positions")
        entries, visits = np.empty(len(indices), self._type), [None] * len(indices)
        blocks = indices // self._block
        for block in np.unique(blocks):
            rows = np.nonzero(blocks == block)[0]
            source, tail = self._entries_of(int(block))
            entries[rows] = source[indices[rows] - block * self._block]
            for row in rows[entries["visits"][rows] > 0]:
                at, count = int(entries["visits_at"][row]), int(entries["visits"][row])
                pairs = tail[at : at + 4 * count].tobytes()
                if len(pairs) != 4 * count:
                    raise DataError(f"{self.path}: position {indices[row]} has visit counts outside its block")
                pairs = np.frombuffer(pairs, "<u2").reshape(-1, 2)
                visits[row] = (pairs[:, 0].astype(np.int64), pairs[:, 1].astype(np.float32))
        return entries, visits

    def batch(self, indices):
        """The positions at some places, encoded."""
        entries, visits = self.entries(indices)
        labels = entries["label"].astype(np.int64)
        labels[labels == NO_LABEL] = -1
        if len(labels) and labels.max() >= self.encoding.labels:
            raise DataError(f"{self.path}: a position has the label {labels.max()}; there are {self.encoding.labels}")
        values = entries["value"].astype(np.float32)
        values[entries["value"] == NO_VALUE] = np.nan
        results = np.array([0.0, 0.5, 1.0, np.nan], np.float32)[np.minimum(entries["result"], UNKNOWN)]
        planes = self._encode(np.ascontiguousarray(entries["packed"]))
        shape = (len(labels), self.encoding.planes, self.encoding.height, self.encoding.width)
        return Batch(planes.reshape(shape), labels, values, results, visits)


class PositionSets:
    """Several data sets of one game as one."""

    def __init__(self, paths):
        self.sets = [PositionSet(path) for path in paths]
        if not self.sets:
            raise DataError("no data set is given")
        first = self.sets[0]
        for other in self.sets[1:]:
            if other.encoding != first.encoding:
                raise DataError(f"{other.path} belongs to {other.encoding.name}, {first.path} to {first.encoding.name}")
        self.game, self.encoding = first.game, first.encoding
        self._ends = np.cumsum([len(part) for part in self.sets])

    def __len__(self):
        return int(self._ends[-1])

    def batch(self, indices):
        indices = np.asarray(indices, dtype=np.int64)
        which = np.searchsorted(self._ends, indices, side="right")
        if len(self.sets) == 1 or (len(which) and (which == which[0]).all()):
            part = int(which[0]) if len(which) else 0
            return self.sets[part].batch(indices - (self._ends[part] - len(self.sets[part])))
        parts = np.unique(which)
        rows = [np.nonzero(which == part)[0] for part in parts]
        batches = [
            self.sets[part].batch(indices[own] - (self._ends[part] - len(self.sets[part])))
            for part, own in zip(parts, rows)
        ]
        back = np.argsort(np.concatenate(rows), kind="stable")
        joined = {
            name: np.concatenate([getattr(batch, name) for batch in batches])[back]
            for name in ["planes", "labels", "values", "results"]
        }
        visits = [entry for batch in batches for entry in batch.visits]
        return Batch(**joined, visits=[visits[row] for row in back])


# Shogi: positions packed as the Huffman-coded position (hcp), 32 bytes. Bits count from the lowest of the first byte:
# 1 for the side to move (1 is White), 7 for the square of Black's king, 7 for that of White's king, then a code for
# each other square, file by file from 1a to 9i, then the pieces in hand.

# Code on the board, in hand, and of a piece missing from the game, the first bit first; planes in hand. On the board
# follow a bit for the side and, except for golds, one for promotion; in hand a bit for the side.
_KINDS = [
    ("10", "00", "010", 18),  # pawn
    ("1100", "1000", "10010", 4),  # lance
    ("1110", "1100", "11010", 4),  # knight
    ("1101", "1010", "10110", 4),  # silver
    ("11110", "1110", "10111", 4),  # gold
    ("111110", "111110", "1111000", 2),  # bishop
    ("111111", "111111", "1111010", 2),  # rook
]
_GOLD, _KING = 4, 7
_PROMOTED = [8, 9, 10, 11, None, 12, 13]
_HAND_PLANES = np.array([kind[3] for kind in _KINDS])
_HAND_FIRST = 14 + np.concatenate([[0], np.cumsum(_HAND_PLANES)[:-1]])
_EMPTY, _WHITE, _MISSING = 0, 16, 32


def _symbols(codes):
    """A table by the next eight bits: what they begin with, and its number of bits (0: nothing)."""
    symbols, lengths = np.zeros(256, np.uint8), np.zeros(256, np.uint8)
    for digits, symbol in codes:
        bits = sum(int(digit) << place for place, digit in enumerate(digits))
        for rest in range(1 << (8 - len(digits))):
            symbols[bits | rest << len(digits)], lengths[bits | rest << len(digits)] = symbol, len(digits)
    return symbols, lengths


# A piece on the board is its plane + 1, and 16 more for White's; one in hand its place in `_KINDS`.
_BOARD_CODES, _HAND_CODES = [("0", _EMPTY)], []
for _kind, (_board, _hand, _absent, _) in enumerate(_KINDS):
    _HAND_CODES.append((_absent, _kind | _MISSING))
    for _side, _add in [("0", 0), ("1", _WHITE)]:
        _HAND_CODES.append((_hand + _side, _kind | _add))
        if _kind == _GOLD:
            _BOARD_CODES.append((_board + _side, _kind + 1 + _add))
        else:
            _BOARD_CODES.append((_board + _side + "0", _kind + 1 + _add))
            _BOARD_CODES.append((_board + _side + "1", _PROMOTED[_kind] + 1 + _add))
_BOARD_SYMBOLS, _HAND_SYMBOLS = _symbols(_BOARD_CODES), _symbols(_HAND_CODES)

# The square by its number, row by row from the far left corner, as Black and as White see it.
_SEEN = np.array([(place % 9) * 9 + (8 - place // 9) for place in range(81)])
_SEEN = np.stack([_SEEN, 80 - _SEEN])


def encode_shogi(packed):
    """The 104 planes of positions, as the mover sees them: uint8, (positions, 104, 81)."""
    count = len(packed)
    wide = np.zeros((count, 36), np.uint32)
    wide[:, :32] = packed
    words = wide[:, :34] | wide[:, 1:35] << 8
    # The eight bits from each place on. Beyond the end: zeros, which are empty squares.
    windows = (words[:, :, None] >> np.arange(8, dtype=np.uint32) & 255).astype(np.uint8).reshape(count, -1)
    last = windows.shape[1] - 1
    windows = windows.ravel()
    origin = np.arange(count, dtype=np.int64) * (last + 1)

    mover = (packed[:, 0] & 1).astype(np.int64)
    head = packed[:, 0].astype(np.int64) | packed[:, 1].astype(np.int64) << 8
    kings = np.stack([head >> 1 & 127, head >> 8 & 127])
    if count and kings.max() > 81:
        raise DataError("a packed position has a king outside the board")

    board = np.zeros((81, count), np.uint8)
    at = np.full(count, 15, np.int64)
    symbols, lengths = _BOARD_SYMBOLS
    for square in range(81):
        window = windows[origin + np.minimum(at, last)]
        free = (kings[0] != square) & (kings[1] != square)
        board[square] = symbols[window] * free
        at += lengths[window] * free
    for side, king in enumerate(kings):
        rows = np.nonzero(king < 81)[0]
        board[king[rows], rows] = _KING + 1 + side * _WHITE

    hands = np.zeros((count, 2, 7), np.int64)
    symbols, lengths = _HAND_SYMBOLS
    # A king that is missing takes one more bit, and the bits beyond the 256 are zero.
    end = 256 + (kings == 81).sum(axis=0)
    rows = np.nonzero(at < end)[0]
    while len(rows):
        window = windows[origin[rows] + np.minimum(at[rows], last)]
        symbol, length = symbols[window], lengths[window]
        if (length == 0).any():
            raise DataError("a packed position has an invalid piece in hand")
        at[rows] += length
        held = (symbol & _MISSING) == 0
        hands[rows[held], (symbol[held] >> 4) & 1, symbol[held] & 7] += 1
        rows = rows[at[rows] < end[rows]]
    if count and (at != end).any():
        raise DataError("a packed position does not end with its last bit")

    planes = np.zeros((count, 104, 81), np.uint8)
    squares, rows = np.nonzero(board)
    codes = board[squares, rows].astype(np.int64)
    theirs = (codes >> 4) ^ mover[rows]
    planes[rows, (codes & 15) - 1 + 52 * theirs, _SEEN[mover[rows], squares]] = 1
    for seen in range(2):
        held = hands[np.arange(count), seen ^ mover]
        for kind in range(7):
            most = _HAND_PLANES[kind]
            rows, pieces = np.nonzero(np.arange(most) < np.minimum(held[:, kind], most)[:, None])
            planes[rows, 52 * seen + _HAND_FIRST[kind] + pieces] = 1
    return planes


def encode_othello(packed):
    """Own discs, the opponent's discs and legal moves: uint8, (positions, 3, 64)."""
    boards = np.ascontiguousarray(packed[:, :16]).view("<u8")
    own, other = boards[:, 0].copy(), boards[:, 1].copy()
    moves, empty = np.zeros_like(own), ~(own | other)
    left, right = np.uint64(0xFEFEFEFEFEFEFEFE), np.uint64(0x7F7F7F7F7F7F7F7F)
    whole = np.uint64(0xFFFFFFFFFFFFFFFF)
    # By direction: how far a square moves, and which squares it can arrive on.
    for distance, mask in [(1, left), (-1, right), (8, whole), (-8, whole), (9, left), (-9, right), (7, right), (-7, left)]:
        amount = np.uint64(abs(distance))

        def shift(discs):
            return (discs << amount if distance > 0 else discs >> amount) & mask

        run = shift(own) & other
        for _ in range(5):
            run |= shift(run) & other
        moves |= shift(run) & empty
    boards = np.stack([own, other, moves], axis=1).astype("<u8")
    return np.unpackbits(boards.view(np.uint8).reshape(len(packed), 3, 8), axis=2, bitorder="little")


SHOGI = Encoding("shogi-104/1", 9, 9, 104, 27)
OTHELLO = Encoding("othello-3/1", 8, 8, 3, 1)
# By packing and encoding: the encoding, the function from bytes to planes, the bytes of a position.
ENCODERS = {
    ("shogi/hcp/1", SHOGI.name): (SHOGI, encode_shogi, 32),
    ("othello/discs/1", OTHELLO.name): (OTHELLO, encode_othello, 17),
}
