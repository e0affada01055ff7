"""Trains a player for one set of rules; runs in pieces and goes on from its checkpoint.

First the network learns to foretell answers from positions of its own nearly greedy games. Then its aim is improved by
policy gradient: the advantage of a shot is taken in expectation over the answers it might have got, so that it carries
little luck, and the value it is measured with is held to what really happened.
"""

import argparse
import copy
import json
import math
import os
import time

import torch
import torch.nn.functional as F

from game import Game, RULES
from network import Network
from play import Player, labels, missed, misses_to_come, owners, returns, rollout, shots_needed

BEGINNER = 20  # iterations


def options():
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("--rules", default="classic", choices=RULES)
    add("--name", default="", help="of the checkpoint; the rules if left out")
    add("--fields", type=int, default=24, help="planes are eight times as many")
    add("--blocks", type=int, default=6)
    add("--device", default="cuda")
    add("--folder", default="checkpoints")
    add("--from", dest="source", default="", help="a weights file to start from")
    add("--minutes", type=float, default=9, help="of this piece")
    add("--learn", type=float, default=3, help="minutes of learning answers, over all pieces")
    add("--total", type=float, default=14, help="minutes over all pieces")
    add("--games", type=int, default=8192)
    add("--learn-games", type=int, default=4096)
    add("--batch", type=int, default=8192)
    add("--learn-batch", type=int, default=4096)
    add("--share", type=float, default=0.6, help="of the positions that is trained on")
    add("--rate", type=float, default=6e-4)
    add("--learn-rate", type=float, default=1e-3)
    add("--last-rate", type=float, default=4e-5)
    add("--trust", type=float, default=0.95, help="lambda of the advantages")
    add("--truth", type=float, default=0.15, help="share of what really happened in what values learn")
    add("--own-shot", type=float, default=10, help="weight of the answer to the shot chosen among all cells")
    add("--least", type=float, default=0.004, help="probability of an answer that is still looked at")
    add("--clip", type=float, default=0.2)
    add("--policy-weight", type=float, default=0.5)
    add("--value-weight", type=float, default=0.05)
    add("--test-games", type=int, default=16384)
    add("--test-every", type=float, default=2)
    add("--seed", type=int, default=0, help="0: from the clock")
    add("--compile", type=int, default=1)
    add("--iterations", type=int, default=0, help="ends after so many; 0: only minutes count")
    return parser.parse_args()


