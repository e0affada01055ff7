"""What the policy of a checkpoint is drawn to, by how far ahead play is followed: takes the options of train.py, learns nothing.

Games are played in two halves. The product of two gradients, one from each half, is free of noise on average: so it can be told how far
a kind of advantages points in the direction of the whole truth (λ = 1), and how much of a gradient is noise. Then a step is
made along each and the games of a test are played again.
"""

import torch

from play import returns, rollout
from train import SURE, Training, options

ROLLOUTS = 3  # in each half
KINDS = ((1.0, float("inf")), (0.96, 0.5), (0.93, 0.5), (0.9, 0.5), (0.7, 0.5), (0.0, 0.5))  # λ and the most that a shot may change
STEP = 0.01  # how far the policy moves, as `--moves` has it
TRIES = 8


def main():
    training = Training(options())
    if not training.policy_iterations:
        raise SystemExit(f"{training.path()}: no checkpoint with a judge there; train.py makes one")
    training.network.load_state_dict(training.average.state_dict())
    training.average = training.network  # which is what tests are played with
    gradients = Gradients(training)
    halves = [gradients.of_half() for _ in range(2)]
    tell_cosines(gradients, halves)
    before = training.shots("network")
    print(f"at rest: {told(before)}, drawn {told(gradients.drawn())}", flush=True)
    for kind, one, other in zip(KINDS, *halves):
        with gradients.step(one + other) as moved:
            change = training.shots("network") - before
            print(f"along {kind}: moved {moved:.4f}, shots {told(change)}, drawn {told(gradients.drawn())}", flush=True)


def told(shots):
    return f"{shots.mean():.4f} ± {shots.std() / len(shots) ** 0.5:.4f}"


def tell_cosines(gradients, halves):
    """Rows: kinds. Agreement of the halves, then cosines to all kinds with the noise taken out."""
    first, second = halves
    product = lambda a, b: (a * b * gradients.scale).sum().item()
    cross = torch.tensor([[product(a, d) + product(c, b) for b, d in zip(first, second)] for a, c in zip(first, second)]) / 2
    size = cross.diagonal().sqrt()  # not a number where all was noise
    for number, kind in enumerate(KINDS):
        whole = (product(first[number], first[number]) * product(second[number], second[number])) ** 0.5
        cosines = " ".join(f"{cosine:+.3f}" for cosine in cross[number] / size / size[number])
        print(f"{kind}: halves agree {cross[number, number] / whole:.3f}, cosines {cosines}", flush=True)


class Gradients:
    """Of a network at rest, as one row of numbers; `scale` is what its optimizer makes of them."""

    def __init__(self, training):
        self.training = training
        self.parameters = list(training.network.parameters())
        state = [training.optimizer.state[weights]["exp_avg_sq"].sqrt() + 1e-8 for weights in self.parameters]
        self.scale = torch.cat([(1 / part).clamp(max=30 / part.median()).flatten() for part in state])
        self.player, self.weights = training.player, training.plain(training.network)
        self.judge = (training.critic.player, training.plain(training.critic.average))
        self.probe = None

    def of_half(self):
        return sum(self.of_rollout() for _ in range(ROLLOUTS)) / ROLLOUTS

    def of_rollout(self):
        args = self.training.args
        log = rollout(self.player, self.weights, args.games, self.judge, args.least)
        unsure = log["alive"] & (log["entropy"] > SURE)
        advantages = [self.normal(returns(log, trust, 0.0, most) - log["value"], unsure) for trust, most in KINDS]
        moves = unsure.nonzero()
        moves = moves[torch.randperm(len(moves), device=moves.device)]
        self.probe = log, moves[: args.batch]
        parts = moves.split(args.batch)
        return sum(self.of_batch(log, part, advantages) for part in parts) / len(moves)

    @staticmethod
    def normal(advantage, chosen):
        advantage = advantage - advantage[chosen].mean()
        return advantage / advantage[chosen].std()

    def of_batch(self, log, moves, advantages):
        turn, game = moves.unbind(1)
        chances = self.chances(log, turn, game)
        losses = [(chances * advantage[turn, game]).sum() for advantage in advantages]
        rows = [torch.autograd.grad(loss, self.parameters, retain_graph=True, allow_unused=True) for loss in losses]
        flat = lambda row: [torch.zeros_like(p) if part is None else part for part, p in zip(row, self.parameters)]
        return torch.stack([torch.cat([part.flatten() for part in flat(row)]) for row in rows])

    def chances(self, log, turn, game):
        """Logarithms of the chances that the shots had."""
        weights = self.training.network.weights(self.training.game.number)
        aim = self.player.view(weights, log["cells"][turn, game])[4]
        chances = (log["greedy"][turn, game] + aim).log_softmax(1)
        return chances.gather(1, log["shot"][turn, game].long().unsqueeze(1)).squeeze(1)

    def step(self, gradient):
        return Step(self, gradient * self.scale)

    @torch.no_grad()
    def moved(self):
        log, moves = self.probe
        turn, game = moves.unbind(1)
        change = self.chances(log, turn, game) - log["chance"][turn, game]
        return (change.exp() - 1 - change).mean().item()

    def drawn(self):
        """Shots of games in which shots are drawn by their chances."""
        return rollout(self.player, self.training.plain(self.training.network), self.training.args.test_games)["alive"].double().sum(0)


class Step:
    """The network is as far along a direction as the policy shall move, and then back."""

    def __init__(self, gradients, direction):
        self.gradients = gradients
        parts = direction.split([weights.numel() for weights in gradients.parameters])
        self.parts = [part.view_as(weights) for part, weights in zip(parts, gradients.parameters)]
        self.kept = [weights.detach().clone() for weights in gradients.parameters]
        self.length = 1e-4 / direction.square().mean().sqrt()

    def __enter__(self):
        for _ in range(TRIES):
            self.go(self.length)
            moved = self.gradients.moved()
            if 0.7 < moved / STEP < 1.4:
                break
            self.length *= min(5, max(0.2, (STEP / max(moved, 1e-7)) ** 0.5))
        return moved

    def __exit__(self, *_):
        self.go(0)

    @torch.no_grad()
    def go(self, length):
        for weights, kept, part in zip(self.gradients.parameters, self.kept, self.parts):
            weights.copy_(kept - length * part)


if __name__ == "__main__":
    main()
