"""Trains a network for one set of rules; runs in pieces and continues from its checkpoint.

Step 1: the network learns to predict answers from positions of its own nearly greedy games. Step 2: clipped policy gradient with an
entropy bonus improves its policy. Advantages are TD(λ) returns in expectation over the answers that a shot can get, minus the value.

Minutes are minutes of iterations. Tests, saving, and the first iteration of a kind in each piece, which tunes kernels, do not count.
Only `--minutes` is wall-clock time.
"""

import argparse
import copy
import json
import os
import re
import sys
import time

import torch
import torch.nn.functional as F

from exact import SmallPlayer, all_fleets
from game import Game, RULES
from network import Network, load_matching
from odds import Odds
from play import HIT_SHARPNESS, Player, entropy, answer_labels, missed, misses_to_come, owner_slots, returns, rollout, shots_at, shots_needed

BEGINNER_ITERATIONS = 20  # iterations
RAMP_ITERATIONS = 10  # iterations over which the weight of the policy loss rises
HARM_FACTOR = 1.05  # factor on the answer loss of ten iterations ago that counts as harm
SURE_ENTROPY = 0.1  # nats of policy entropy below which the policy is sure
HUBER_DELTA = 10.0  # misses beyond which the value loss is linear (Huber loss)
SMALL_BOARD_CELLS = 36  # on boards this small positions recur, and tests use every fleet
TEST_SEED = 12345
OLD_NAMES = {  # of shapes and options in checkpoints; as options they still work
    "fields": "channels", "fall": "anneal", "least_rate": "min_rate", "most_rate": "max_rate", "moves": "target_kl",
    "last_moves": "last_target_kl", "trust": "lambda_", "most_change": "max_change", "truth": "monte_carlo_share",
    "warmth": "entropy_bonus", "last_warmth": "last_entropy_bonus", "real": "sampled_share", "least": "min_probability",
    "most_norm": "max_norm", "judge_fields": "value_channels", "judge_blocks": "value_blocks", "judge_rate": "value_rate",
    "judge_batch": "value_batch", "judge_share": "value_share", "judge_average": "value_average", "judge_first": "value_warmup",
    "judge_weight": "value_weight", "learn": "odds_minutes", "learn_games": "odds_games", "learn_batch": "odds_batch",
    "learn_rate": "odds_rate", "forget_aim": "reset_policy", "sure": "sure_share", "own_shot": "chosen_shot_weight",
    "recent": "player_average",
}
OLD_PARTS = {"judge": "value_network", "chance": "rng"}  # of checkpoints
OLD_WEIGHTS = {  # in checkpoints
    "look": "head_features", "look_bias": "head_features_bias", "sum_up": "value_hidden", "sum_up_bias": "value_hidden_bias",
    "aim": "logit_offset", "aim_bias": "logit_offset_bias",
}


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--rules", default="classic", choices=RULES)
    add("--name", default="", help="name of the checkpoint; default: the rules")
    add("--channels", type=int, default=16, help="channels; each has eight planes")
    add("--blocks", type=int, default=6)
    add("--device", default="cuda")
    add("--folder", default="checkpoints")
    add("--from", dest="source", default="", help="a checkpoint, of any rules, to start from")
    add("--reset-policy", action="store_true", help="take everything but the logit offset from there: the policy starts greedy")
    add("--minutes", type=float, default=9.3, help="wall-clock minutes of this piece")
    add("--odds-minutes", type=float, default=3, help="minutes of step 1, over all pieces")
    add("--total", type=float, default=24, help="minutes over all pieces")
    add("--anneal", type=float, default=14, help="minutes of annealing at the end of all pieces")
    add("--pace", type=float, default=0, help="seconds that an iteration counts for; 0: the time it takes")
    add("--games", type=int, default=8192)
    add("--odds-games", type=int, default=4096)
    add("--batch", type=int, default=8192)
    add("--odds-batch", type=int, default=4096)
    add("--sure-share", type=float, default=0.25, help="share of the positions with a sure policy that are trained on")
    add("--rate", type=float, default=1.5e-4, help="first learning rate of step 2; later it follows --target-kl")
    add("--odds-rate", type=float, default=5e-4)
    add("--min-rate", type=float, default=1e-5)
    add("--max-rate", type=float, default=5e-4)
    add("--target-kl", type=float, default=0.01, help="Kullback–Leibler divergence of the policy in an iteration")
    add("--last-target-kl", type=float, default=0.001, help="the value of --target-kl at the end")
    add("--lambda", dest="lambda_", type=float, default=0.93, help="λ of the TD(λ) returns")
    add("--max-change", type=float, default=0.5, help="misses by which one shot can change the returns at most")
    add("--monte-carlo-share", type=float, default=0.05, help="share of the real outcome in the targets of the value network")
    add("--entropy-bonus", type=float, default=0.01, help="misses that a nat of policy entropy is worth")
    add("--last-entropy-bonus", type=float, default=0.004, help="the value of --entropy-bonus at the end")
    add("--sampled-share", type=float, default=0.1, help="share of the sampled answer in the advantages, instead of the expectation")
    add("--chosen-shot-weight", type=float, default=10, help="weight of the answer to the chosen shot in the answer loss")
    add("--min-probability", type=float, default=0.002, help="smallest probability of an answer that is evaluated")
    add("--exact", type=float, default=2.0**22, help="limit on the work of exact odds; 0: never exact")
    add("--sharpness", type=float, default=HIT_SHARPNESS, help="logits per unit of hit probability")
    add("--clip", type=float, default=0.2)
    add("--max-norm", type=float, default=1.0, help="gradient clipping: the largest norm")
    add("--policy-weight", type=float, default=0.5)
    add("--value-channels", type=int, default=16, help="channels of the value network")
    add("--value-blocks", type=int, default=6)
    add("--value-rate", type=float, default=3e-4)
    add("--value-batch", type=int, default=4096)
    add("--value-share", type=float, default=1.0, help="share of the positions that the value network learns from")
    add("--value-average", type=float, default=0.995, help="decay of the average of the value network's weights")
    add("--value-warmup", type=int, default=25, help="iterations in which the value network learns alone")
    add("--value-weight", type=float, default=0.1, help="weight of the value loss beside the losses of single cells")
    add("--average", type=float, default=0.999, help="decay of the average of the weights")
    add("--player-average", type=float, default=0.98, help="decay of the average of the weights that plays")
    add("--abandon", type=float, default=float("inf"), help="mean shots in a test at which to give up, after three minutes")
    add("--test-games", type=int, default=65536)
    add("--test-every", type=float, default=2)
    add("--seed", type=int, default=0, help="0: from the clock")
    return parser.parse_args([current_option(argument) for argument in sys.argv[1:]])


