"""Fused operations between convolutions: biases, sums, rectifiers, and means over symmetries and boards.

A framework takes a pass over memory for each of these, which together take longer than the convolutions of a small network. On
the CPU plain code runs instead, and `check.py` compares the kernels with it.
"""

import torch
import torch.nn.functional as F

try:
    import triton
    import triton.language as tl
except ImportError:  # not needed on the CPU
    triton = None

INTERPRETED = triton is not None and triton.knobs.runtime.interpret


def fast(tensor):
    return INTERPRETED or tensor.is_cuda


def rows(tensor):
    """A batch as samples × cells × planes, as it lies in memory."""
    return tensor.permute(0, 2, 3, 1).contiguous().flatten(1, 2)


def boards(rows, like):
    return rows.unflatten(1, like.shape[2:]).permute(0, 3, 1, 2)


def bias_relu(z, bias):
    """relu(z + bias); a bias may differ from sample to sample."""
    if not fast(z):
        return F.relu(z + (bias[:, :, None, None] if bias.dim() == 2 else bias[:, None, None]))
    return boards(BiasRelu.apply(rows(z), bias), z)


def residual_add(x, change, bias):
    """x + change + bias, and its relu; x is None at the start."""
    if not fast(change):
        sum = change + bias[:, None, None]
        sum = sum if x is None else x + sum
        return sum, F.relu(sum)
    sum, positive = ResidualAdd.apply(None if x is None else rows(x), rows(change), bias)
    return boards(sum, change), boards(positive, change)


def mean_over_symmetries(z, bias):
    """relu(z + bias), the mean over the eight images: samples × cells × features."""
    if not fast(z):
        return rows(F.relu(z + bias[:, None, None])).unflatten(2, (8, -1)).mean(2, dtype=torch.float32)
    return MeanOverSymmetries.apply(rows(z), bias)


def pool_board(y):
    """The mean and maximum of each plane over the board."""
    if not fast(y):
        return y.mean((2, 3)), y.amax((2, 3))
    return BoardPooling.apply(rows(y))


