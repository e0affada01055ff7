"""A residual network that is equivariant under the eight symmetries of the board (a group convolution, arXiv:1602.07576).

A channel has eight planes, one for each rotation or mirror image, and every kernel is one small kernel in eight images. So the
network gives symmetric outputs for symmetric boards, needs an eighth of the weights, and never has to be averaged over symmetries.
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

import fused
from game import ANSWERS, PADDING, PAIRS, SCALARS, SLOTS

ROTATIONS = [(1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0)]
SYMMETRIES = ROTATIONS + [(1, 0, 0, -1), (-1, 0, 0, 1), (0, 1, 1, 0), (0, -1, -1, 0)]


def compose(g, h):
    return (g[0] * h[0] + g[1] * h[2], g[0] * h[1] + g[1] * h[3], g[2] * h[0] + g[3] * h[2], g[2] * h[1] + g[3] * h[3])


def inverse(g):
    return next(h for h in SYMMETRIES if compose(g, h) == SYMMETRIES[0])


def swaps_axes(g):
    return g[0] == 0


def group_index():
    """[g, h]: the number of g⁻¹h."""
    return torch.tensor([[SYMMETRIES.index(compose(inverse(g), h)) for h in SYMMETRIES] for g in SYMMETRIES])


def kernel_index():
    """[g, y]: the place that moves to the kernel's place y when the kernel is turned by g."""
    places = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1)]
    turned = lambda g, p: (g[0] * p[0] + g[1] * p[1], g[2] * p[0] + g[3] * p[1])
    return torch.tensor([[places.index(turned(inverse(g), p)) for p in places] for g in SYMMETRIES])


def turned_index():
    """[g, h, y]: the index, among the 8 x 9 numbers of a small kernel, of each number of the big one."""
    return group_index().unsqueeze(2) * 9 + kernel_index().unsqueeze(1)


def plane_index():
    """[g, plane]: the input plane that replaces it when the board is turned by g: across and down are exchanged."""
    rows = []
    for g in SYMMETRIES:
        pairs = [SCALARS + 2 * pair + (k ^ swaps_axes(inverse(g))) for pair in range(PAIRS) for k in (0, 1)]
        rows.append(list(range(SCALARS)) + pairs)
    return torch.tensor(rows)


class Network(nn.Module):
    """A policy network, or with `value_head` a value network, whose logit offset is not trained."""

    def __init__(self, channels, blocks, head=32, hidden=128, value_head=False):
        super().__init__()
        self.value_head = value_head
        self.shape = dict(channels=channels, blocks=blocks, head=head, hidden=hidden)
        tables = dict(group=group_index(), turned=turned_index(), kernel=kernel_index(), planes=plane_index())
        for name, index in tables.items():
            self.register_buffer(name, index, persistent=False)
        parameter = lambda *shape, scale: nn.Parameter(torch.randn(*shape) * scale)
        zero = lambda *shape: nn.Parameter(torch.zeros(*shape))
        inputs = SCALARS + 2 * PAIRS
        self.stem = parameter(channels, inputs, 9, scale=(2 / (inputs * 9)) ** 0.5)
        self.stem_bias = zero(channels)
        scale = (2 / (channels * 8 * 9)) ** 0.5
        for block in range(blocks):
            self.register_parameter(f"first{block}", parameter(channels, channels, 8, 9, scale=scale))
            self.register_parameter(f"first_bias{block}", zero(channels))
            self.register_parameter(f"second{block}", zero(channels, channels, 8, 9))
            self.register_parameter(f"second_bias{block}", zero(channels))
            if block % 2:
                self.register_parameter(f"global_pooling{block}", zero(channels, 2 * channels, 8))
        scale = (2 / (channels * 8)) ** 0.5
        self.head_features = parameter(2 * head, channels, 8, scale=scale)
        self.head_features_bias = zero(2 * head)
        self.answer = zero(ANSWERS + SLOTS + 2, head)
        self.answer_bias = zero(ANSWERS + SLOTS + 2)
        self.logit_offset = zero(1, head)
        self.logit_offset_bias = zero(1)
        if not value_head:
            return
        summed = 2 * channels + 4 * head
        self.value_hidden = parameter(hidden, summed, scale=(2 / summed) ** 0.5)
        self.value_hidden_bias = zero(hidden)
        self.value = zero(1, hidden)
        self.value_bias = zero(1)

    def weights(self, number=torch.float32):
        """Plain weights for `forward`: each kernel in its eight images."""
        bias = lambda b: b.repeat(8).to(number)
        plain = {"stem": self._stem(number), "stem_bias": bias(self.stem_bias)}
        names = [f"{name}{block}" for block in range(self.shape["blocks"]) for name in ("first", "second")]
        plain |= zip(names, self._kernels(names, number))
        for block in range(self.shape["blocks"]):
            for name in ("first", "second"):
                plain[f"{name}_bias{block}"] = bias(getattr(self, f"{name}_bias{block}"))
            if block % 2:
                plain[f"global_pooling{block}"] = self._pointwise(getattr(self, f"global_pooling{block}")).to(number)
        head_features = self._pointwise(self.head_features)[:, :, None, None].to(number)
        plain["head_features"], plain["head_features_bias"] = head_features.contiguous(memory_format=torch.channels_last), bias(self.head_features_bias)
        for name in ("answer", "logit_offset") + ("value_hidden", "value") * self.value_head:
            plain[name], plain[f"{name}_bias"] = getattr(self, name), getattr(self, f"{name}_bias")
        return plain

    def _stem(self, number):
        turned = self.stem[:, self.planes][:, :, :, self.kernel]  # [out, g, in, g', y]
        turned = torch.stack([turned[:, g, :, g] for g in range(8)]).flatten(0, 1)
        turned = F.pad(turned, (0, 0, 0, PADDING)).to(number)
        return turned.unflatten(2, (3, 3)).contiguous(memory_format=torch.channels_last)

    def _kernels(self, names, number):
        """All big kernels at once, input planes last in memory."""
        small = torch.stack([getattr(self, name) for name in names]).flatten(3)
        big = small.index_select(3, self.turned.flatten()).unflatten(3, (8, 8, 9))  # [name, out, in, g, h, y]
        big = big.permute(0, 3, 1, 5, 4, 2).to(number).contiguous()  # [name, g, out, y, h, in]
        return big.flatten(4, 5).flatten(1, 2).unflatten(2, (3, 3)).permute(0, 1, 4, 2, 3).unbind(0)

    def _pointwise(self, small):
        return small[:, :, self.group].permute(2, 0, 3, 1).reshape(8 * small.shape[0], 8 * small.shape[1])


