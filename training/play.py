"""How a network's outputs become a player, and whole batches of games played by it."""

import math

import torch
import torch.nn.functional as F

from game import ANSWERS, MISS
from network import forward

HIT_SHARPNESS = 50.0  # logits per unit of hit probability: the policy before it has learnt anything is nearly greedy
NEVER = -1e9
LEAST_LOG = -50.0  # of a chance
LEAST_BATCH = 1024


class Player:
    def __init__(self, game, blocks, chunk=16384, sharpness=HIT_SHARPNESS, odds=None, renames=False):
        self.game, self.blocks, self.chunk, self.sharpness, self.odds = game, blocks, chunk, sharpness, odds
        self.twins = game.twins() if renames else None
        self.fast = game.device != "cpu"
        self.recorded = Recorded(self) if self.fast else None

    def view(self, weights, cells):
        """Log probabilities of the answers, owners, misses to come, greedy logits, aim, expected misses to come."""
        planes, may, afloat = self.game.features(cells)
        with torch.autocast(self.game.device, torch.bfloat16, enabled=self.game.number == torch.bfloat16, cache_enabled=False):
            answers, owner, misses, aim, value = forward(weights, planes, self.blocks)
        gone = (afloat <= 0).unsqueeze(2)
        answers = torch.cat([answers[:, :2], answers[:, 2:].masked_fill(gone, -30.0)], 1)
        answers = F.log_softmax(answers, 1)
        greedy = (self.sharpness * (1 - answers[:, 0].detach().exp())).masked_fill(~may, NEVER)
        value = (torch.sigmoid(misses) * may).sum(1) + value
        return answers, owner, misses, greedy, aim.masked_fill(~may, 0), value, may

    def seen(self, weights, cells):
        """What play needs of a view."""
        answers, _, _, greedy, aim, value, _ = self.view(weights, cells)
        return answers, greedy, aim, value.clamp(min=0)

    def padded(self, count):
        """A few sizes of batches only, so that kernels are chosen once."""
        if not self.fast:
            return count
        if count <= LEAST_BATCH:
            return LEAST_BATCH
        power = 1 << (count - 1).bit_length()
        return power * 3 // 4 if count <= power * 3 // 4 else power

    @torch.no_grad()
    def look(self, weights, cells):
        """Answers, greedy logits, aim and value of any number of positions; of several networks, a list, their mean."""
        if isinstance(weights, list):
            return mean_of([self.look(one, cells) for one in weights])
        parts = []
        for start in range(0, len(cells), self.chunk):
            part = cells[start : start + self.chunk]
            count = len(part)
            room = min(self.padded(count), self.chunk) - count
            if room:
                part = torch.cat([part, part.new_zeros(room, part.shape[1])])
            seen = (self.recorded or self.seen)(weights, part)
            parts.append(tuple(column[:count] for column in seen))
        return parts[0] if len(parts) == 1 else tuple(torch.cat(column) for column in zip(*parts))

    @torch.no_grad()
    def aim(self, weights, cells):
        """Greedy logits and aim, and exact answers with where they are known: from there greed goes by them."""
        greedy, aim = self._aim(weights, cells)
        if not self.odds:
            return greedy, aim, None
        chances, counted = self.odds.of(cells)
        exactly = (self.sharpness * (1 - chances[:, 0])).masked_fill(greedy <= NEVER, NEVER)
        return torch.where(counted.unsqueeze(1), exactly, greedy), aim, (chances, counted)

    def _aim(self, weights, cells):
        """The mean of what the network says whichever of two like ships has which name: it should be the same, but for noise."""
        _, greedy, aim, _ = self.look(weights, cells)
        renamed = self.game.renamed(cells, self.twins) if self.twins else cells
        rows = (renamed != cells).any(1).nonzero().squeeze(1)
        if len(rows):
            _, other_greedy, other_aim, _ = self.look(weights, renamed[rows])
            greedy[rows] = (greedy[rows] + other_greedy) / 2
            aim[rows] = (aim[rows] + other_aim) / 2
        return greedy, aim


