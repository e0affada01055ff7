"""Compares the policy gradients of a checkpoint by λ, with the noise removed. Takes the options of train.py and learns nothing.

Games are played in two halves. The product of two gradients, one from each half, is free of noise on average. So it shows how
closely each kind of advantage agrees in direction with the Monte Carlo returns (λ = 1), and how much of a gradient is noise. Then it
takes a step along each and plays the test games again.
"""

import torch

from play import returns, rollout
from train import SURE_ENTROPY, Training, options

ROLLOUTS = 3  # in each half
KINDS = ((1.0, float("inf")), (0.96, 0.5), (0.93, 0.5), (0.9, 0.5), (0.7, 0.5), (0.0, 0.5))  # λ and the limit on what a shot changes
STEP = 0.01  # Kullback–Leibler divergence of a step, as in `--target-kl`
TRIES = 8


def main():
    training = Training(options())
    if not training.policy_iterations:
        raise SystemExit(f"{training.path()}: this checkpoint has no value network; train.py makes one")
    training.network.load_state_dict(training.average.state_dict())
    training.average = training.network  # tests are played with it
    gradients = Gradients(training)
    halves = [gradients.of_half() for _ in range(2)]
    print_cosines(gradients, halves)
    before = training.shots("network")
    print(f"at rest: {summary(before)}, sampled {summary(gradients.sampled())}", flush=True)
    for kind, one, other in zip(KINDS, *halves):
        with gradients.step(one + other) as moved:
            change = training.shots("network") - before
            print(f"along {kind}: KL {moved:.4f}, shots {summary(change)}, sampled {summary(gradients.sampled())}", flush=True)


def summary(shots):
    return f"{shots.mean():.4f} ± {shots.std() / len(shots) ** 0.5:.4f}"


def print_cosines(gradients, halves):
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
    """Policy gradients of a fixed network, flattened; `scale` is the step size of its optimizer for each weight."""

    def __init__(self, training):
        self.training = training
        self.parameters = list(training.network.parameters())
        state = [training.optimizer.state[weights]["exp_avg_sq"].sqrt() + 1e-8 for weights in self.parameters]
        self.scale = torch.cat([(1 / part).clamp(max=30 / part.median()).flatten() for part in state])
        self.player, self.weights = training.player, training.plain(training.network)
        self.value_player = (training.critic.player, training.plain(training.critic.average))
        self.probe = None

    def of_half(self):
        return sum(self.of_rollout() for _ in range(ROLLOUTS)) / ROLLOUTS

    def of_rollout(self):
        args = self.training.args
        log = rollout(self.player, self.weights, args.games, self.value_player, args.min_probability)
        unsure = log["alive"] & (log["entropy"] > SURE_ENTROPY)
        advantages = [self.normal(returns(log, lambda_, 0.0, max_change) - log["value"], unsure) for lambda_, max_change in KINDS]
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
        log_probabilities = self.log_probabilities(log, turn, game)
        losses = [(log_probabilities * advantage[turn, game]).sum() for advantage in advantages]
        rows = [torch.autograd.grad(loss, self.parameters, retain_graph=True, allow_unused=True) for loss in losses]
        flat = lambda row: [torch.zeros_like(p) if part is None else part for part, p in zip(row, self.parameters)]
        return torch.stack([torch.cat([part.flatten() for part in flat(row)]) for row in rows])

    def log_probabilities(self, log, turn, game):
        """Log probabilities of the shots under the policy."""
        weights = self.training.network.weights(self.training.game.number)
        offset = self.player.predict(weights, log["cells"][turn, game])[4]
        log_probabilities = (log["greedy"][turn, game] + offset).log_softmax(1)
        return log_probabilities.gather(1, log["shot"][turn, game].long().unsqueeze(1)).squeeze(1)

    def step(self, gradient):
        return Step(self, gradient * self.scale)

    @torch.no_grad()
    def moved(self):
        log, moves = self.probe
        turn, game = moves.unbind(1)
        change = self.log_probabilities(log, turn, game) - log["log_probability"][turn, game]
        return (change.exp() - 1 - change).mean().item()

    def sampled(self):
        """Shots of games in which shots are sampled from the policy."""
        return rollout(self.player, self.training.plain(self.training.network), self.training.args.test_games)["alive"].double().sum(0)


class Step:
    """Moves the network along a direction until the policy has moved by STEP, and back on exit."""

    def __init__(self, gradients, direction):
        self.gradients = gradients
        parts = direction.split([weights.numel() for weights in gradients.parameters])
        self.parts = [part.view_as(weights) for part, weights in zip(parts, gradients.parameters)]
        self.checkpoint = [weights.detach().clone() for weights in gradients.parameters]
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
        for weights, checkpoint, part in zip(self.gradients.parameters, self.checkpoint, self.parts):
            weights.copy_(checkpoint - length * part)


if __name__ == "__main__":
    main()
