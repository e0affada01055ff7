"""A residual network that sees a board and its seven mirror images alike.

Its planes come in eights, one for each turn or mirror image, and every kernel is one small kernel turned and mirrored.
So the network cannot answer differently for a board turned round, it needs an eighth of the weights, and it never has
to be averaged over the images of a position.
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

from game import ANSWERS, PAIRS, SCALARS, SLOTS

IMAGES = [(a, b, c, d) for a, b, c, d in [
    (1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0), (1, 0, 0, -1), (-1, 0, 0, 1), (0, 1, 1, 0), (0, -1, -1, 0)]]


def multiply(g, h):
    return (g[0] * h[0] + g[1] * h[2], g[0] * h[1] + g[1] * h[3], g[2] * h[0] + g[3] * h[2], g[2] * h[1] + g[3] * h[3])


def inverse(g):
    return next(h for h in IMAGES if multiply(g, h) == IMAGES[0])


def swaps_axes(g):
    return g[0] == 0


def group_index():
    """[g, h]: the number of g⁻¹h."""
    return torch.tensor([[IMAGES.index(multiply(inverse(g), h)) for h in IMAGES] for g in IMAGES])


def kernel_index():
    """[g, y]: where the kernel's place y comes from when the kernel is turned by g."""
    places = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1)]
    turned = lambda g, p: (g[0] * p[0] + g[1] * p[1], g[2] * p[0] + g[3] * p[1])
    return torch.tensor([[places.index(turned(inverse(g), p)) for p in places] for g in IMAGES])


def plane_index():
    """[g, plane]: which input plane stands for it when the board is turned by g: across and down change places."""
    rows = []
    for g in IMAGES:
        pairs = [SCALARS + 2 * pair + (k ^ swaps_axes(inverse(g))) for pair in range(PAIRS) for k in (0, 1)]
        rows.append(list(range(SCALARS)) + pairs)
    return torch.tensor(rows)


class Network(nn.Module):
    def __init__(self, fields, blocks, head=32, hidden=128):
        super().__init__()
        self.shape = dict(fields=fields, blocks=blocks, head=head, hidden=hidden)
        for name, index in (("group", group_index()), ("kernel", kernel_index()), ("planes", plane_index())):
            self.register_buffer(name, index, persistent=False)
        parameter = lambda *shape, scale: nn.Parameter(torch.randn(*shape) * scale)
        zero = lambda *shape: nn.Parameter(torch.zeros(*shape))
        inputs = SCALARS + 2 * PAIRS
        self.stem = parameter(fields, inputs, 9, scale=(2 / (inputs * 9)) ** 0.5)
        self.stem_bias = zero(fields)
        scale = (2 / (fields * 8 * 9)) ** 0.5
        for block in range(blocks):
            self.register_parameter(f"first{block}", parameter(fields, fields, 8, 9, scale=scale))
            self.register_parameter(f"first_bias{block}", zero(fields))
            self.register_parameter(f"second{block}", zero(fields, fields, 8, 9))
            self.register_parameter(f"second_bias{block}", zero(fields))
            if block % 2:
                self.register_parameter(f"whole{block}", zero(fields, 2 * fields, 8))
        scale = (2 / (fields * 8)) ** 0.5
        self.look = parameter(2 * head, fields, 8, scale=scale)
        self.look_bias = zero(2 * head)
        self.answer = zero(ANSWERS + SLOTS + 2, head)
        self.answer_bias = zero(ANSWERS + SLOTS + 2)
        self.aim = zero(1, head)
        self.aim_bias = zero(1)
        self.sum_up = parameter(hidden, 2 * fields, scale=fields**-0.5)
        self.sum_up_bias = zero(hidden)
        self.value = zero(1, hidden)
        self.value_bias = zero(1)

    def weights(self, number=torch.float32):
        """Plain weights for `forward`, each kernel turned and mirrored."""
        plain = {}
        bias = lambda b: b.repeat(8)
        turned = self.stem[:, self.planes][:, :, :, self.kernel]  # [out, g, in, g', y]
        turned = torch.stack([turned[:, g, :, g] for g in range(8)])
        plain["stem"] = turned.reshape(-1, SCALARS + 2 * PAIRS, 3, 3)
        plain["stem_bias"] = bias(self.stem_bias)
        for block in range(self.shape["blocks"]):
            for name in ("first", "second"):
                small = getattr(self, f"{name}{block}")
                big = small[:, :, self.group[:, :, None], self.kernel[:, None, :]]  # [out, in, g, h, y]
                plain[f"{name}{block}"] = big.permute(2, 0, 3, 1, 4).reshape(8 * small.shape[0], 8 * small.shape[1], 3, 3)
                plain[f"{name}_bias{block}"] = bias(getattr(self, f"{name}_bias{block}"))
            if block % 2:
                plain[f"whole{block}"] = self._pointwise(getattr(self, f"whole{block}"))
        plain["look"] = self._pointwise(self.look)[:, :, None, None]
        plain["look_bias"] = bias(self.look_bias)
        plain = {name: weight.to(number) for name, weight in plain.items()}
        for name in ("stem", "look", *(f"{n}{b}" for n in ("first", "second") for b in range(self.shape["blocks"]))):
            plain[name] = plain[name].contiguous(memory_format=torch.channels_last)
        for name in ("answer", "aim", "sum_up", "value"):
            plain[name], plain[f"{name}_bias"] = getattr(self, name), getattr(self, f"{name}_bias")
        return plain

    def _pointwise(self, small):
        return small[:, :, self.group].permute(2, 0, 3, 1).reshape(8 * small.shape[0], 8 * small.shape[1])


