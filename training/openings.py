"""Measures openings: games start with given shots while all of them miss, then the network continues.

    python3 openings.py kept/classic-apart.pt A3 "J7 I8" --games 102400

Every opening is played against the same fleets. Without openings, every first shot is tried except mirror images. Differences are
to the network's own play.
"""

import argparse
import time

import torch

from game import Game, RULES
from play import Player, shots_needed
from train import exact_odds, load, plain


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint")
    parser.add_argument("openings", nargs="*")
    parser.add_argument("--games", type=int, default=102400)
    parser.add_argument("--seed", type=int, default=31)
    parser.add_argument("--exact", type=float, default=2.0**22, help="limit on the work of exact odds, which the product has too; 0: never exact")
    parser.add_argument("--device", default="cuda")
    args = parser.parse_args()
    torch.backends.cudnn.benchmark = True
    checkpoint = load(args.checkpoint, args.device)
    game = Game(RULES[checkpoint["rules"]], args.device)
    player = Player(game, checkpoint["shape"]["blocks"], sharpness=checkpoint["args"]["sharpness"], odds=exact_odds(game, args.exact), renames=True)
    weights = plain(checkpoint, game)
    own = None
    for opening in [[]] + ([read(text, game) for text in args.openings] or [[cell] for cell in first_shots(game)]):
        started = time.time()
        game.seed(args.seed)
        shots = shots_needed(player, weights, args.games, opening=opening)
        own = shots if own is None else own
        change = shots - own
        error = lambda values: values.std() / len(values) ** 0.5
        named = " ".join(name(cell, game) for cell in opening) or "own"
        print(f"{named}: {shots.mean():.4f} ± {error(shots):.4f}, {change.mean():+.4f} ± {error(change):.4f} ({time.time() - started:.1f} s)", flush=True)


def name(cell, game):
    return f"{'ABCDEFGHIJ'[cell % game.size]}{cell // game.size + 1}"


def read(text, game):
    cells = {name(cell, game): cell for cell in range(game.area)}
    shots = text.split()
    if len(set(shots)) < len(shots) or not cells.keys() >= set(shots):
        raise SystemExit(f"not an opening: {text}; say different cells, such as J7 I8")
    return [cells[shot] for shot in shots]


def first_shots(game):
    half = (game.size + 1) // 2
    return [row * game.size + col for row in range(half) for col in range(row + 1)]


if __name__ == "__main__":
    main()