def mean_of(looks):
    """What several networks say together: chances are averaged as chances, not as logarithms."""
    answers, *others = zip(*looks)
    together = torch.stack(answers).logsumexp(0) - math.log(len(answers))
    return together, *(torch.stack(column).mean(0) for column in others)


class Recorded:
    """Views as recorded graphs, one for each size of batch: launching kernels one by one takes longer than they do."""

    def __init__(self, player):
        self.player, self.weights, self.held, self.graphs = player, None, None, {}
        self.pool = torch.cuda.graph_pool_handle()

    def __call__(self, weights, cells):
        self.hold(weights)
        if len(cells) not in self.graphs:
            self.graphs[len(cells)] = self.record(cells)
        graph, room, seen = self.graphs[len(cells)]
        room.copy_(cells)
        graph.replay()
        return tuple(column.clone() for column in seen)

    def hold(self, weights):
        """Graphs read weights where they were recorded."""
        if self.weights is weights:
            return
        self.weights = weights
        if self.held is None:
            self.held = {name: weight.clone() for name, weight in weights.items()}
        for name, weight in weights.items():
            self.held[name].copy_(weight)

    def record(self, cells):
        room = cells.clone()
        aside = torch.cuda.Stream()
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):
            for _ in range(2):
                self.player.seen(self.held, room)
        torch.cuda.current_stream().wait_stream(aside)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, pool=self.pool):
            seen = self.player.seen(self.held, room)
        return graph, room, seen


@torch.no_grad()
def shots_needed(player, weights, count, batch=65536, policy="network", opening=()):
    """Shots until all is sunk in so many games, the likeliest move of the policy each time but for an opening."""
    results = []
    while count > 0:
        fleets = player.game.fleets(min(batch, count))
        count -= len(fleets)
        results.append(shots_at(player, weights, fleets, policy, opening))
    return torch.cat(results)


@torch.no_grad()
def shots_at(player, weights, fleets, policy="network", opening=()):
    """Shots until these fleets are sunk. An opening is shot at first, as long as nothing is hit."""
    game = player.game
    cells, left = game.start(fleets)
    dry = torch.arange(len(fleets), device=game.device)
    for shot in opening:
        dry = dry[game.fire(cells, left, fleets, dry, torch.full_like(dry, shot)) == 0]
    live = torch.arange(len(fleets), device=game.device)
    while len(live):
        greedy, aim, _ = player.aim(weights, cells[live])
        logits = greedy + aim if policy == "network" else greedy
        game.fire(cells, left, fleets, live, logits.argmax(1))
        live = live[~game.over(left[live])]
    return (cells != 0).sum(1).double()


@torch.no_grad()
def rollout(player, weights, count, judge=None, least=0.0):
    """Games of the policy with what training needs of every move.

    A judge, player and weights, looks at the other answers a shot might have got too: `aside` is the sum over them of
    probability times misses to come, `taken` the probability of the answer that came. Odds that cannot be counted are the judge's
    own: the player shoots where its odds err in favour of a shot.
    """
    game = player.game
    fleets = game.fleets(count)
    cells, left = game.start(fleets)
    turns = game.area
    table = lambda kind=torch.float32: torch.zeros(turns, count, dtype=kind, device=game.device)
    log = dict(
        cells=torch.zeros(turns, count, game.area, dtype=torch.uint8, device=game.device),
        greedy=torch.zeros(turns, count, game.area, device=game.device) if judge else None,
        shot=table(torch.uint8), chance=table(), value=table(), aside=table(), taken=table(), miss=table(),
        alive=table(torch.bool), entropy=table(), hoped=table(), fleets=fleets,
    )
    live, turn, looks = torch.arange(count, device=game.device), 0, 0
    while len(live):
        seen = cells[live]
        greedy, aim, exact = player.aim(weights, seen)
        looks += len(live)
        chances = F.log_softmax(greedy + aim, 1)
        noise = -torch.log(-torch.log(torch.rand_like(chances).clamp_(1e-20, 1 - 1e-7)))
        shots = (chances + noise).argmax(1)
        rows = torch.arange(len(live), device=game.device)
        told = game.fire(cells, left, fleets, live, shots)
        log["cells"][turn, live], log["shot"][turn, live] = seen, shots.to(torch.uint8)
        log["chance"][turn, live] = chances[rows, shots]
        log["miss"][turn, live], log["alive"][turn, live] = (told == 0).float(), True
        log["entropy"][turn, live] = entropy(chances)
        if judge:
            log["greedy"][turn, live] = greedy
            answers, _, _, log["value"][turn, live] = judge[0].look(judge[1], seen)
            chance = answers[rows, :, shots].exp()
            if exact:
                chance = torch.where(exact[1].unsqueeze(1), exact[0][rows, :, shots], chance)
            log["hoped"][turn, live] = 1 - chance[:, 0]
            aside, taken, more = _aside(judge, seen, shots, chance, told, least)
            log["aside"][turn, live], log["taken"][turn, live] = aside, taken
            looks += more
        live = live[~game.over(left[live])]
        turn += 1
    log = {name: part[:turn] if name != "fleets" and part is not None else part for name, part in log.items()}
    return log | dict(turns=turn, looks=looks, final=cells)