def forward(weights, planes, blocks):
    """Answer logits, owner logits, logits of future misses, logit offset, and the value beyond those misses."""
    x, y = fused.residual_add(None, F.conv2d(planes, weights["stem"], padding=1), weights["stem_bias"])
    for block in range(blocks):
        bias = weights[f"first_bias{block}"]
        if block % 2:
            bias = F.linear(pooled(y), weights[f"global_pooling{block}"], bias)
        z = fused.bias_relu(F.conv2d(y, weights[f"first{block}"], padding=1), bias)
        x, y = fused.residual_add(x, F.conv2d(z, weights[f"second{block}"], padding=1), weights[f"second_bias{block}"])
    head_features = F.conv2d(y, weights["head_features"])
    with torch.autocast(y.device.type, enabled=False):
        head_features = fused.mean_over_symmetries(head_features, weights["head_features_bias"])
        answer_features, logit_offset = head_features.chunk(2, 2)
        outputs = F.linear(answer_features, weights["answer"], weights["answer_bias"]).transpose(1, 2)
        logit_offset = F.linear(logit_offset, weights["logit_offset"], weights["logit_offset_bias"]).squeeze(2)
        value = head_features.new_zeros(len(y))
        if "value" in weights:
            mean, most = (part.float().unflatten(1, (8, -1)) for part in fused.pool_board(y))
            board_features = [mean.mean(1), most.amax(1), head_features.mean(1), head_features.amax(1)]
            board_features = F.relu(F.linear(torch.cat(board_features, 1), weights["value_hidden"], weights["value_hidden_bias"]))
            value = F.linear(board_features, weights["value"], weights["value_bias"]).squeeze(1)
    answers, owner, misses = outputs.split([ANSWERS, SLOTS + 1, 1], 1)
    return answers, owner, misses.squeeze(1), logit_offset, value


def load_matching(network, weights, forget=()):
    """Loads those weights of another network that this one has too."""
    mine = network.state_dict()
    checkpoint = {name: weight for name, weight in weights.items() if name in mine and name not in forget}
    network.load_state_dict(mine | checkpoint)


def pooled(y):
    """Mean and maximum over the board: [g, means of the channels, then maxima]."""
    mean, most = (part.unflatten(1, (8, -1)) for part in fused.pool_board(y))
    return torch.cat([mean, most], 2).flatten(1)
