"""The product's files of weights: a header, then half-precision numbers. Writes them from a checkpoint and reads them back."""

import numpy
import torch

from game import ANSWERS, RULES, SLOTS
from network import Network
from play import HIT_SHARPNESS

MAGIC = b"seabattle network 1\n"
VALUE_MAGIC = b"seabattle judge 1\n"
HEADER = 5 + 2 * SLOTS
NUMBER = 2  # bytes
CUT = "the file of these weights is cut short or too long"


def header(rules, shape):
    start = [rules.size, int(rules.touching), shape["channels"], shape["blocks"], shape["head"]]
    return bytes(start + [number for ship in zip(rules.lengths, rules.counts) for number in ship])


def trunk(weights, blocks):
    """Views of the weights in the order of the file."""
    order = ["stem", "stem_bias"]
    for block in range(blocks):
        order += [f"first{block}", f"first_bias{block}", f"second{block}", f"second_bias{block}"]
        order += [f"global_pooling{block}"] if block % 2 else []
    return [weights[name] for name in order + ["head_features", "head_features_bias"]]


def parts(weights, blocks):
    """The weights of a policy network that the product needs."""
    heads = [weights["answer"][:ANSWERS], weights["answer_bias"][:ANSWERS], weights["logit_offset"], weights["logit_offset_bias"]]
    return trunk(weights, blocks) + heads


def value_parts(weights, blocks):
    """The weights of a value network that the product needs."""
    missed = [weights["answer"][-1], weights["answer_bias"][-1]]
    return trunk(weights, blocks) + missed + [weights[name] for name in ("value_hidden", "value_hidden_bias", "value", "value_bias")]


def written(checkpoint):
    return MAGIC + header(RULES[checkpoint["rules"]], checkpoint["shape"]) + halves(parts(checkpoint["average"], checkpoint["shape"]["blocks"]))


def written_value(checkpoint):
    channels, blocks = (checkpoint["args"][name] for name in ("value_channels", "value_blocks"))
    start = header(RULES[checkpoint["rules"]], checkpoint["shape"] | dict(channels=channels, blocks=blocks))
    return VALUE_MAGIC + start + halves(value_parts(checkpoint["value_network"], blocks))


def halves(views):
    numbers = torch.cat([view.flatten() for view in views]).half()
    return numbers.cpu().numpy().astype("<f2").tobytes()


def read(content):
    """A checkpoint from a file of weights; the outputs that only training needs are untrained."""
    if not content.startswith(MAGIC):
        raise SystemExit("these are not weights of the product")
    start, numbers = content[len(MAGIC) :][:HEADER], content[len(MAGIC) + HEADER :]
    if len(start) < HEADER or len(numbers) % NUMBER:
        raise SystemExit(CUT)
    shape = dict(channels=start[2], blocks=start[3], head=start[4])
    known = [name for name, rules in RULES.items() if header(rules, shape) == start]
    if not known:
        raise SystemExit("these weights are for rules that training does not know")
    network = Network(**shape)
    views = parts(network.state_dict(), shape["blocks"])
    numbers = torch.from_numpy(numpy.frombuffer(numbers, "<f2").astype("f4"))
    if len(numbers) != sum(view.numel() for view in views):
        raise SystemExit(CUT)
    for view, values in zip(views, numbers.split([view.numel() for view in views])):
        view.copy_(values.view_as(view))
    return dict(
        average=network.state_dict(), shape=network.shape, rules=known[0], minutes=0.0, games=0, args=dict(sharpness=HIT_SHARPNESS)
    )