def _aside(judge, seen, shots, chance, told, least):
    """Misses to come after the answers that did not come, by their probability."""
    game = judge[0].game
    rows = torch.arange(len(seen), device=game.device)
    came = F.one_hot(told, ANSWERS).bool()
    chance = torch.where((chance > least) | came, chance, 0)
    chance = chance / chance.sum(1, keepdim=True)
    games, answers = ((chance > 0) & ~came).nonzero(as_tuple=True)
    aside = torch.zeros(len(seen), device=game.device)
    if len(games):
        cells = game.answered(seen[games], shots[games], answers)
        value = judge[0].look(judge[1], cells)[3]
        value = torch.where((game.afloat(cells) <= 0).all(1), 0, value) + (answers == 0)
        aside.index_add_(0, games, value * chance[games, answers])
    return aside, chance[rows, told], len(games)


def returns(log, trust, real=0.0, most=math.inf):
    """Misses to come of every move, in expectation over its answers; `trust` is how far ahead play is followed.

    What play later turned out better or worse than its value counts in full, whatever the chance of the answer was that
    led there: weighing it by that chance again would leave little but the network's own opinion of its positions, and
    a policy that follows this gets worse. `real` is the share that the answer to the shot itself has in place of the
    expectation: luck, but no error of the odds. A shot changes the misses to come by `most` at the most: where they seem to
    jump, the judge errs, and every shot before would be praised or blamed for it.
    """
    result = torch.zeros_like(log["value"])
    value = torch.where(log["alive"], log["value"], 0)
    ahead = over = torch.zeros_like(value[0])
    for turn in reversed(range(log["turns"])):
        came = log["miss"][turn] + (value[turn + 1] if turn + 1 < log["turns"] else over)
        expected = log["aside"][turn] + log["taken"][turn] * came
        change = (expected - value[turn]).clamp(-most, most)
        ahead = torch.where(log["alive"][turn], change + trust * ahead, 0)
        result[turn] = value[turn] + ahead + real * (came - expected)
    return result


def entropy(chances):
    """Of logarithms of chances."""
    return -(chances.exp() * chances.clamp(min=LEAST_LOG)).sum(1)


def misses_to_come(log):
    """What was really missed from every move on."""
    return log["miss"].flip(0).cumsum(0).flip(0)


def labels(game, fleets, cells):
    """The answer that a shot at every cell would get."""
    open_cells = cells == 0
    ship = fleets.long()
    left = torch.zeros(len(cells), len(game.rules.ships) + 1, device=cells.device)
    left.scatter_add_(1, ship, open_cells.float())
    last = (left.gather(1, ship) == 1) & open_cells
    return torch.where(ship == 0, 0, torch.where(last, owners(game, fleets) + 1, 1))


def owners(game, fleets):
    """The slot of the ship on every cell, from 1; 0: water."""
    slot = torch.cat([game.ship_slots.new_zeros(1), game.ship_slots + 1])
    return slot[fleets.long()]


def missed(cells):
    return ((cells & MISS) > 0).float()
