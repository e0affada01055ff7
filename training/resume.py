"""Makes a checkpoint of weights of the product, so that training goes on from there where no checkpoint is left.

The product's files lack the outputs that only training needs: who owns which cell, and which cells will be missed. They are taught
here from games of these weights, all else left as it is: seconds on a GPU, minutes without.

    python3 resume.py ../crates/seabattle-network/weights/classic.bin checkpoints/classic-before.pt
    python3 train.py --rules classic --from checkpoints/classic-before.pt --learn 0
"""

import argparse
import time

import torch

from game import Game, RULES
from network import Network, take
from play import Player, rollout
from product import read
from train import owned, wasted

BATCH = 128
RATE = 0.02
SHOWN = 100  # steps


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights")
    parser.add_argument("checkpoint")
    parser.add_argument("--games", type=int, default=1024)
    parser.add_argument("--device", default="cuda")
    args = parser.parse_args()
    with open(args.weights, "rb") as file:
        kept = read(file.read())
    torch.save(taught(kept, args.games, args.device), args.checkpoint)


def taught(kept, games, device):
    game = Game(RULES[kept["rules"]], device)
    network = Network(**kept["shape"]).to(device)
    take(network, kept["average"])
    for weight in network.parameters():
        weight.requires_grad_(weight is network.answer or weight is network.answer_bias)
    player = Player(game, kept["shape"]["blocks"])
    weights = network.weights(game.number)
    with torch.no_grad():
        log = rollout(player, weights, games)
    moves = log["alive"].nonzero()
    steps = moves[torch.randperm(len(moves), device=device)].split(BATCH)[: len(moves) // BATCH]
    # what is foretold of answers stays: those rows get no gradient, hence no step
    optimizer = torch.optim.Adam([network.answer, network.answer_bias], RATE)
    sums, started, shown = 0, time.time(), 0
    for step, (turn, at) in enumerate(rows.unbind(1) for rows in steps):
        optimizer.param_groups[0]["lr"] = RATE * (1 - step / len(steps))
        cells = log["cells"][turn, at]
        _, owner, misses, _, _, _, may = player.view(weights, cells)
        losses = torch.stack([owned(game, owner, log, cells, at), wasted(misses, may, log, at)])
        optimizer.zero_grad()
        losses.sum().backward()
        optimizer.step()
        sums = sums + losses.detach()
        if (step + 1) % SHOWN == 0 or step + 1 == len(steps):
            owners, missed = (sums / (step + 1 - shown)).tolist()
            print(f"{step + 1} of {len(steps)} owners {owners:.4f} wasted {missed:.4f} {time.time() - started:.0f} s", flush=True)
            sums, shown = 0, step + 1
    return kept | dict(average=network.state_dict())


if __name__ == "__main__":
    main()
