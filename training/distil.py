"""Distills a network from a larger one, or from an ensemble.

The games are played by the teacher and the student in turn, so that the student also learns in positions that its own play reaches.
In each position it learns the teacher's odds of every answer, what the teacher's logit offset adds to them, and the outcome of the game.
The policy is not learned through the odds: they would stop being odds, and training could not continue from them.
"""

import argparse
import copy
import os
import sys
import time

import torch
import torch.nn.functional as F

from game import Game, RULES
from network import Network, load_matching
from play import Player, rollout, shots_needed
from train import current_option, update_average, load, owner_loss, plain, miss_loss

TEST_SEED = 12345
WARM_UP_STEPS = 50  # steps
LAST_RATE_SHARE = 0.02  # of the first, at the end


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("name", help="name of the checkpoint to write")
    add("teacher", nargs="+", help="a checkpoint; several of the same shape and rules teach as an ensemble")
    add("--from", dest="start", help="a checkpoint to start from; then the student plays all games")
    add("--channels", type=int, default=6, help="without --from; each has eight planes")
    add("--blocks", type=int, default=5, help="without --from")
    add("--minutes", type=float, default=1.2, help="wall-clock minutes")
    add("--games", type=int, default=4096, help="games in an iteration")
    add("--batch", type=int, default=4096)
    add("--epochs", type=int, default=1, help="how often each position is learned from; the teacher evaluates it once")
    add("--rate", type=float, default=2e-3)
    add("--policy-weight", type=float, default=1.0)
    add("--average", type=float, default=0.995)
    add("--test-games", type=int, default=65536)
    add("--seed", type=int, default=1)
    add("--device", default="cuda")
    add("--folder", default="checkpoints")
    return parser.parse_args([current_option(argument) for argument in sys.argv[1:]])


class Distilling:
    def __init__(self, args):
        self.args, self.began = args, time.time()
        torch.backends.cudnn.benchmark = True
        torch.manual_seed(args.seed)
        teachers = [load(path, args.device) for path in args.teacher]
        checkpoint = teachers[0]
        self.rules, self.sharpness = checkpoint["rules"], checkpoint["args"]["sharpness"]
        self.game = Game(RULES[self.rules], args.device, torch.bfloat16)
        self.game.seed(args.seed)
        self.teacher_weights = [plain(one, self.game) for one in teachers]
        self.teacher = Player(self.game, checkpoint["shape"]["blocks"], sharpness=self.sharpness)
        start = load(args.start, args.device) if args.start else dict(shape=dict(channels=args.channels, blocks=args.blocks), average={})
        self.network = Network(**start["shape"]).to(args.device)
        load_matching(self.network, start["average"])
        self.average = copy.deepcopy(self.network)
        self.player = Player(self.game, start["shape"]["blocks"], sharpness=self.sharpness)
        fused = args.device != "cpu"
        self.optimizer = torch.optim.AdamW(self.network.parameters(), args.rate, weight_decay=1e-4, fused=fused)
        self.iteration, self.games, self.steps = 0, 0, 0

    def spent(self):
        """The share of the time that has passed."""
        return (time.time() - self.began) / (60 * self.args.minutes)

    def run(self):
        while self.spent() < 1:
            self.iterate()
        self.write()
        self.game.seed(TEST_SEED)
        shots = shots_needed(self.player, self.plain(), self.args.test_games)
        print(f"TEST {self.args.name}: {shots.mean():.4f} ± {shots.std() / len(shots) ** 0.5:.4f} over {len(shots)}", flush=True)

    def plain(self):
        with torch.no_grad():
            return self.average.weights(self.game.number)

    def iterate(self):
        teacher_plays = not self.args.start and (self.iteration < 4 or self.iteration % 2 == 0)
        player, weights = (self.teacher, self.teacher_weights) if teacher_plays else (self.player, self.plain())
        log = rollout(player, weights, self.args.games)
        turn, game = log["alive"].nonzero().unbind(1)
        cells = log["cells"][turn, game]
        teacher_answers, greedy, offset, _ = self.teacher.evaluate(self.teacher_weights, cells)
        logits = greedy + offset
        batch, sums, steps = self.args.batch, 0, 0
        for _ in range(self.args.epochs):
            for rows in torch.randperm(len(cells), device=cells.device).split(batch)[: max(1, len(cells) // batch)]:
                sums = sums + self.learn(log, cells[rows], game[rows], teacher_answers[rows], logits[rows])
                steps += 1
        self.iteration += 1
        self.games += self.args.games
        answers, policy, agreed = (sums / steps).tolist()
        print(
            f"{self.iteration} {self.spent():.2f} games {self.games} shots {log['alive'].float().sum(0).mean():.3f} "
            f"answers {answers:.4f} policy {policy:.4f} agreed {agreed:.4f}", flush=True,
        )

    def learn(self, log, cells, game, teacher_answers, logits):
        args = self.args
        answers, owner, misses, greedy, offset, _, candidates = self.player.predict(self.network.weights(self.game.number), cells)
        own = greedy + offset
        answer_loss = (F.kl_div(answers, teacher_answers, log_target=True, reduction="none").sum(1) * candidates).sum() / candidates.sum()
        policy = F.kl_div(F.log_softmax(own, 1), F.log_softmax(logits, 1), log_target=True, reduction="none").sum(1).mean()
        for group in self.optimizer.param_groups:
            group["lr"] = args.rate * min(1, (self.steps + 1) / WARM_UP_STEPS) * max(LAST_RATE_SHARE, 1 - self.spent())
        self.optimizer.zero_grad(set_to_none=True)
        around = 0.3 * owner_loss(self.game, owner, log, cells, game) + miss_loss(misses, candidates, log, game)
        (3 * answer_loss + args.policy_weight * policy + around).backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        self.steps += 1
        update_average(self.average, self.network, min(args.average, self.steps / (self.steps + 10)))
        agreed = (own.argmax(1) == logits.argmax(1)).float().mean()
        return torch.stack([answer_loss.detach(), policy.detach(), agreed])

    def write(self):
        content = dict(
            average=self.average.state_dict(), shape=self.network.shape, rules=self.rules, minutes=self.args.minutes,
            games=self.games, args=vars(self.args) | dict(sharpness=self.sharpness),
        )
        for folder in {self.args.folder, os.environ.get("OUT", self.args.folder)}:
            torch.save(content, os.path.join(folder, f"{self.args.name}.pt"))


if __name__ == "__main__":
    Distilling(options()).run()