class Training:
    def __init__(self, args):
        self.args, self.began = args, time.time()
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
        torch.backends.cudnn.benchmark = True
        seed = args.seed or int(time.time())
        torch.manual_seed(seed)
        self.game = Game(RULES[args.rules], args.device)
        self.game.seed(seed)
        self.network = Network(args.fields, args.blocks).to(args.device)
        self.player = Player(self.game, args.blocks, compiled=bool(args.compile))
        fused = args.device != "cpu"
        self.optimizer = torch.optim.AdamW(self.network.parameters(), args.learn_rate, (0.9, 0.98), weight_decay=1e-4, fused=fused)
        self.minutes_before, self.iteration, self.games, self.policy_iterations = 0.0, 0, 0, 0
        self.name = args.name or args.rules
        self.path = os.path.join(args.folder, self.name + ".pt")
        os.makedirs(args.folder, exist_ok=True)
        self.out = os.environ.get("OUT", args.folder)
        self.last_test = 0.0
        if args.source:
            self.network.load_state_dict(load(args.source, args.device)["average"])
        self.average, self.recent = copy.deepcopy(self.network), copy.deepcopy(self.network)
        if os.path.exists(self.path):
            self.restore()

    def restore(self):
        kept = load(self.path, self.args.device)
        self.network.load_state_dict(kept["network"])
        self.average.load_state_dict(kept["average"])
        self.recent.load_state_dict(kept.get("recent", kept["average"]))
        if "optimizer" in kept:
            self.optimizer.load_state_dict(kept["optimizer"])
        self.minutes_before, self.iteration, self.games = kept["minutes"], kept["iteration"], kept["games"]
        self.policy_iterations = kept["policy_iterations"]
        self.say(f"goes on at minute {self.minutes_before:.2f}")

    def minutes(self):
        return self.minutes_before + (time.time() - self.began) / 60

    def say(self, line):
        print(line, flush=True)
        with open(os.path.join(self.out, f"log-{self.name}.txt"), "a") as log:
            print(line, file=log)

    def save(self):
        state = dict(
            network=self.network.state_dict(), average=self.average.state_dict(), recent=self.recent.state_dict(),
            minutes=self.minutes(), iteration=self.iteration, games=self.games, policy_iterations=self.policy_iterations,
            shape=self.network.shape, rules=self.args.rules, args=vars(self.args),
        )
        for folder in {self.args.folder, self.out}:
            torch.save(state | dict(optimizer=self.optimizer.state_dict()), os.path.join(folder, self.name + ".pt"))

    def run(self):
        args = self.args
        weights = sum(p.numel() for p in self.network.parameters())
        self.say(f"{args.rules}: {weights} weights, {json.dumps(vars(args))}")
        limit = self.minutes() + args.minutes
        while self.minutes() < min(limit, args.total) and not (args.iterations and self.iteration >= args.iterations):
            learning = self.minutes() < args.learn
            self.set_rate(learning)
            self.iterate(learning)
            if self.minutes() - self.last_test > args.test_every:
                self.test(learning)
                self.save()
        self.test(False)
        self.save()

    def set_rate(self, learning):
        args = self.args
        if learning:
            done = self.minutes() / args.learn
            rate = args.learn_rate * min(1, (self.iteration + 1) / 20)
            if done > 0.5:
                rate += (args.rate - rate) * (done - 0.5) * 2
        else:
            done = min(1, (self.minutes() - args.learn) / max(args.total - args.learn, 1e-9))
            rate = args.last_rate + (args.rate - args.last_rate) * 0.5 * (1 + math.cos(math.pi * done))
        for group in self.optimizer.param_groups:
            group["lr"] = rate

    def iterate(self, learning):
        args, started = self.args, time.time()
        with torch.no_grad():
            weights = self.recent.weights(torch.bfloat16 if args.device != "cpu" else torch.float32)
        games = args.learn_games if learning else args.games
        if self.iteration < BEGINNER:
            games = max(games // 8, 256)  # its games are long and teach little
        log = rollout(self.player, weights, games, look_aside=not learning, least=args.least)
        truth = misses_to_come(log)
        alive = log["alive"]
        if learning:
            targets, advantage, noted = truth, None, ""
        else:
            expected = returns(log, 1.0)
            targets = (1 - args.truth) * expected + args.truth * truth
            advantage = returns(log, args.trust) - log["value"]
            some = advantage[alive]
            noted = f"advantage {some.mean():.3f} sd {some.std():.3f} promised {expected[0].mean():.3f} missed {truth[0].mean():.3f}"
            advantage = (advantage - some.mean()) / (some.std() + 1e-6)
            self.policy_iterations += 1
        between = time.time()
        losses = self.learn(log, targets, advantage)
        self.iteration += 1
        self.games += games
        if self.iteration % (20 if learning else 5) == 0 or self.iteration < 3:
            shots = alive.float().sum(0).mean()
            named = " ".join(f"{name} {loss:.4f}" for name, loss in losses.items())
            self.say(
                f"{self.iteration} minute {self.minutes():.2f} games {self.games} shots {shots:.3f} "
                f"rate {self.optimizer.param_groups[0]['lr']:.1e} {named} entropy {log['entropy'][alive].mean():.3f} {noted} "
                f"looks {log['looks']} play {between - started:.2f}s learn {time.time() - between:.2f}s"
            )

    def learn(self, log, targets, advantage):
        args = self.args
        batch = args.learn_batch if advantage is None else args.batch
        moves = log["alive"].nonzero()
        moves = moves[torch.randperm(len(moves), device=moves.device)]
        share = 1.0 if advantage is None else args.share
        steps = max(1, int(len(moves) * share) // batch)
        sums = None
        for step in range(steps):
            turn, game = moves[step * batch : (step + 1) * batch].unbind(1)
            losses = self.losses(log, turn, game, targets[turn, game], None if advantage is None else advantage[turn, game])
            self.optimizer.zero_grad(set_to_none=True)
            self.total(losses, advantage is not None).backward()
            losses["norm"] = torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
            self.optimizer.step()
            young = self.iteration < 30
            follow(self.average, self.network, 0.9 if young else 0.999)
            follow(self.recent, self.network, 0.5 if young else 0.98)
            values = torch.stack([loss.detach().float() for loss in losses.values()])
            sums = values if sums is None else sums + values
        return dict(zip(losses, (sums / steps).tolist()))

    def losses(self, log, turn, game, target, advantage):
        args = self.args
        cells, fleets, shot = log["cells"][turn, game], log["fleets"][game], log["shot"][turn, game].long()
        weights = self.network.weights(torch.bfloat16 if args.device != "cpu" else torch.float32)
        answers, owner, misses, greedy, aim, value, may = self.player.view(weights, cells)
        label = labels(self.game, fleets, cells)
        weight = may.float()
        if advantage is not None:
            weight = weight.scatter_add(1, shot.unsqueeze(1), torch.full_like(weight[:, :1], args.own_shot))
        told = (F.nll_loss(answers, label, reduction="none") * weight).sum() / weight.sum()
        dry = 1 - missed(cells)
        owned = (F.cross_entropy(owner, owners(self.game, fleets), reduction="none") * dry).sum() / dry.sum()
        later = missed(log["final"][game])
        wasted = (F.binary_cross_entropy_with_logits(misses, later, reduction="none") * may).sum() / may.sum()
        losses = dict(answers=told, owners=owned, wasted=wasted, value=((value - target) ** 2).mean())
        if advantage is not None:
            chances = F.log_softmax(log["greedy"][turn, game] + aim, 1)
            change = chances.gather(1, shot.unsqueeze(1)).squeeze(1) - log["chance"][turn, game]
            ratio = change.exp()
            bounded = ratio.clamp(1 - args.clip, 1 + args.clip)
            losses["policy"] = torch.maximum(ratio * advantage, bounded * advantage).mean()
            losses["moved"] = (ratio - 1 - change).mean().detach()
        return losses

    def total(self, losses, improving):
        args = self.args
        total = 3 * losses["answers"] + 0.3 * losses["owners"] + losses["wasted"]
        total = total + (args.value_weight if improving else 0.01) * losses["value"]
        if improving:
            ramp = min(1, self.policy_iterations / 10)
            total = total + ramp * args.policy_weight * losses["policy"]
        return total

    def test(self, learning):
        self.last_test = self.minutes()
        if not self.args.test_games:
            return
        kept = self.game.generator.get_state()
        self.game.seed(12345)
        with torch.no_grad():
            weights = self.average.weights(torch.bfloat16 if self.args.device != "cpu" else torch.float32)
        started = time.time()
        policy = "greedy" if learning else "network"
        shots = shots_needed(self.player, weights, self.args.test_games, policy=policy)
        self.game.generator.set_state(kept)
        self.say(
            f"TEST minute {self.minutes():.2f} games {self.games} {policy}: {shots.mean():.4f} ± {shots.std() / len(shots) ** 0.5:.4f} "
            f"over {len(shots)} ({time.time() - started:.1f}s)"
        )


def follow(slow, fast, keep):
    with torch.no_grad():
        torch._foreach_lerp_(list(slow.parameters()), list(fast.parameters()), 1 - keep)


def load(path, device):
    kept = torch.load(path, map_location=device)
    widen = lambda weights: {name: weight.float() for name, weight in weights.items()}
    return kept | {name: widen(kept[name]) for name in ("network", "average", "recent") if name in kept}


if __name__ == "__main__":
    Training(options()).run()
