"""Turns the outputs of a network into a player, and plays batches of games with it."""

import math

import torch
import torch.nn.functional as F

from game import ANSWERS, MISS
from network import forward

HIT_SHARPNESS = 50.0  # logits per unit of hit probability: an untrained policy is nearly greedy
NEVER = -1e9
MIN_LOG = -50.0  # the smallest log probability in an entropy
MIN_BATCH = 1024


class Player:
    def __init__(self, game, blocks, chunk=16384, sharpness=HIT_SHARPNESS, odds=None, renames=False):
        self.game, self.blocks, self.chunk, self.sharpness, self.odds = game, blocks, chunk, sharpness, odds
        self.interchangeable_slots = game.interchangeable_slots() if renames else None
        self.fast = game.device != "cpu"
        self.cuda_graphs = CudaGraphs(self) if self.fast else None

    def predict(self, weights, cells):
        """Log probabilities of the answers, owners, misses to come, greedy logits, logit offset, expected misses to come."""
        planes, candidates, afloat = self.game.features(cells)
        with torch.autocast(self.game.device, torch.bfloat16, enabled=self.game.number == torch.bfloat16, cache_enabled=False):
            answers, owner, misses, offset, value = forward(weights, planes, self.blocks)
        gone = (afloat <= 0).unsqueeze(2)
        answers = torch.cat([answers[:, :2], answers[:, 2:].masked_fill(gone, -30.0)], 1)
        answers = F.log_softmax(answers, 1)
        greedy = (self.sharpness * (1 - answers[:, 0].detach().exp())).masked_fill(~candidates, NEVER)
        value = (torch.sigmoid(misses) * candidates).sum(1) + value
        return answers, owner, misses, greedy, offset.masked_fill(~candidates, 0), value, candidates

    def outputs(self, weights, cells):
        """The outputs that play needs: answers, greedy logits, logit offset and value."""
        answers, _, _, greedy, offset, value, _ = self.predict(weights, cells)
        return answers, greedy, offset, value.clamp(min=0)

    def padded(self, count):
        """The batch size, rounded up to one of a few sizes, so that kernels are tuned only once."""
        if not self.fast:
            return count
        if count <= MIN_BATCH:
            return MIN_BATCH
        power = 1 << (count - 1).bit_length()
        return power * 3 // 4 if count <= power * 3 // 4 else power

    @torch.no_grad()
    def evaluate(self, weights, cells):
        """Answers, greedy logits, logit offset and value of any number of positions. A list of weights is an ensemble."""
        if isinstance(weights, list):
            return mean_of([self.evaluate(one, cells) for one in weights])
        parts = []
        for start in range(0, len(cells), self.chunk):
            part = cells[start : start + self.chunk]
            count = len(part)
            padding = min(self.padded(count), self.chunk) - count
            if padding:
                part = torch.cat([part, part.new_zeros(padding, part.shape[1])])
            outputs = (self.cuda_graphs or self.outputs)(weights, part)
            parts.append(tuple(column[:count] for column in outputs))
        return parts[0] if len(parts) == 1 else tuple(torch.cat(column) for column in zip(*parts))

    @torch.no_grad()
    def policy(self, weights, cells):
        """Greedy logits, logit offset, and exact answers where they can be counted; greedy logits then follow from these."""
        greedy, offset = self._policy(weights, cells)
        if not self.odds:
            return greedy, offset, None
        probabilities, counted = self.odds.of(cells)
        exactly = (self.sharpness * (1 - probabilities[:, 0])).masked_fill(greedy <= NEVER, NEVER)
        return torch.where(counted.unsqueeze(1), exactly, greedy), offset, (probabilities, counted)

    def _policy(self, weights, cells):
        """Greedy logits and logit offset, averaged over exchanging the names of two ships of the same length, which should change nothing."""
        _, greedy, offset, _ = self.evaluate(weights, cells)
        renamed = self.game.renamed(cells, self.interchangeable_slots) if self.interchangeable_slots else cells
        rows = (renamed != cells).any(1).nonzero().squeeze(1)
        if len(rows):
            _, other_greedy, other_offset, _ = self.evaluate(weights, renamed[rows])
            greedy[rows] = (greedy[rows] + other_greedy) / 2
            offset[rows] = (offset[rows] + other_offset) / 2
        return greedy, offset


