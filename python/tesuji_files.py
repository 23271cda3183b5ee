"""Safetensors files, without PyTorch."""

import hashlib
import json
import os

import numpy as np


class NetError(ValueError):
    """An invalid architecture or file."""


DTYPES = {"F32": np.dtype("<f4"), "F16": np.dtype("<f2")}


def write_safetensors(path, tensors, metadata, dtype="F32"):
    """Writes arrays and metadata. The file appears when it is complete."""
    header, data = {"__metadata__": dict(sorted(metadata.items()))} if metadata else {}, bytearray()
    for name, tensor in tensors.items():
        start = len(data)
        data += np.ascontiguousarray(tensor, dtype=DTYPES[dtype]).tobytes()
        header[name] = {"dtype": dtype, "shape": list(tensor.shape), "data_offsets": [start, len(data)]}
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    part = f"{path}.part"
    with open(part, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text + data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)


def read_safetensors(path):
    """Arrays in single precision by name, and metadata."""
    with open(path, "rb") as file:
        content = file.read()
    length = int.from_bytes(content[:8], "little")
    if len(content) < 8 or 8 + length > len(content):
        raise NetError(f"{path} is not a safetensors file, or it is cut")
    try:
        header = json.loads(content[8 : 8 + length])
        metadata = header.pop("__metadata__", {})
        data, tensors = content[8 + length :], {}
        for name, entry in header.items():
            start, end = entry["data_offsets"]
            array = np.frombuffer(data[start:end], DTYPES[entry["dtype"]]).astype(np.float32)
            tensors[name] = array.reshape(entry["shape"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise NetError(f"the safetensors file {path} is damaged: {error}") from error
    if "sha256" in metadata and metadata["sha256"] != hashlib.sha256(data).hexdigest():
        raise NetError(f"the weights of {path} are damaged: their SHA-256 is not that of the metadata")
    return tensors, metadata
