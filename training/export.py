"""Writes weights for the product, positions with expected outputs to test the product with, or a small checkpoint.

A small checkpoint has the policy network and its value network, in a ninth of the size. Training can continue from it.

    python3 export.py checkpoints/classic.pt ../crates/seabattle-network/weights/classic.bin
    python3 export.py checkpoints/classic.pt classic.txt --positions 10000
    python3 export.py checkpoints/classic.pt ../crates/seabattle-network/weights/classic-value.bin --value
    python3 export.py checkpoints/classic.pt classic-value.txt --value --positions 100
    python3 export.py checkpoints/classic.pt kept/classic.pt --keep
"""

import argparse
import io

import torch

from game import Game, RULES, SLOTS
from network import Network, load_matching
from play import Player
from product import written, written_value
from train import load

TIE = 0.01  # logits that differ by less are equal: the first cell in row order
NAMES = {
    "classic": "carrier battleship cruiser submarine destroyer".split(),
    "classic-apart": "carrier battleship cruiser submarine destroyer".split(),
    "russian": [""] * SLOTS,  # the answer says only that a ship sank; its length is visible
}
RULES_TEXT = {"classic": "classic", "classic-apart": "classic,touching=forbidden", "russian": "russian"}


def rounded(network):
    """The network with its weights rounded as in the product's files."""
    network.load_state_dict({name: weight.half().float() for name, weight in network.state_dict().items()})
    return network


@torch.no_grad()
def positions(checkpoint, count, seed, value):
    """Positions of games with some random shots, each with the shot of the policy or the misses that the value network expects."""
    game = Game(RULES[checkpoint["rules"]], "cpu")
    game.seed(seed)
    torch.manual_seed(seed)
    network = Network(**checkpoint["shape"])
    load_matching(network, checkpoint["average"])
    weights = rounded(network).weights()
    player = Player(game, checkpoint["shape"]["blocks"], chunk=512, renames=True)
    expected_misses = value_function(checkpoint, game) if value else None
    name = RULES_TEXT[checkpoint["rules"]]
    lines = {}  # each position once
    while len(lines) < count:
        fleets = game.fleets(max(1, min(64, (count - len(lines)) // 40)))
        cells, left = game.start(fleets)
        texts = [[] for _ in fleets]
        live = torch.arange(len(fleets))
        while len(live):
            greedy, offset, _ = player.policy(weights, cells[live])
            logits = greedy + offset
            close = logits >= logits.amax(1, keepdim=True) - TIE
            best = close.float().argmax(1)
            outputs = [f"{misses:.3f}" for misses in expected_misses(cells[live])] if value else [cell_name(cell, game.size) for cell in best.tolist()]
            for at, text in zip(live.tolist(), outputs):
                lines[" ".join([name] + texts[at]) + " -> " + text] = True
            random_shots = torch.where(cells[live] == 0, torch.rand(len(live), game.area), -1.0).argmax(1)
            shots = torch.where(torch.rand(len(live)) < 0.15, random_shots, best)
            answers = game.fire(cells, left, fleets, live, shots)
            for at, shot, answer in zip(live.tolist(), shots.tolist(), answers.tolist()):
                mark = "." if answer == 0 else "x" if answer == 1 else "#" + NAMES[checkpoint["rules"]][answer - 2]
                texts[at].append(cell_name(shot, game.size) + mark)
            live = live[~game.over(left[live])]
    lines = list(lines)
    keep = torch.randperm(len(lines), generator=torch.Generator().manual_seed(seed))[:count]
    return "".join(lines[at] + "\n" for at in sorted(keep.tolist()))


def value_function(checkpoint, game):
    """A function from positions to the expected misses to come."""
    channels, blocks = (checkpoint["args"][name] for name in ("value_channels", "value_blocks"))
    network = Network(channels, blocks, value_head=True)
    network.load_state_dict(checkpoint["value_network"])
    weights = rounded(network).weights()
    player = Player(game, blocks, chunk=512)
    return lambda cells: player.evaluate(weights, cells)[3].tolist()


def slim(checkpoint):
    """A checkpoint for `train.py --from`."""
    half = lambda weights: {name: weight.half() for name, weight in weights.items()}
    weights = {name: half(checkpoint[name]) for name in ("average", "value_network") if name in checkpoint}
    described = {name: checkpoint[name] for name in ("rules", "shape", "minutes", "games", "args")}
    content = io.BytesIO()
    torch.save(described | weights, content)
    return content.getvalue()


def cell_name(index, size):
    return "ABCDEFGHIJ"[index % size] + str(index // size + 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint")
    parser.add_argument("file")
    parser.add_argument("--positions", type=int, default=0)
    parser.add_argument("--value", action="store_true", help="of the value network instead of the policy network")
    parser.add_argument("--keep", action="store_true", help="write a small checkpoint")
    parser.add_argument("--seed", type=int, default=4711)
    args = parser.parse_args()
    checkpoint = load(args.checkpoint, "cpu")
    if args.value and "value_network" not in checkpoint:
        raise SystemExit(f"{args.checkpoint} has no value network")
    if args.keep:
        content = slim(checkpoint)
    elif args.positions:
        content = positions(checkpoint, args.positions, args.seed, args.value).encode()
    else:
        content = written_value(checkpoint) if args.value else written(checkpoint)
    with open(args.file, "wb") as file:
        file.write(content)
    print(f"{args.file}: {len(content)} bytes, {checkpoint['rules']} after {checkpoint['minutes']:.1f} minutes")


if __name__ == "__main__":
    main()