def mean_of(evaluations):
    """The mean output of several networks. Probabilities are averaged, not their logarithms."""
    answers, *others = zip(*evaluations)
    together = torch.stack(answers).logsumexp(0) - math.log(len(answers))
    return together, *(torch.stack(column).mean(0) for column in others)


class CudaGraphs:
    """Outputs by CUDA graphs, one for each batch size: launching kernels one by one takes longer than running them."""

    def __init__(self, player):
        self.player, self.weights, self.held, self.graphs = player, None, None, {}
        self.pool = torch.cuda.graph_pool_handle()

    def __call__(self, weights, cells):
        self.hold(weights)
        if len(cells) not in self.graphs:
            self.graphs[len(cells)] = self.record(cells)
        graph, input_buffer, outputs = self.graphs[len(cells)]
        input_buffer.copy_(cells)
        graph.replay()
        return tuple(column.clone() for column in outputs)

    def hold(self, weights):
        """Copies weights to the memory that the graphs read."""
        if self.weights is weights:
            return
        self.weights = weights
        if self.held is None:
            self.held = {name: weight.clone() for name, weight in weights.items()}
        for name, weight in weights.items():
            self.held[name].copy_(weight)

    def record(self, cells):
        input_buffer = cells.clone()
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(2):
                self.player.outputs(self.held, input_buffer)
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, pool=self.pool):
            outputs = self.player.outputs(self.held, input_buffer)
        return graph, input_buffer, outputs


@torch.no_grad()
def shots_needed(player, weights, count, batch=65536, policy="network", opening=()):
    """Shots until the fleet is sunk in each of `count` games. After the opening each shot is the likeliest of the policy."""
    results = []
    while count > 0:
        fleets = player.game.fleets(min(batch, count))
        count -= len(fleets)
        results.append(shots_at(player, weights, fleets, policy, opening))
    return torch.cat(results)


@torch.no_grad()
def shots_at(player, weights, fleets, policy="network", opening=()):
    """Shots until these fleets are sunk. The opening is fired first, as long as nothing is hit."""
    game = player.game
    cells, left = game.start(fleets)
    dry = torch.arange(len(fleets), device=game.device)
    for shot in opening:
        dry = dry[game.fire(cells, left, fleets, dry, torch.full_like(dry, shot)) == 0]
    live = torch.arange(len(fleets), device=game.device)
    while len(live):
        greedy, offset, _ = player.policy(weights, cells[live])
        logits = greedy + offset if policy == "network" else greedy
        game.fire(cells, left, fleets, live, logits.argmax(1))
        live = live[~game.over(left[live])]
    return (cells != 0).sum(1).double()


@torch.no_grad()
def rollout(player, weights, count, value_network=None, min_probability=0.0):
    """Games of the policy, with what training needs of every move.

    `value_network` is a pair of player and weights. It also evaluates the answers that were not sampled. `unsampled` is the sum over
    them of probability × (miss + value); `sampled_probability` is the probability of the sampled answer. Where odds cannot be counted,
    they are the value network's own, because the player prefers shots where its own odds are too high.
    """
    game = player.game
    fleets = game.fleets(count)
    cells, left = game.start(fleets)
    turns = game.area
    table = lambda kind=torch.float32: torch.zeros(turns, count, dtype=kind, device=game.device)
    log = dict(
        cells=torch.zeros(turns, count, game.area, dtype=torch.uint8, device=game.device),
        greedy=torch.zeros(turns, count, game.area, device=game.device) if value_network else None,
        shot=table(torch.uint8), log_probability=table(), value=table(), unsampled=table(), sampled_probability=table(), miss=table(),
        alive=table(torch.bool), entropy=table(), hit_probability=table(), fleets=fleets,
    )
    live, turn, evaluations = torch.arange(count, device=game.device), 0, 0
    while len(live):
        positions = cells[live]
        greedy, offset, exact = player.policy(weights, positions)
        evaluations += len(live)
        log_probabilities = F.log_softmax(greedy + offset, 1)
        noise = -torch.log(-torch.log(torch.rand_like(log_probabilities).clamp_(1e-20, 1 - 1e-7)))
        shots = (log_probabilities + noise).argmax(1)
        rows = torch.arange(len(live), device=game.device)
        sampled_answers = game.fire(cells, left, fleets, live, shots)
        log["cells"][turn, live], log["shot"][turn, live] = positions, shots.to(torch.uint8)
        log["log_probability"][turn, live] = log_probabilities[rows, shots]
        log["miss"][turn, live], log["alive"][turn, live] = (sampled_answers == 0).float(), True
        log["entropy"][turn, live] = entropy(log_probabilities)
        if value_network:
            log["greedy"][turn, live] = greedy
            answers, _, _, log["value"][turn, live] = value_network[0].evaluate(value_network[1], positions)
            answer_probabilities = answers[rows, :, shots].exp()
            if exact:
                answer_probabilities = torch.where(exact[1].unsqueeze(1), exact[0][rows, :, shots], answer_probabilities)
            log["hit_probability"][turn, live] = 1 - answer_probabilities[:, 0]
            unsampled, sampled_probability, more = _unsampled(value_network, positions, shots, answer_probabilities, sampled_answers, min_probability)
            log["unsampled"][turn, live], log["sampled_probability"][turn, live] = unsampled, sampled_probability
            evaluations += more
        live = live[~game.over(left[live])]
        turn += 1
    log = {name: part[:turn] if name != "fleets" and part is not None else part for name, part in log.items()}
    return log | dict(turns=turn, evaluations=evaluations, final=cells)


