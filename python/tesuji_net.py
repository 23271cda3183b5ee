"""The networks of tesuji in PyTorch, and their files.

Architectures are written as for `tesuji train --net`: `policy:layers=12,channels=192`, `value:…` or
`policy-value:blocks=6,channels=64`. Files are safetensors with the same names and metadata.
"""

import hashlib
import math
import re
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

from tesuji_files import DTYPES, NetError, read_safetensors, write_safetensors

FORMAT = "tesuji/net/1"


@dataclass(frozen=True)
class Architecture:
    kind: str
    residual: bool
    depth: int  # layers of a plain trunk, or residual blocks
    channels: int
    value_channels: int = 8
    value_hidden: int = 64

    LIMITS = {"layers": (1, 200), "blocks": (0, 200), "channels": (1, 1024), "value-channels": (1, 1024), "value-hidden": (1, 4096)}

    @classmethod
    def parse(cls, text):
        kind, _, rest = text.partition(":")
        if kind not in ("policy", "value", "policy-value"):
            raise NetError(f"there is no kind of network {kind!r}; write one of policy, value, policy-value")
        known = [key for key in cls.LIMITS if kind != "policy" or not key.startswith("value")]
        settings = {}
        for part in filter(None, rest.split(",")):
            key, equals, number = part.partition("=")
            if key not in known or not equals:
                raise NetError(f"{part!r} is not a setting of a network of the kind {kind}; write one of {', '.join(known)}")
            least, most = cls.LIMITS[key]
            if not re.fullmatch("[0-9]+", number) or not least <= int(number) <= most:
                raise NetError(f"{part}: write a whole number from {least} to {most}")
            if key in settings or {"layers", "blocks"} <= settings.keys() | {key}:
                raise NetError(f"{part}: write layers or blocks, and every setting once")
            settings[key] = int(number)
        residual = "blocks" in settings or (kind == "policy-value" and "layers" not in settings)
        depth = settings.get("blocks", 6) if residual else settings.get("layers", 12)
        channels = settings.get("channels", 64 if residual else 192)
        return cls(kind, residual, depth, channels, settings.get("value-channels", 8), settings.get("value-hidden", 64))

    def __str__(self):
        text = f"{self.kind}:{'blocks' if self.residual else 'layers'}={self.depth},channels={self.channels}"
        if self.kind != "policy" and self.value_channels != 8:
            text += f",value-channels={self.value_channels}"
        if self.kind != "policy" and self.value_hidden != 64:
            text += f",value-hidden={self.value_hidden}"
        return text


class ConvNorm(nn.Module):
    """A convolution without bias and its batch norm."""

    def __init__(self, inputs, outputs, size):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, size, padding=size // 2, bias=False)
        self.bn = nn.BatchNorm2d(outputs)

    def forward(self, x):
        return self.bn(self.conv(x))


class PolicyHead(nn.Module):
    """A 1×1 convolution, and a bias for each label."""

    def __init__(self, channels, encoding):
        super().__init__()
        self.conv = nn.Conv2d(channels, encoding.policy_planes, 1, bias=False)
        self.bias = nn.Parameter(torch.zeros(encoding.labels))

    def forward(self, x):
        return self.conv(x).flatten(1) + self.bias


class ValueHead(ConvNorm):
    """A 1×1 convolution to a few channels, a hidden layer, and the logit of the win rate."""

    def __init__(self, channels, own, hidden, squares):
        super().__init__(channels, own, 1)
        self.fc1 = nn.Linear(own * squares, hidden)
        self.fc2 = nn.Linear(hidden, 1)

    def forward(self, x):
        x = torch.relu(super().forward(x)).flatten(1)
        return self.fc2(torch.relu(self.fc1(x))).squeeze(1)


class Net(nn.Module):
    """Logits of all labels and the logit of the win rate of the mover; `None` for a head that is not there."""

    def __init__(self, encoding, architecture):
        super().__init__()
        self.encoding, self.architecture = encoding, architecture
        channels = architecture.channels
        layers = 1 + 2 * architecture.depth if architecture.residual else architecture.depth
        self.trunk = nn.ModuleList(ConvNorm(encoding.planes if n == 0 else channels, channels, 3) for n in range(layers))
        has_policy, has_value = architecture.kind != "value", architecture.kind != "policy"
        self.policy = PolicyHead(channels, encoding) if has_policy else None
        shape = (channels, architecture.value_channels, architecture.value_hidden, encoding.squares)
        self.value = ValueHead(*shape) if has_value else None
        self.reset()

    def reset(self):
        """Weights before a ReLU by He et al. (2015), as tesuji draws them; biases are zero."""
        for name, parameter in self.named_parameters():
            if parameter.dim() > 1:
                gain = 1 if name in ("policy.conv.weight", "value.fc2.weight") else 2
                nn.init.normal_(parameter, std=math.sqrt(gain / parameter[0].numel()))
            else:
                nn.init.constant_(parameter, 1 if name.endswith("bn.weight") else 0)

    def forward(self, planes):
        x = torch.relu(self.trunk[0](planes))
        if self.architecture.residual:
            for first, second in zip(self.trunk[1::2], self.trunk[2::2]):
                x = torch.relu(second(torch.relu(first(x))) + x)
        else:
            for layer in self.trunk[1:]:
                x = torch.relu(layer(x))
        return self.policy(x) if self.policy else None, self.value(x) if self.value else None

    def tensors(self):
        """Names and tensors in the order of tesuji's files, without PyTorch's counters of batches."""
        state = self.state_dict()
        names = []
        for n in range(len(self.trunk)):
            names += [f"trunk.{n}.{part}" for part in CONV_NORM]
        names += ["policy.conv.weight", "policy.bias"] if self.policy else []
        if self.value:
            names += [f"value.{part}" for part in CONV_NORM]
            names += [f"value.{part}" for part in ("fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias")]
        return {name: state[name] for name in names}

    def load(self, tensors):
        """Takes over the tensors of a file. All must be there, and no others."""
        own = self.tensors()
        for name in own.keys() ^ tensors.keys():
            raise NetError(f"the tensor {name} is {'missing' if name in own else 'not one of this network'}")
        with torch.no_grad():
            for name, tensor in own.items():
                if tuple(tensor.shape) != tensors[name].shape:
                    raise NetError(f"the tensor {name} has the shape {tensors[name].shape} instead of {tuple(tensor.shape)}")
                tensor.copy_(torch.from_numpy(tensors[name]))

    def take(self, tensors):
        """Takes over the tensors that fit, such as the trunk of a policy net for a value net. Their names."""
        own = self.tensors()
        fitting = [name for name in own if name in tensors and tuple(own[name].shape) == tensors[name].shape]
        with torch.no_grad():
            for name in fitting:
                own[name].copy_(torch.from_numpy(tensors[name]))
        return fitting


CONV_NORM = ("conv.weight", "bn.weight", "bn.bias", "bn.running_mean", "bn.running_var")


def save(path, net, metadata, dtype="F32"):
    """Writes a network that tesuji reads."""
    tensors = {name: tensor.detach().cpu().float().numpy() for name, tensor in net.tensors().items()}
    data = b"".join(np.ascontiguousarray(tensor, dtype=DTYPES[dtype]).tobytes() for tensor in tensors.values())
    own = {
        "format": FORMAT,
        "architecture": str(net.architecture),
        "encoding": str(net.encoding),
        "encoder": net.encoding.name,
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    write_safetensors(path, tensors, {**metadata, **own}, dtype)