def forward(weights, planes, blocks):
    """Answer logits, owner logits, logits of cells missed before the end, aim, and value beyond those misses."""
    x = F.conv2d(planes, weights["stem"], weights["stem_bias"], padding=1)
    for block in range(blocks):
        y = F.relu(x)
        z = F.conv2d(y, weights[f"first{block}"], weights[f"first_bias{block}"], padding=1)
        if block % 2:
            z = z + F.linear(pooled(y), weights[f"whole{block}"])[:, :, None, None]
        x = x + F.conv2d(F.relu(z), weights[f"second{block}"], weights[f"second_bias{block}"], padding=1)
    x = F.relu(x)
    count, channels = x.shape[0], x.shape[1]
    look = F.relu(F.conv2d(x, weights["look"], weights["look_bias"]))
    look = look.view(count, 8, -1, look.shape[2] * look.shape[3])
    images = x.view(count, 8, channels // 8, -1)
    with torch.autocast(x.device.type, enabled=False):
        look = look.float().mean(1)
        head = look.shape[1] // 2
        told = F.linear(look[:, :head].transpose(1, 2), weights["answer"], weights["answer_bias"]).transpose(1, 2)
        aim = F.linear(look[:, head:].transpose(1, 2), weights["aim"], weights["aim_bias"]).squeeze(2)
        whole = torch.cat([images.mean((1, 3)).float(), images.amax((1, 3)).float()], 1)
        whole = F.relu(F.linear(whole, weights["sum_up"], weights["sum_up_bias"]))
        value = F.linear(whole, weights["value"], weights["value_bias"])
    return told[:, :ANSWERS], told[:, ANSWERS : ANSWERS + SLOTS + 1], told[:, ANSWERS + SLOTS + 1], aim, value.squeeze(1)


def pooled(y):
    """Mean and largest over the board: [g, mean fields then largest fields]."""
    count, channels = y.shape[0], y.shape[1]
    mean = y.mean((2, 3)).view(count, 8, channels // 8)
    most = y.amax((2, 3)).view(count, 8, channels // 8)
    return torch.cat([mean, most], 2).reshape(count, -1)