def _unsampled(value_network, positions, shots, probabilities, sampled_answers, min_probability):
    """The expected misses over the answers that the shots did not get, by their probability."""
    game = value_network[0].game
    rows = torch.arange(len(positions), device=game.device)
    sampled = F.one_hot(sampled_answers, ANSWERS).bool()
    probabilities = torch.where((probabilities > min_probability) | sampled, probabilities, 0)
    probabilities = probabilities / probabilities.sum(1, keepdim=True)
    games, answers = ((probabilities > 0) & ~sampled).nonzero(as_tuple=True)
    unsampled = torch.zeros(len(positions), device=game.device)
    if len(games):
        cells = game.answered(positions[games], shots[games], answers)
        value = value_network[0].evaluate(value_network[1], cells)[3]
        value = torch.where((game.afloat(cells) <= 0).all(1), 0, value) + (answers == 0)
        unsampled.index_add_(0, games, value * probabilities[games, answers])
    return unsampled, probabilities[rows, sampled_answers], len(games)


def returns(log, lambda_, sampled_share=0.0, max_change=math.inf):
    """TD(λ) returns: the misses to come of every move, in expectation over its answers.

    Later surprises count in full, whatever the probability of the answer that led there. Weighing them by that probability again would
    leave little but the network's own values, and a policy that follows these gets worse. `sampled_share` is the share of the sampled
    answer, in place of the expectation: it adds noise but no error of the odds. One shot changes the misses to come by
    `max_change` at most: a larger jump is usually an error of the value network.
    """
    result = torch.zeros_like(log["value"])
    value = torch.where(log["alive"], log["value"], 0)
    ahead = end_value = torch.zeros_like(value[0])
    for turn in reversed(range(log["turns"])):
        sampled = log["miss"][turn] + (value[turn + 1] if turn + 1 < log["turns"] else end_value)
        expected = log["unsampled"][turn] + log["sampled_probability"][turn] * sampled
        change = (expected - value[turn]).clamp(-max_change, max_change)
        ahead = torch.where(log["alive"][turn], change + lambda_ * ahead, 0)
        result[turn] = value[turn] + ahead + sampled_share * (sampled - expected)
    return result


def entropy(log_probabilities):
    """The entropy of a policy, from log probabilities."""
    return -(log_probabilities.exp() * log_probabilities.clamp(min=MIN_LOG)).sum(1)


def misses_to_come(log):
    """The actual misses from every move on."""
    return log["miss"].flip(0).cumsum(0).flip(0)


def answer_labels(game, fleets, cells):
    """The answer to a shot at each cell."""
    open_cells = cells == 0
    ship = fleets.long()
    left = torch.zeros(len(cells), len(game.rules.ships) + 1, device=cells.device)
    left.scatter_add_(1, ship, open_cells.float())
    last = (left.gather(1, ship) == 1) & open_cells
    return torch.where(ship == 0, 0, torch.where(last, owner_slots(game, fleets) + 1, 1))


def owner_slots(game, fleets):
    """The slot of the ship on every cell, counted from 1; 0 for water."""
    slot = torch.cat([game.ship_slots.new_zeros(1), game.ship_slots + 1])
    return slot[fleets.long()]


def missed(cells):
    return ((cells & MISS) > 0).float()
