"""Measures a trained player, or an ensemble, over fresh games: mean shots, standard error, quantiles."""

import argparse
import time

import torch

from game import Game, RULES
from play import Player, shots_needed
from train import exact_odds, load, plain


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", nargs="+", help="several of the same shape and rules play as an ensemble")
    parser.add_argument("--games", type=int, default=204800)
    parser.add_argument("--seed", type=int, default=777001)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--exact", type=float, default=0, help="limit on the work of exact odds, which the product has too; 0: never exact")
    parser.add_argument("--once", action="store_true", help="evaluate once where two ships of the same length could exchange names")
    parser.add_argument("--policy", default="network", choices=("network", "greedy"))
    args = parser.parse_args()
    torch.backends.cudnn.benchmark = True
    checkpoints = [load(path, args.device) for path in args.checkpoint]
    checkpoint = checkpoints[0]
    game = Game(RULES[checkpoint["rules"]], args.device)
    game.seed(args.seed)
    started = time.time()
    weights = [plain(one, game) for one in checkpoints]
    player = Player(game, checkpoint["shape"]["blocks"], sharpness=checkpoint["args"]["sharpness"], odds=exact_odds(game, args.exact), renames=not args.once)
    shots = shots_needed(player, weights, args.games, policy=args.policy)
    median, tenth, hundredth = torch.quantile(shots.cpu(), torch.tensor([0.5, 0.9, 0.99], dtype=shots.dtype)).tolist()
    print(
        f"FINAL {checkpoint['rules']} {args.policy}{' with exact odds' * bool(args.exact)}{f' of {len(checkpoints)}' * (len(checkpoints) > 1)}: {shots.mean():.4f} ± {shots.std() / len(shots) ** 0.5:.4f} "
        f"over {len(shots)} games, seed {args.seed}; median {median:.0f}, 90 % {tenth:.0f}, 99 % {hundredth:.0f}; "
        f"trained {checkpoint['minutes']:.1f} minutes, {checkpoint['games']} games; {time.time() - started:.0f} s"
    )


if __name__ == "__main__":
    main()