if triton:

    def shape(x, planes=None):
        """Arguments that all kernels take: cells, planes, and the blocks that hold them."""
        planes = planes or x.shape[2]
        sizes = triton.next_power_of_2(x.shape[1]), triton.next_power_of_2(planes)
        return dict(CELLS=x.shape[1], PLANES=planes, ROWS=sizes[0], COLUMNS=sizes[1], num_warps=8)

    @triton.jit
    def places(CELLS: tl.constexpr, PLANES: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr, WIDTH: tl.constexpr):
        """Offsets of the planes of a program's sample, and which of them are inside."""
        row, column = tl.arange(0, ROWS)[:, None], tl.arange(0, COLUMNS)[None, :]
        at = tl.program_id(0).to(tl.int64) * CELLS * WIDTH + row * WIDTH + column
        return at, (row < CELLS) & (column < PLANES)

    @triton.jit
    def bias_relu_kernel(z, bias, out, PER_SAMPLE: tl.constexpr, CELLS: tl.constexpr, PLANES: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
        at, inside = places(CELLS, PLANES, ROWS, COLUMNS, PLANES)
        column = tl.arange(0, COLUMNS)
        b = tl.load(bias + tl.program_id(0) * PLANES * PER_SAMPLE + column, column < PLANES, 0).to(tl.float32)
        value = tl.load(z + at, inside, 0).to(tl.float32) + b[None, :]
        tl.store(out + at, tl.maximum(value, 0), inside)

    @triton.jit
    def bias_relu_backward_kernel(grad, out, grad_z, grad_bias, CELLS: tl.constexpr, PLANES: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
        at, inside = places(CELLS, PLANES, ROWS, COLUMNS, PLANES)
        g = tl.load(grad + at, inside, 0).to(tl.float32)
        g = tl.where(tl.load(out + at, inside, 0) > 0, g, 0)
        tl.store(grad_z + at, g, inside)
        column = tl.arange(0, COLUMNS)
        tl.store(grad_bias + tl.program_id(0) * PLANES + column, tl.sum(g, 0), column < PLANES)

    class BiasRelu(torch.autograd.Function):
        @staticmethod
        def forward(ctx, z, bias):
            out = torch.empty_like(z)
            bias_relu_kernel[(len(z),)](z, bias, out, int(bias.dim() == 2), **shape(z))
            ctx.save_for_backward(out)
            ctx.per_sample, ctx.number = bias.dim() == 2, bias.dtype
            return out

        @staticmethod
        def backward(ctx, grad):
            (out,) = ctx.saved_tensors
            grad_z = torch.empty_like(out)
            grad_bias = torch.empty(len(out), out.shape[2], device=out.device)
            bias_relu_backward_kernel[(len(out),)](grad.contiguous(), out, grad_z, grad_bias, **shape(out))
            return grad_z, (grad_bias if ctx.per_sample else grad_bias.sum(0)).to(ctx.number)

    @triton.jit
    def residual_add_kernel(x, change, bias, sum, positive, BEGINS: tl.constexpr, CELLS: tl.constexpr, PLANES: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
        at, inside = places(CELLS, PLANES, ROWS, COLUMNS, PLANES)
        column = tl.arange(0, COLUMNS)
        value = tl.load(change + at, inside, 0).to(tl.float32)
        value += tl.load(bias + column, column < PLANES, 0).to(tl.float32)[None, :]
        if not BEGINS:
            value += tl.load(x + at, inside, 0).to(tl.float32)
        tl.store(sum + at, value, inside)
        tl.store(positive + at, tl.maximum(value, 0), inside)

    @triton.jit
    def residual_add_backward_kernel(grad_sum, grad_positive, positive, grad, grad_bias, ENDS: tl.constexpr, CELLS: tl.constexpr, PLANES: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
        at, inside = places(CELLS, PLANES, ROWS, COLUMNS, PLANES)
        g = tl.load(grad_positive + at, inside, 0).to(tl.float32)
        g = tl.where(tl.load(positive + at, inside, 0) > 0, g, 0)
        if not ENDS:
            g += tl.load(grad_sum + at, inside, 0).to(tl.float32)
        tl.store(grad + at, g, inside)
        column = tl.arange(0, COLUMNS)
        tl.store(grad_bias + tl.program_id(0) * PLANES + column, tl.sum(g, 0), column < PLANES)

    class ResidualAdd(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, change, bias):
            sum, positive = torch.empty_like(change), torch.empty_like(change)
            residual_add_kernel[(len(change),)](change if x is None else x, change, bias, sum, positive, x is None, **shape(change))
            ctx.save_for_backward(positive)
            ctx.begins, ctx.number = x is None, bias.dtype
            ctx.set_materialize_grads(False)
            return sum, positive

        @staticmethod
        def backward(ctx, grad_sum, grad_positive):
            (positive,) = ctx.saved_tensors
            grad = torch.empty_like(positive)
            grad_bias = torch.empty(len(positive), positive.shape[2], device=positive.device)
            ends = grad_sum is None
            grad_positive = grad_positive.contiguous()
            grad_sum = grad_positive if ends else grad_sum.contiguous()
            residual_add_backward_kernel[(len(positive),)](grad_sum, grad_positive, positive, grad, grad_bias, ends, **shape(positive))
            return None if ctx.begins else grad, grad, grad_bias.sum(0).to(ctx.number)

    @triton.jit
    def symmetry_mean_kernel(z, bias, out, CELLS: tl.constexpr, PLANES: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
        at, inside = places(CELLS, PLANES, ROWS, COLUMNS, 8 * PLANES)
        column = tl.arange(0, COLUMNS)
        mean = tl.zeros((ROWS, COLUMNS), tl.float32)
        for image in range(8):
            b = tl.load(bias + image * PLANES + column, column < PLANES, 0).to(tl.float32)
            mean += tl.maximum(tl.load(z + at + image * PLANES, inside, 0).to(tl.float32) + b[None, :], 0)
        at, inside = places(CELLS, PLANES, ROWS, COLUMNS, PLANES)
        tl.store(out + at, mean / 8, inside)

    @triton.jit
    def symmetry_mean_backward_kernel(grad, z, bias, grad_z, grad_bias, CELLS: tl.constexpr, PLANES: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
        at, inside = places(CELLS, PLANES, ROWS, COLUMNS, PLANES)
        g = tl.load(grad + at, inside, 0) / 8
        at, inside = places(CELLS, PLANES, ROWS, COLUMNS, 8 * PLANES)
        column = tl.arange(0, COLUMNS)
        for image in range(8):
            b = tl.load(bias + image * PLANES + column, column < PLANES, 0).to(tl.float32)
            positive = tl.load(z + at + image * PLANES, inside, 0).to(tl.float32) + b[None, :] > 0
            part = tl.where(positive & inside, g, 0)
            tl.store(grad_z + at + image * PLANES, part, inside)
            place = tl.program_id(0) * 8 * PLANES + image * PLANES + column
            tl.store(grad_bias + place, tl.sum(part, 0), column < PLANES)

    class MeanOverSymmetries(torch.autograd.Function):
        @staticmethod
        def forward(ctx, z, bias):
            planes = z.shape[2] // 8
            out = torch.empty(*z.shape[:2], planes, device=z.device)
            symmetry_mean_kernel[(len(z),)](z, bias, out, **shape(z, planes))
            ctx.save_for_backward(z, bias)
            return out

        @staticmethod
        def backward(ctx, grad):
            z, bias = ctx.saved_tensors
            grad_z, grad_bias = torch.empty_like(z), torch.empty(len(z), z.shape[2], device=z.device)
            symmetry_mean_backward_kernel[(len(z),)](grad.contiguous(), z, bias, grad_z, grad_bias, **shape(z, z.shape[2] // 8))
            return grad_z, grad_bias.sum(0).to(bias.dtype)

    @triton.jit
    def board_pooling_kernel(y, mean, most, CELLS: tl.constexpr, PLANES: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
        at, inside = places(CELLS, PLANES, ROWS, COLUMNS, PLANES)
        value = tl.load(y + at, inside, 0).to(tl.float32)  # all are rectified: 0 is the least
        column = tl.arange(0, COLUMNS)
        place = tl.program_id(0) * PLANES + column
        tl.store(mean + place, tl.sum(value, 0) / CELLS, column < PLANES)
        tl.store(most + place, tl.max(value, 0), column < PLANES)

    @triton.jit
    def board_pooling_backward_kernel(grad_mean, grad_most, y, most, grad, CELLS: tl.constexpr, PLANES: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
        at, inside = places(CELLS, PLANES, ROWS, COLUMNS, PLANES)
        column = tl.arange(0, COLUMNS)
        place = tl.program_id(0) * PLANES + column
        top = tl.load(most + place, column < PLANES, 0)[None, :]
        is_top = (tl.load(y + at, inside, 0) == top) & inside
        each = tl.load(grad_most + place, column < PLANES, 0).to(tl.float32) / tl.maximum(tl.sum(is_top.to(tl.float32), 0), 1)
        flat = tl.load(grad_mean + place, column < PLANES, 0).to(tl.float32) / CELLS
        tl.store(grad + at, flat[None, :] + tl.where(is_top, each[None, :], 0), inside)

    class BoardPooling(torch.autograd.Function):
        @staticmethod
        def forward(ctx, y):
            mean, most = y.new_empty(len(y), y.shape[2]), y.new_empty(len(y), y.shape[2])
            board_pooling_kernel[(len(y),)](y, mean, most, **shape(y))
            ctx.save_for_backward(y, most)
            return mean, most

        @staticmethod
        def backward(ctx, grad_mean, grad_most):
            y, most = ctx.saved_tensors
            grad = torch.empty_like(y)
            board_pooling_backward_kernel[(len(y),)](grad_mean.contiguous(), grad_most.contiguous(), y, most, grad, **shape(y))
            return grad
