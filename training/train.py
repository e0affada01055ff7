"""Trains a player for one set of rules; runs in pieces and goes on from its checkpoint.

First the network learns to foretell answers from positions of its own nearly greedy games. Then its aim is improved by
policy gradient: the advantage of a shot is taken in expectation over the answers it might have got, so that it carries
little luck, and is followed far ahead in real play, so that it does not lean on the network's opinion of positions. Entropy of
the policy is worth something too: what it has not told apart yet stays undecided, and is tried.

Minutes are minutes of iterations: tests, saving, and the first iteration of a kind in each piece, when kernels are
chosen, do not count. `--minutes` alone is by the clock.
"""

import argparse
import copy
import json
import os
import time

import torch
import torch.nn.functional as F

from exact import SmallPlayer, all_fleets
from game import Game, RULES
from network import Network, take
from odds import Odds
from play import HIT_SHARPNESS, Player, entropy, labels, missed, misses_to_come, owners, returns, rollout, shots_at, shots_needed

BEGINNER = 20  # iterations
RAMP = 10  # iterations over which the policy's loss comes to its weight
HARM = 1.05  # times the loss of answers of ten iterations before
SURE = 0.1  # nats of the policy
SURPRISE = 10.0  # misses by which a judge may err before its loss grows no faster than the error
FEW_CELLS = 36  # on a board so small positions repeat, and it is tested on every fleet there is
TEST_SEED = 12345


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--rules", default="classic", choices=RULES)
    add("--name", default="", help="of the checkpoint; the rules if left out")
    add("--fields", type=int, default=16, help="planes are eight times as many")
    add("--blocks", type=int, default=6)
    add("--device", default="cuda")
    add("--folder", default="checkpoints")
    add("--from", dest="source", default="", help="a checkpoint, of any rules, to start from")
    add("--forget-aim", action="store_true", help="take all but the aim from there: begins greedy")
    add("--minutes", type=float, default=9.3, help="of this piece, by the clock, from its start to its end")
    add("--learn", type=float, default=3, help="minutes of learning answers, over all pieces")
    add("--total", type=float, default=24, help="minutes over all pieces")
    add("--fall", type=float, default=14, help="minutes at the end of all over which the policy comes to rest")
    add("--pace", type=float, default=0, help="seconds an iteration counts for; 0: what it takes")
    add("--games", type=int, default=8192)
    add("--learn-games", type=int, default=4096)
    add("--batch", type=int, default=8192)
    add("--learn-batch", type=int, default=4096)
    add("--sure", type=float, default=0.25, help="share of the positions trained on where the policy is sure")
    add("--rate", type=float, default=1.5e-4, help="of the aim's first step; then it follows how far the policy moves")
    add("--learn-rate", type=float, default=5e-4)
    add("--least-rate", type=float, default=1e-5)
    add("--most-rate", type=float, default=5e-4)
    add("--moves", type=float, default=0.01, help="how far the policy is to move in an iteration")
    add("--last-moves", type=float, default=0.001, help="the same at the end")
    add("--trust", type=float, default=0.93, help="lambda of the advantages")
    add("--most-change", type=float, default=0.5, help="misses that one shot may change what is to come, in the advantages")
    add("--truth", type=float, default=0.05, help="share of what really happened in what values learn")
    add("--warmth", type=float, default=0.01, help="misses that a nat of the policy's entropy is worth: keeps it from deciding before it knows")
    add("--last-warmth", type=float, default=0.004, help="the same at the end")
    add("--real", type=float, default=0.1, help="share of the answer that came in the advantages")
    add("--own-shot", type=float, default=10, help="weight of the answer to the shot chosen among all cells")
    add("--least", type=float, default=0.002, help="probability of an answer that is still looked at")
    add("--exact", type=float, default=2.0**22, help="work for which odds are counted exactly; 0: never")
    add("--sharpness", type=float, default=HIT_SHARPNESS, help="of the policy before it has learnt anything")
    add("--clip", type=float, default=0.2)
    add("--most-norm", type=float, default=1.0, help="of the gradient of a step")
    add("--policy-weight", type=float, default=0.5)
    add("--judge-fields", type=int, default=16, help="of the network that judges positions")
    add("--judge-blocks", type=int, default=6)
    add("--judge-rate", type=float, default=3e-4)
    add("--judge-batch", type=int, default=4096)
    add("--judge-share", type=float, default=1.0, help="share of the positions that the judge learns from")
    add("--judge-average", type=float, default=0.995, help="what the judge that is asked keeps of itself in each step")
    add("--judge-first", type=int, default=25, help="iterations in which the judge learns alone")
    add("--judge-weight", type=float, default=0.1, help="of the whole value beside that of single cells")
    add("--average", type=float, default=0.999, help="what the network that is kept keeps of itself in each step")
    add("--recent", type=float, default=0.98, help="the same for the network that plays")
    add("--abandon", type=float, default=float("inf"), help="shots in a test at which to give up, after three minutes")
    add("--test-games", type=int, default=65536)
    add("--test-every", type=float, default=2)
    add("--seed", type=int, default=0, help="0: from the clock")
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
        kind = SmallPlayer if self.game.area <= FEW_CELLS else Player
        self.player = kind(self.game, args.blocks, sharpness=args.sharpness, odds=exact_odds(self.game, args.exact))
        fused = args.device != "cpu"
        self.optimizer = torch.optim.AdamW(
            self.network.parameters(), args.learn_rate, (0.9, 0.98), weight_decay=1e-4, fused=fused
        )
        self.critic = Critic(self.game, kind, args)
        self.minutes, self.iteration, self.games, self.policy_iterations = 0.0, 0, 0, 0
        self.last_test, self.best, self.warm = 0.0, float("inf"), set()
        self.rate, self.sound = args.rate, None
        self.name = args.name or args.rules
        os.makedirs(args.folder, exist_ok=True)
        self.out = os.environ.get("OUT", args.folder)
        path = self.path()
        self.old_judge = None
        if args.source:
            kept = load(args.source, args.device)
            take(self.network, kept["average"], ("aim", "aim_bias") * args.forget_aim)
            if kept["rules"] == args.rules:
                self.old_judge = kept.get("judge")
        self.average, self.recent = copy.deepcopy(self.network), copy.deepcopy(self.network)
        if os.path.exists(path):
            self.restore(path)

    def path(self, suffix="", folder=""):
        return os.path.join(folder or self.args.folder, f"{self.name}{suffix}.pt")

    def restore(self, path):
        kept = load(path, self.args.device)
        self.take_up(kept)
        self.critic.take_up(kept["critic"])
        for name in ("minutes", "iteration", "games", "policy_iterations", "last_test", "best", "rate"):
            setattr(self, name, kept[name])
        self.game.generator.set_state(kept["chance"]["game"].cpu())
        torch.set_rng_state(kept["chance"]["cpu"].cpu())
        if self.args.device != "cpu":
            torch.cuda.set_rng_state(kept["chance"]["device"].cpu())
        if not self.fallen():
            self.rate = max(self.rate, self.args.rate)  # it had fallen at the end of what was to be all
        self.say(f"goes on at minute {self.minutes:.2f}")

    def say(self, line):
        print(line, flush=True)
        with open(os.path.join(self.out, f"log-{self.name}.txt"), "a") as log:
            print(line, file=log)

    def save(self):
        chance = dict(game=self.game.generator.get_state(), cpu=torch.get_rng_state())
        if self.args.device != "cpu":
            chance["device"] = torch.cuda.get_rng_state()
        whole = self.described() | dict(
            network=self.network.state_dict(), recent=self.recent.state_dict(), optimizer=self.optimizer.state_dict(),
            critic=self.critic.state(), policy_iterations=self.policy_iterations, last_test=self.last_test, best=self.best, rate=self.rate,
            chance=chance,
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
            learning = self.minutes < args.learn
            if not learning and not self.policy_iterations:
                if args.source:
                    self.judge_old_aim()
                self.critic.begin(self.old_judge or self.average.state_dict())
            self.set_rate(learning)
            self.iterate(learning)
            if self.minutes - self.last_test > args.test_every:
                mean = self.test(learning)
                self.save()
                if mean > args.abandon and self.minutes > 3:
                    self.say("gives up")
                    return
            self.warm.add(learning)
        if self.minutes > self.last_test:
            self.test(self.minutes < args.learn)
        self.save()

    def judge_old_aim(self):
        """The aim of other rules may be worth less than none under these."""
        greedy, aimed = (self.shots(policy).mean().item() for policy in ("greedy", "network"))
        kept = aimed <= greedy
        self.say(f"old aim: {aimed:.4f} with it, {greedy:.4f} without: {'kept' if kept else 'forgotten'}")
        if not kept:
            for network in (self.network, self.average, self.recent):
                torch.nn.init.zeros_(network.aim)

    def set_rate(self, learning):
        args = self.args
        if learning:
            rate = args.learn_rate * min(1, (self.iteration + 1) / BEGINNER)
            rate += (args.rate - rate) * max(0, 2 * self.minutes / args.learn - 1)
        else:
            rate = self.rate * min(1, max(0, self.improving()) / RAMP)
        for group in self.optimizer.param_groups:
            group["lr"] = rate

    def watch(self, losses):
        """Goes back and on at half the rate if the network has come to harm."""
        if self.improving() > RAMP:
            self.adapt_rate(losses["moved"])
        if self.sound and losses["answers"] > HARM * self.sound["answers"]:
            self.say(f"{self.iteration} came to harm: answers {losses['answers']:.4f} moved {losses['moved']:.4f}")
            self.take_up(self.sound)
            self.rate /= 2
        elif self.policy_iterations % RAMP == 0 or not self.sound:
            self.sound = dict(self.state(), answers=losses["answers"])

    def state(self):
        parts = ("network", "average", "recent", "optimizer")
        return {name: copy.deepcopy(getattr(self, name).state_dict()) for name in parts}

    def take_up(self, state):
        for name in ("network", "average", "recent", "optimizer"):
            getattr(self, name).load_state_dict(state[name])

    def adapt_rate(self, moved):
        """Towards the rate at which the policy moves as far as it is to."""
        args = self.args
        wanted = self.falling(args.moves, args.last_moves)
        change = min(1.3, max(0.6, (wanted / max(moved, 1e-6)) ** 0.4))
        self.rate = min(args.most_rate, max(args.least_rate, self.rate * change))

    def fallen(self):
        """How far the policy's moves have fallen, from 0 to 1."""
        return min(1, max(0, 1 - (self.args.total - self.minutes) / self.args.fall))

    def falling(self, first, last):
        return first * (last / first) ** self.fallen() if first else 0

    def improving(self):
        """Iterations of the aim, 1 in the first; 0 or less before."""
        return self.policy_iterations + 1 - self.args.judge_first

    def iterate(self, learning):
        args, started = self.args, time.time()
        games = args.learn_games if learning else args.games
        if self.iteration < BEGINNER and not args.source:
            games = max(games // 8, 256)  # its games are long and teach little
        judge = None if learning else (self.critic.player, self.plain(self.critic.average))
        log = rollout(self.player, self.plain(self.recent), games, judge, args.least)
        targets, advantage, noted = self.judged(log, learning)
        between = time.time()
        losses = self.learn(log, targets, advantage)
        if not learning and self.improving() > 0:
            self.watch(losses)
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
                f"entropy {log['entropy'][alive].mean():.3f} {noted}"
                f"looks {log['looks']} play {between - started:.2f}s learn {ended - between:.2f}s"
            )

    def plain(self, network):
        with torch.no_grad():
            return network.weights(self.game.number)

    def judged(self, log, learning):
        """What values and aim shall learn from these games, and a note."""
        args, truth, alive = self.args, misses_to_come(log), log["alive"]
        if learning:
            return truth, None, ""
        expected = returns(log, 1.0)
        targets = (1 - args.truth) * expected + args.truth * truth
        advantage = returns(log, args.trust, args.real, args.most_change) - log["value"]
        mean, spread = advantage[alive].mean(), advantage[alive].std()
        self.warmth = self.falling(args.warmth, args.last_warmth) / spread
        noted = (
            f"advantage {mean:.3f} sd {spread:.3f} promised {expected[0].mean():.3f} missed {truth[0].mean():.3f} "
            f"hoped {log['hoped'][alive].mean():.4f} hit {1 - log['miss'][alive].mean():.4f} "
        )
        return targets, (advantage - mean) / (spread + 1e-6), noted

    def learn(self, log, targets, advantage):
        """The judge learns from positions of all kinds: it errs most where hits are followed up, and there the policy is sure."""
        args, judging, losses = self.args, advantage is not None, {}
        if not judging or self.improving() > 0:
            chosen = log["alive"] & self.teaches(log["entropy"]) if judging else log["alive"]
            improve = lambda turn, game: self.improve(log, turn, game, advantage)
            losses = self.over(chosen, args.batch if judging else args.learn_batch, improve)
        if judging:
            slowed = 1 - 0.8 * self.fallen()
            judge = lambda turn, game: dict(value=self.critic.learn(log, turn, game, targets, slowed))
            drawn = torch.rand_like(log["value"]) < args.judge_share
            losses |= self.over(log["alive"] & drawn, args.judge_batch, judge)
        return losses

    def over(self, chosen, batch, learn):
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
        losses["norm"] = torch.nn.utils.clip_grad_norm_(self.network.parameters(), args.most_norm)
        self.optimizer.step()
        young = self.iteration < 30 and not args.source
        follow(self.average, self.network, 0.9 if young else args.average)
        follow(self.recent, self.network, 0.5 if young else args.recent)
        return losses

    def teaches(self, entropy):
        """Where the policy is sure, a shot teaches next to nothing: few such positions are enough."""
        return (entropy > SURE) | (torch.rand_like(entropy) < self.args.sure)

    def losses(self, log, turn, game, advantage):
        args, cells = self.args, log["cells"][turn, game]
        fleets, shot = log["fleets"][game], log["shot"][turn, game].long()
        weights = self.network.weights(self.game.number)
        answers, owner, misses, _, aim, _, may = self.player.view(weights, cells)
        own = shot if advantage is not None else None
        losses = dict(
            answers=told(self.game, answers, may, fleets, cells, own, args.own_shot),
            owners=owned(self.game, owner, log, cells, game), wasted=wasted(misses, may, log, game),
        )
        if advantage is not None:
            chances = F.log_softmax(log["greedy"][turn, game] + aim, 1)
            change = chances.gather(1, shot.unsqueeze(1)).squeeze(1) - log["chance"][turn, game]
            ratio, better = change.exp(), advantage[turn, game]
            bounded = ratio.clamp(1 - args.clip, 1 + args.clip)
            losses["policy"] = torch.maximum(ratio * better, bounded * better).mean() - self.warmth * entropy(chances).mean()
            losses["moved"] = (ratio - 1 - change).mean().detach()
        return losses

    def total(self, losses, improving):
        args = self.args
        total = 3 * losses["answers"] + 0.3 * losses["owners"] + losses["wasted"]
        if improving:
            ramp = min(1, self.improving() / RAMP)
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
        if self.game.area <= FEW_CELLS:
            return shots_at(self.player, weights, all_fleets(self.game), policy)
        kept = self.game.generator.get_state()
        self.game.seed(TEST_SEED)
        shots = shots_needed(self.player, weights, self.args.test_games, policy=policy)
        self.game.generator.set_state(kept)
        return shots


class Critic:
    """Judges positions: a network of its own, so that whatever it has to unlearn breaks nothing else.

    It begins as a copy of the player's and knows the answers as well: advantages are taken with its odds where none can be counted.
    """

    def __init__(self, game, kind, args):
        self.args = args
        self.network = Network(args.judge_fields, args.judge_blocks, judges=True).to(args.device)
        self.average = copy.deepcopy(self.network)
        self.player = kind(game, args.judge_blocks)
        fused = args.device != "cpu"
        self.optimizer = torch.optim.AdamW(
            self.network.parameters(), args.judge_rate, (0.9, 0.98), weight_decay=1e-4, fused=fused
        )
        self.steps = 0

    def begin(self, weights):
        """From a player's network, as far as it has the same shape."""
        mine = self.network.state_dict()
        same = {name: weight for name, weight in weights.items() if name in mine and weight.shape == mine[name].shape}
        for network in (self.network, self.average):
            take(network, same)

    def learn(self, log, turn, game, targets, slowed):
        args, cells = self.args, log["cells"][turn, game]
        weights = self.network.weights(self.player.game.number)
        answers, owner, misses, _, _, value, may = self.player.view(weights, cells)
        whole = F.huber_loss(value, targets[turn, game], delta=SURPRISE)
        shot = log["shot"][turn, game].long()
        answered = told(self.player.game, answers, may, log["fleets"][game], cells, shot, args.own_shot)
        around = 0.15 * owned(self.player.game, owner, log, cells, game) + wasted(misses, may, log, game)
        self.optimizer.param_groups[0]["lr"] = args.judge_rate * slowed * min(1, (self.steps + 1) / 200)
        self.optimizer.zero_grad(set_to_none=True)
        (args.judge_weight * whole + 1.5 * answered + around).backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        self.steps += 1
        follow(self.average, self.network, min(args.judge_average, self.steps / (self.steps + 10)))
        return whole.detach()

    def state(self):
        parts = {name: getattr(self, name).state_dict() for name in ("network", "average", "optimizer")}
        return parts | dict(steps=self.steps)

    def take_up(self, state):
        for name in ("network", "average", "optimizer"):
            getattr(self, name).load_state_dict(state[name])
        self.steps = state["steps"]


def exact_odds(game, most_work):
    """Where they can be counted."""
    return Odds(game, most_work) if most_work and max(game.rules.counts) == 1 and game.area > FEW_CELLS else None


def told(game, answers, may, fleets, cells, shot, own_shot):
    """How wrong the answers foretold were; that of the shot chosen weighs more."""
    weight = may.float()
    if shot is not None:
        weight = weight.scatter_add(1, shot.unsqueeze(1), torch.full_like(weight[:, :1], own_shot))
    return (F.nll_loss(answers, labels(game, fleets, cells), reduction="none") * weight).sum() / weight.sum()


def owned(game, owner, log, cells, games):
    """How wrong the owners of cells were that are not known to be water."""
    dry = 1 - missed(cells)
    return (F.cross_entropy(owner, owners(game, log["fleets"][games]), reduction="none") * dry).sum() / dry.sum()


def wasted(misses, may, log, game):
    """How wrong the cells foretold to be missed were."""
    later = missed(log["final"][game])
    return (F.binary_cross_entropy_with_logits(misses, later, reduction="none") * may).sum() / may.sum()


def follow(slow, fast, keep):
    with torch.no_grad():
        torch._foreach_lerp_(list(slow.parameters()), list(fast.parameters()), 1 - keep)


def load(path, device):
    """A checkpoint; its judge, if it has one, as weights too."""
    kept = torch.load(path, map_location=device)
    if "critic" in kept:
        kept["judge"] = kept["critic"]["average"]
    widen = lambda weights: {name: weight.float() for name, weight in weights.items()}
    return kept | {name: widen(kept[name]) for name in ("network", "average", "recent", "judge") if name in kept}


def plain(kept, game):
    """The weights of a checkpoint as play needs them."""
    network = Network(**kept["shape"]).to(game.device)
    take(network, kept["average"])
    with torch.no_grad():
        return network.weights(game.number)


if __name__ == "__main__":
    Training(options()).run()