def current_option(argument):
    """An option by its current name; other arguments stay as they are."""
    option, equals, value = argument.partition("=")
    new = OLD_NAMES.get(option.removeprefix("--").replace("-", "_")) if option.startswith("--") else None
    return "--" + new.strip("_").replace("_", "-") + equals + value if new else argument


class Training:
    def __init__(self, args):
        self.args, self.began = args, time.time()
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
        torch.backends.cudnn.benchmark = True
        seed = args.seed or int(time.time())
        torch.manual_seed(seed)
        self.game = Game(RULES[args.rules], args.device)
        self.game.seed(seed)
        self.network = Network(args.channels, args.blocks).to(args.device)
        kind = SmallPlayer if self.game.area <= SMALL_BOARD_CELLS else Player
        self.player = kind(self.game, args.blocks, sharpness=args.sharpness, odds=exact_odds(self.game, args.exact))
        fused = args.device != "cpu"
        self.optimizer = torch.optim.AdamW(
            self.network.parameters(), args.odds_rate, (0.9, 0.98), weight_decay=1e-4, fused=fused
        )
        self.critic = Critic(self.game, kind, args)
        self.minutes, self.iteration, self.games, self.policy_iterations = 0.0, 0, 0, 0
        self.last_test, self.best, self.warm = 0.0, float("inf"), set()
        self.rate, self.last_good = args.rate, None
        self.name = args.name or args.rules
        os.makedirs(args.folder, exist_ok=True)
        self.out = os.environ.get("OUT", args.folder)
        path = self.path()
        self.old_value_network = None
        if args.source:
            checkpoint = load(args.source, args.device)
            load_matching(self.network, checkpoint["average"], ("logit_offset", "logit_offset_bias") * args.reset_policy)
            if checkpoint["rules"] == args.rules:
                self.old_value_network = checkpoint.get("value_network")
        self.average, self.recent = copy.deepcopy(self.network), copy.deepcopy(self.network)
        if os.path.exists(path):
            self.restore(path)

    def path(self, suffix="", folder=""):
        return os.path.join(folder or self.args.folder, f"{self.name}{suffix}.pt")

    def restore(self, path):
        checkpoint = load(path, self.args.device)
        self.load_state(checkpoint)
        self.critic.load_state(checkpoint["critic"])
        for name in ("minutes", "iteration", "games", "policy_iterations", "last_test", "best", "rate"):
            setattr(self, name, checkpoint[name])
        self.game.generator.set_state(checkpoint["rng"]["game"].cpu())
        torch.set_rng_state(checkpoint["rng"]["cpu"].cpu())
        if self.args.device != "cpu":
            torch.cuda.set_rng_state(checkpoint["rng"]["device"].cpu())
        if not self.annealed():
            self.rate = max(self.rate, self.args.rate)  # it was annealed at the end of the earlier total
        self.say(f"continues at minute {self.minutes:.2f}")

    def say(self, line):
        print(line, flush=True)
        with open(os.path.join(self.out, f"log-{self.name}.txt"), "a") as log:
            print(line, file=log)

    def save(self):
        rng = dict(game=self.game.generator.get_state(), cpu=torch.get_rng_state())
        if self.args.device != "cpu":
            rng["device"] = torch.cuda.get_rng_state()
        whole = self.described() | dict(
            network=self.network.state_dict(), recent=self.recent.state_dict(), optimizer=self.optimizer.state_dict(),
            critic=self.critic.state(), policy_iterations=self.policy_iterations, last_test=self.last_test, best=self.best, rate=self.rate,
            rng=rng,
        )
        self.write(whole, "")

    def described(self):
        return dict(
            average=self.average.state_dict(), minutes=self.minutes, iteration=self.iteration, games=self.games,
            shape=self.network.shape, rules=self.args.rules, args=vars(self.args),
        )

    def write(self, content, suffix):
        for folder in {self.args.folder, self.out}:
            torch.save(content, self.path(suffix, folder))

    def run(self):
        args = self.args
        weights = sum(p.numel() for p in self.network.parameters())
        self.say(f"{args.rules}: {weights} weights, {json.dumps(vars(args))}")
        while self.minutes < args.total and time.time() < self.began + 60 * args.minutes:
            learning = self.minutes < args.odds_minutes
            if not learning and not self.policy_iterations:
                if args.source:
                    self.test_old_policy()
                self.critic.start_from(self.old_value_network or self.average.state_dict())
            self.set_rate(learning)
            self.iterate(learning)
            if self.minutes - self.last_test > args.test_every:
                mean = self.test(learning)
                self.save()
                if mean > args.abandon and self.minutes > 3:
                    self.say("abandoned")
                    return
            self.warm.add(learning)
        if self.minutes > self.last_test:
            self.test(self.minutes < args.odds_minutes)
        self.save()

    def test_old_policy(self):
        """Resets the logit offset of other rules if it does harm under these."""
        greedy, with_offset = (self.shots(policy).mean().item() for policy in ("greedy", "network"))
        keep_offset = with_offset <= greedy
        self.say(f"old logit offset: {with_offset:.4f} with it, {greedy:.4f} without: {'kept' if keep_offset else 'dropped'}")
        if not keep_offset:
            for network in (self.network, self.average, self.recent):
                torch.nn.init.zeros_(network.logit_offset)

    def set_rate(self, learning):
        args = self.args
        if learning:
            rate = args.odds_rate * min(1, (self.iteration + 1) / BEGINNER_ITERATIONS)
            rate += (args.rate - rate) * max(0, 2 * self.minutes / args.odds_minutes - 1)
        else:
            rate = self.rate * min(1, max(0, self.improving()) / RAMP_ITERATIONS)
        for group in self.optimizer.param_groups:
            group["lr"] = rate

    def check_harm(self, losses):
        """Restores the last good state and halves the rate if the answer loss has grown."""
        if self.improving() > RAMP_ITERATIONS:
            self.adapt_rate(losses["kl"])
        if self.last_good and losses["answers"] > HARM_FACTOR * self.last_good["answers"]:
            self.say(f"{self.iteration} undone: answers {losses['answers']:.4f} kl {losses['kl']:.4f}")
            self.load_state(self.last_good)
            self.rate /= 2
        elif self.policy_iterations % RAMP_ITERATIONS == 0 or not self.last_good:
            self.last_good = dict(self.state(), answers=losses["answers"])

    def state(self):
        parts = ("network", "average", "recent", "optimizer")
        return {name: copy.deepcopy(getattr(self, name).state_dict()) for name in parts}

    def load_state(self, state):
        for name in ("network", "average", "recent", "optimizer"):
            getattr(self, name).load_state_dict(state[name])

    def adapt_rate(self, kl):
        """Adapts the rate so that the policy moves by the target divergence in an iteration."""
        args = self.args
        target = self.interpolated(args.target_kl, args.last_target_kl)
        change = min(1.3, max(0.6, (target / max(kl, 1e-6)) ** 0.4))
        self.rate = min(args.max_rate, max(args.min_rate, self.rate * change))

    def annealed(self):
        """The progress of annealing, from 0 to 1."""
        return min(1, max(0, 1 - (self.args.total - self.minutes) / self.args.anneal))

    def interpolated(self, first, last):
        return first * (last / first) ** self.annealed() if first else 0

    def improving(self):
        """The number of the iteration of policy learning, from 1; 0 or less before."""
        return self.policy_iterations + 1 - self.args.value_warmup

    def iterate(self, learning):
        args, started = self.args, time.time()
        games = args.odds_games if learning else args.games
        if self.iteration < BEGINNER_ITERATIONS and not args.source:
            games = max(games // 8, 256)  # early games are long and teach little
        value_network = None if learning else (self.critic.player, self.plain(self.critic.average))
        log = rollout(self.player, self.plain(self.recent), games, value_network, args.min_probability)
        targets, advantage, summary = self.targets(log, learning)
        between = time.time()
        losses = self.learn(log, targets, advantage)
        if not learning and self.improving() > 0:
            self.check_harm(losses)
        self.iteration += 1
        self.games += games
        self.policy_iterations += not learning
        ended = time.time()
        if args.pace or learning in self.warm:
            self.minutes += (args.pace or ended - started) / 60
        if self.iteration % (20 if learning else 5) == 0 or learning not in self.warm:
            alive = log["alive"]
            named = " ".join(f"{name} {loss:.4f}" for name, loss in losses.items())
            self.say(
                f"{self.iteration} minute {self.minutes:.2f} games {self.games} "
                f"shots {alive.float().sum(0).mean():.3f} rate {self.optimizer.param_groups[0]['lr']:.1e} {named} "
                f"entropy {log['entropy'][alive].mean():.3f} {summary}"
                f"evaluations {log['evaluations']} play {between - started:.2f}s learn {ended - between:.2f}s"
            )

    def plain(self, network):
        with torch.no_grad():
            return network.weights(self.game.number)

    def targets(self, log, learning):
        """Targets of the value network, advantages of the shots, and a summary for the log."""
        args, outcome, alive = self.args, misses_to_come(log), log["alive"]
        if learning:
            return outcome, None, ""
        expected = returns(log, 1.0)
        targets = (1 - args.monte_carlo_share) * expected + args.monte_carlo_share * outcome
        advantage = returns(log, args.lambda_, args.sampled_share, args.max_change) - log["value"]
        mean, spread = advantage[alive].mean(), advantage[alive].std()
        self.entropy_bonus = self.interpolated(args.entropy_bonus, args.last_entropy_bonus) / spread
        summary = (
            f"advantage {mean:.3f} sd {spread:.3f} estimated return {expected[0].mean():.3f} misses {outcome[0].mean():.3f} "
            f"predicted hits {log['hit_probability'][alive].mean():.4f} hits {1 - log['miss'][alive].mean():.4f} "
        )
        return targets, (advantage - mean) / (spread + 1e-6), summary

    def learn(self, log, targets, advantage):
        """Trains both networks. The value network learns from all positions: it errs most after hits, where the policy is sure."""
        args, policy_learns, losses = self.args, advantage is not None, {}
        if not policy_learns or self.improving() > 0:
            chosen = log["alive"] & self.is_trained_on(log["entropy"]) if policy_learns else log["alive"]
            improve = lambda turn, game: self.improve(log, turn, game, advantage)
            losses = self.mean_losses(chosen, args.batch if policy_learns else args.odds_batch, improve)
        if policy_learns:
            slowed = 1 - 0.8 * self.annealed()
            value_step = lambda turn, game: dict(value=self.critic.learn(log, turn, game, targets, slowed))
            drawn = torch.rand_like(log["value"]) < args.value_share
            losses |= self.mean_losses(log["alive"] & drawn, args.value_batch, value_step)
        return losses

    def mean_losses(self, chosen, batch, learn):
        """Mean losses over moves, in random order."""
        moves = chosen.nonzero()
        moves = moves[torch.randperm(len(moves), device=moves.device)]
        steps = max(1, len(moves) // batch)
        sums = 0
        for step in range(steps):
            losses = learn(*moves[step * batch : (step + 1) * batch].unbind(1))
            sums = sums + torch.stack([loss.detach().float() for loss in losses.values()])
        return dict(zip(losses, (sums / steps).tolist()))

    def improve(self, log, turn, game, advantage):
        args = self.args
        losses = self.losses(log, turn, game, advantage)
        self.optimizer.zero_grad(set_to_none=True)
        self.total(losses, advantage is not None).backward()
        losses["norm"] = torch.nn.utils.clip_grad_norm_(self.network.parameters(), args.max_norm)
        self.optimizer.step()
        young = self.iteration < 30 and not args.source
        update_average(self.average, self.network, 0.9 if young else args.average)
        update_average(self.recent, self.network, 0.5 if young else args.player_average)
        return losses

    def is_trained_on(self, entropy):
        """Which positions to train on: where the policy is sure, a shot teaches little, so a share of them is enough."""
        return (entropy > SURE_ENTROPY) | (torch.rand_like(entropy) < self.args.sure_share)

    def losses(self, log, turn, game, advantage):
        args, cells = self.args, log["cells"][turn, game]
        fleets, shot = log["fleets"][game], log["shot"][turn, game].long()
        weights = self.network.weights(self.game.number)
        answers, owner, misses, _, offset, _, candidates = self.player.predict(weights, cells)
        own = shot if advantage is not None else None
        losses = dict(
            answers=answer_loss(self.game, answers, candidates, fleets, cells, own, args.chosen_shot_weight),
            owners=owner_loss(self.game, owner, log, cells, game), miss_loss=miss_loss(misses, candidates, log, game),
        )
        if advantage is not None:
            log_probabilities = F.log_softmax(log["greedy"][turn, game] + offset, 1)
            change = log_probabilities.gather(1, shot.unsqueeze(1)).squeeze(1) - log["log_probability"][turn, game]
            ratio, better = change.exp(), advantage[turn, game]
            bounded = ratio.clamp(1 - args.clip, 1 + args.clip)
            losses["policy"] = torch.maximum(ratio * better, bounded * better).mean() - self.entropy_bonus * entropy(log_probabilities).mean()
            losses["kl"] = (ratio - 1 - change).mean().detach()
        return losses

    def total(self, losses, improving):
        args = self.args
        total = 3 * losses["answers"] + 0.3 * losses["owners"] + losses["miss_loss"]
        if improving:
            ramp = min(1, self.improving() / RAMP_ITERATIONS)
            total = total + ramp * args.policy_weight * losses["policy"]
        return total

    def test(self, learning):
        """Tests the average on the same fleets each time, and keeps the best."""
        self.last_test, started = self.minutes, time.time()
        policy = "greedy" if learning else "network"
        shots = self.shots(policy)
        mean, error = shots.mean().item(), (shots.std() / len(shots) ** 0.5).item()
        if not learning and mean < self.best:
            self.best = mean
            self.write(self.described() | dict(tested=mean), "-best")
        self.say(
            f"TEST minute {self.minutes:.2f} iteration {self.iteration} games {self.games} "
            f"{policy}: {mean:.4f} ± {error:.4f} over {len(shots)} best {self.best:.4f} ({time.time() - started:.1f}s)"
        )
        return mean

    def shots(self, policy):
        weights = self.plain(self.average)
        if self.game.area <= SMALL_BOARD_CELLS:
            return shots_at(self.player, weights, all_fleets(self.game), policy)
        generator_state = self.game.generator.get_state()
        self.game.seed(TEST_SEED)
        shots = shots_needed(self.player, weights, self.args.test_games, policy=policy)
        self.game.generator.set_state(generator_state)
        return shots


class Critic:
    """The value network. It is separate, so that its training cannot harm the policy.

    It starts as a copy of the player's network and also predicts answers: advantages use its odds where none can be counted.
    """

    def __init__(self, game, kind, args):
        self.args = args
        self.network = Network(args.value_channels, args.value_blocks, value_head=True).to(args.device)
        self.average = copy.deepcopy(self.network)
        self.player = kind(game, args.value_blocks)
        fused = args.device != "cpu"
        self.optimizer = torch.optim.AdamW(
            self.network.parameters(), args.value_rate, (0.9, 0.98), weight_decay=1e-4, fused=fused
        )
        self.steps = 0

    def start_from(self, weights):
        """Starts from the weights of a player's network that have the same shape."""
        mine = self.network.state_dict()
        same = {name: weight for name, weight in weights.items() if name in mine and weight.shape == mine[name].shape}
        for network in (self.network, self.average):
            load_matching(network, same)

    def learn(self, log, turn, game, targets, slowed):
        args, cells = self.args, log["cells"][turn, game]
        weights = self.network.weights(self.player.game.number)
        answers, owner, misses, _, _, value, candidates = self.player.predict(weights, cells)
        whole = F.huber_loss(value, targets[turn, game], delta=HUBER_DELTA)
        shot = log["shot"][turn, game].long()
        answered = answer_loss(self.player.game, answers, candidates, log["fleets"][game], cells, shot, args.chosen_shot_weight)
        around = 0.15 * owner_loss(self.player.game, owner, log, cells, game) + miss_loss(misses, candidates, log, game)
        self.optimizer.param_groups[0]["lr"] = args.value_rate * slowed * min(1, (self.steps + 1) / 200)
        self.optimizer.zero_grad(set_to_none=True)
        (args.value_weight * whole + 1.5 * answered + around).backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        self.steps += 1
        update_average(self.average, self.network, min(args.value_average, self.steps / (self.steps + 10)))
        return whole.detach()

    def state(self):
        parts = {name: getattr(self, name).state_dict() for name in ("network", "average", "optimizer")}
        return parts | dict(steps=self.steps)

    def load_state(self, state):
        for name in ("network", "average", "optimizer"):
            getattr(self, name).load_state_dict(state[name])
        self.steps = state["steps"]


def exact_odds(game, max_work):
    """Exact odds where they can be counted, or None."""
    return Odds(game, max_work) if max_work and max(game.rules.counts) == 1 and game.area > SMALL_BOARD_CELLS else None


def answer_loss(game, answers, candidates, fleets, cells, shot, own_shot):
    """The cross entropy of the predicted answers; the answer to the chosen shot weighs more."""
    weight = candidates.float()
    if shot is not None:
        weight = weight.scatter_add(1, shot.unsqueeze(1), torch.full_like(weight[:, :1], own_shot))
    return (F.nll_loss(answers, answer_labels(game, fleets, cells), reduction="none") * weight).sum() / weight.sum()


def owner_loss(game, owner, log, cells, games):
    """The cross entropy of the predicted owners of cells that are not known to be water."""
    dry = 1 - missed(cells)
    return (F.cross_entropy(owner, owner_slots(game, log["fleets"][games]), reduction="none") * dry).sum() / dry.sum()


def miss_loss(misses, candidates, log, game):
    """The cross entropy of the predicted future misses."""
    later = missed(log["final"][game])
    return (F.binary_cross_entropy_with_logits(misses, later, reduction="none") * candidates).sum() / candidates.sum()


def update_average(slow, fast, keep):
    with torch.no_grad():
        torch._foreach_lerp_(list(slow.parameters()), list(fast.parameters()), 1 - keep)


def load(path, device):
    """A checkpoint, with the weights of its value network if it has one. Older names in it become the current ones."""
    checkpoint = with_current_names(torch.load(path, map_location=device))
    if "critic" in checkpoint:
        checkpoint["value_network"] = checkpoint["critic"]["average"]
    widen = lambda weights: {name: weight.float() for name, weight in weights.items()}
    return checkpoint | {name: widen(checkpoint[name]) for name in ("network", "average", "recent", "value_network") if name in checkpoint}


def with_current_names(checkpoint):
    """A checkpoint with the current names of its parts, shape, options and weights."""
    update = lambda names, part: {names.get(name, name): value for name, value in part.items()}
    of_weights = lambda weights: {re.sub(r"^whole(?=\d)", "global_pooling", name): value for name, value in update(OLD_WEIGHTS, weights).items()}
    checkpoint = update(OLD_PARTS, checkpoint)
    networks = {name: of_weights(checkpoint[name]) for name in ("network", "average", "recent", "value_network") if name in checkpoint}
    if "critic" in checkpoint:
        critic = checkpoint["critic"]
        networks["critic"] = critic | {name: of_weights(critic[name]) for name in ("network", "average")}
    return checkpoint | networks | dict(shape=update(OLD_NAMES, checkpoint["shape"]), args=update(OLD_NAMES, checkpoint["args"]))


def plain(checkpoint, game):
    """The weights of a checkpoint as play needs them."""
    network = Network(**checkpoint["shape"]).to(game.device)
    load_matching(network, checkpoint["average"])
    with torch.no_grad():
        return network.weights(game.number)


if __name__ == "__main__":
    Training(options()).run()
