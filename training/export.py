"""Writes a trained network or its judge for the product, positions with the shots or misses it says, to test the product with, or
what is worth keeping of a checkpoint to train on from: the network and its judge, a ninth of the size.

    python3 export.py checkpoints/classic.pt ../crates/seabattle-network/weights/classic.bin
    python3 export.py checkpoints/classic.pt classic.txt --positions 10000
    python3 export.py checkpoints/classic.pt ../crates/seabattle-network/weights/classic-judge.bin --judge
    python3 export.py checkpoints/classic.pt classic-judge.txt --judge --positions 100
    python3 export.py checkpoints/classic.pt kept/classic.pt --keep
"""

import argparse
import io

import torch

from game import Game, RULES, SLOTS
from network import Network, take
from play import Player
from product import written, written_judge
from train import load

TIE = 0.01  # logits that differ by less are equal: the first cell in row order
NAMES = {
    "classic": "carrier battleship cruiser submarine destroyer".split(),
    "classic-apart": "carrier battleship cruiser submarine destroyer".split(),
    "russian": [""] * SLOTS,  # announced is only that a ship sank; its length is seen
}
RULES_TEXT = {"classic": "classic", "classic-apart": "classic,touching=forbidden", "russian": "russian"}


def rounded(network):
    """The weights as the product reads them."""
    network.load_state_dict({name: weight.half().float() for name, weight in network.state_dict().items()})
    return network


@torch.no_grad()
def positions(kept, count, seed, judged):
    """Positions of games in which some shots are random, with the shot that the network chooses, or the misses its judge foretells."""
    game = Game(RULES[kept["rules"]], "cpu")
    game.seed(seed)
    torch.manual_seed(seed)
    network = Network(**kept["shape"])
    take(network, kept["average"])
    weights = rounded(network).weights()
    player = Player(game, kept["shape"]["blocks"], chunk=512, renames=True)
    judge = judge_of(kept, game) if judged else None
    name = RULES_TEXT[kept["rules"]]
    lines = {}  # no position twice
    while len(lines) < count:
        fleets = game.fleets(max(1, min(64, (count - len(lines)) // 40)))
        cells, left = game.start(fleets)
        texts = [[] for _ in fleets]
        live = torch.arange(len(fleets))
        while len(live):
            greedy, aim, _ = player.aim(weights, cells[live])
            logits = greedy + aim
            close = logits >= logits.amax(1, keepdim=True) - TIE
            best = close.float().argmax(1)
            told = [f"{misses:.3f}" for misses in judge(cells[live])] if judge else [cell_name(cell, game.size) for cell in best.tolist()]
            for at, said in zip(live.tolist(), told):
                lines[" ".join([name] + texts[at]) + " -> " + said] = True
            wild = torch.where(cells[live] == 0, torch.rand(len(live), game.area), -1.0).argmax(1)
            shots = torch.where(torch.rand(len(live)) < 0.15, wild, best)
            answers = game.fire(cells, left, fleets, live, shots)
            for at, shot, answer in zip(live.tolist(), shots.tolist(), answers.tolist()):
                mark = "." if answer == 0 else "x" if answer == 1 else "#" + NAMES[kept["rules"]][answer - 2]
                texts[at].append(cell_name(shot, game.size) + mark)
            live = live[~game.over(left[live])]
    lines = list(lines)
    keep = torch.randperm(len(lines), generator=torch.Generator().manual_seed(seed))[:count]
    return "".join(lines[at] + "\n" for at in sorted(keep.tolist()))


def judge_of(kept, game):
    """Says how many misses are to come."""
    fields, blocks = (kept["args"][name] for name in ("judge_fields", "judge_blocks"))
    network = Network(fields, blocks, judges=True)
    network.load_state_dict(kept["judge"])
    weights = rounded(network).weights()
    player = Player(game, blocks, chunk=512)
    return lambda cells: player.look(weights, cells)[3].tolist()


def slim(kept):
    """A checkpoint for `train.py --from`."""
    half = lambda weights: {name: weight.half() for name, weight in weights.items()}
    weights = {name: half(kept[name]) for name in ("average", "judge") if name in kept}
    described = {name: kept[name] for name in ("rules", "shape", "minutes", "games", "args")}
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
    parser.add_argument("--judge", action="store_true", help="of the judge, not of the player")
    parser.add_argument("--keep", action="store_true", help="write a small checkpoint")
    parser.add_argument("--seed", type=int, default=4711)
    args = parser.parse_args()
    kept = load(args.checkpoint, "cpu")
    if args.judge and "judge" not in kept:
        raise SystemExit(f"{args.checkpoint} has no judge")
    if args.keep:
        content = slim(kept)
    elif args.positions:
        content = positions(kept, args.positions, args.seed, args.judge).encode()
    else:
        content = written_judge(kept) if args.judge else written(kept)
    with open(args.file, "wb") as file:
        file.write(content)
    print(f"{args.file}: {len(content)} bytes, {kept['rules']} after {kept['minutes']:.1f} minutes")


if __name__ == "__main__":
    main()
