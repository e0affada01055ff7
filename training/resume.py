"""Makes a checkpoint from the product's weights, to continue training without a checkpoint.

The product's files lack the outputs that only training needs: the owner of each cell, and the cells that will be missed. This script
trains them on games of these weights and changes nothing else. It takes seconds on a GPU and minutes without.

    python3 resume.py ../crates/seabattle-network/weights/classic.bin checkpoints/classic-before.pt
    python3 train.py --rules classic --from checkpoints/classic-before.pt --learn 0
"""

import argparse
import time

import torch

from game import Game, RULES
from network import Network, load_matching
from play import Player, rollout
from product import read
from train import owner_loss, miss_loss

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
        checkpoint = read(file.read())
    torch.save(trained(checkpoint, args.games, args.device), args.checkpoint)


def trained(checkpoint, games, device):
    game = Game(RULES[checkpoint["rules"]], device)
    network = Network(**checkpoint["shape"]).to(device)
    load_matching(network, checkpoint["average"])
    for weight in network.parameters():
        weight.requires_grad_(weight is network.answer or weight is network.answer_bias)
    player = Player(game, checkpoint["shape"]["blocks"])
    weights = network.weights(game.number)
    with torch.no_grad():
        log = rollout(player, weights, games)
    moves = log["alive"].nonzero()
    steps = moves[torch.randperm(len(moves), device=device)].split(BATCH)[: len(moves) // BATCH]
    # the rows that predict answers get no gradient, so they do not change
    optimizer = torch.optim.Adam([network.answer, network.answer_bias], RATE)
    sums, started, shown = 0, time.time(), 0
    for step, (turn, at) in enumerate(rows.unbind(1) for rows in steps):
        optimizer.param_groups[0]["lr"] = RATE * (1 - step / len(steps))
        cells = log["cells"][turn, at]
        _, owner, misses, _, _, _, candidates = player.predict(weights, cells)
        losses = torch.stack([owner_loss(game, owner, log, cells, at), miss_loss(misses, candidates, log, at)])
        optimizer.zero_grad()
        losses.sum().backward()
        optimizer.step()
        sums = sums + losses.detach()
        if (step + 1) % SHOWN == 0 or step + 1 == len(steps):
            owners, missed = (sums / (step + 1 - shown)).tolist()
            print(f"{step + 1} of {len(steps)} owners {owners:.4f} misses {missed:.4f} {time.time() - started:.0f} s", flush=True)
            sums, shown = 0, step + 1
    return checkpoint | dict(average=network.state_dict())


if __name__ == "__main__":
    main()
