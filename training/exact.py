"""Exact treatment of small boards: every fleet, the true odds of every answer, and play over all fleets."""

import torch

from game import ANSWERS, HIT, MISS, SUNK
from play import Player, answer_labels


def all_fleets(game):
    """Every legal fleet as ship numbers (from 1) on the cells. Ships of one slot are distinct, each order equally often."""
    taken = torch.zeros(1, 2, dtype=torch.int64, device=game.device)
    fleets = torch.zeros(1, game.area, dtype=torch.uint8, device=game.device)
    for ship, slot in enumerate(game.rules.ships):
        cover, keep = game.cell_words[slot]
        fleet, placed = ((taken.unsqueeze(1) & cover.unsqueeze(0)) == 0).all(2).nonzero(as_tuple=True)
        taken = taken[fleet] | keep[placed]
        fleets = fleets[fleet] + game.cover[slot][placed] * (ship + 1)
    return fleets


class Oracle:
    def __init__(self, game):
        self.game, self.fleets = game, all_fleets(game)
        ships = torch.arange(1, len(game.rules.ships) + 1, device=game.device).view(1, -1, 1)
        self.mine = (self.fleets.unsqueeze(1) == ships).float()  # [fleet, ship, cell]

    def fits(self, cells):
        """[position, fleet]: whether the fleet is consistent with the answers."""
        game = self.game
        hit, sunk, open_cells = (cells & HIT) > 0, (cells & SUNK) > 0, (cells == 0).float()
        taken = self.mine.sum(1).t()
        wrong = hit.float() @ (1 - taken) + ((cells & MISS) > 0).float() @ taken
        for ship, slot in enumerate(game.rules.ships):
            named = (cells & (1 << slot)) > 0
            other = hit & ~named if game.rules.touching else sunk & ~named
            mine = self.mine[:, ship].t()
            wrong += other.float() @ mine
            afloat = (open_cells @ mine) > 0
            ended = (sunk & named).float() @ mine
            if game.rules.touching:
                wrong += afloat == (ended > 0)
            else:
                wrong += torch.where(afloat, ended > 0, ended < mine.sum(0))
        return wrong == 0

    def probabilities(self, cells):
        """[position, answer, cell]: true probabilities, ANSWERS x area each."""
        position, fleet = self.fits(cells).nonzero(as_tuple=True)
        label = answer_labels(self.game, self.fleets[fleet], cells[position])
        answers = torch.nn.functional.one_hot(label, ANSWERS).transpose(1, 2).float()
        sums = torch.zeros(len(cells), ANSWERS, cells.shape[1], device=cells.device).index_add_(0, position, answers)
        return sums / sums.sum(1, keepdim=True).clamp(min=1)


class SmallPlayer(Player):
    """Evaluates symmetric positions only once: on small boards most positions have symmetric ones."""

    def __init__(self, game, blocks, **settings):
        super().__init__(game, blocks, **settings)
        self.cuda_graphs = None  # the number of positions to evaluate is not known in advance
        board = torch.arange(game.area, device=game.device).view(game.size, game.size)
        sides = board, board.flip(1)
        self.images = torch.stack([torch.rot90(side, turn).flatten() for side in sides for turn in range(4)])
        self.back = self.images.argsort(1)
        mixer = torch.Generator().manual_seed(1)
        self.mixed = torch.randint(-(1 << 62), 1 << 62, (game.area,), generator=mixer).to(game.device)[self.back]

    def predict(self, weights, cells):
        mark, image = torch.stack([(cells.long() * mixed).sum(1) for mixed in self.mixed], 1).min(1)
        marks, which = mark.unique(return_inverse=True)
        first = which.new_zeros(len(marks)).scatter_(0, which, torch.arange(len(cells), device=cells.device))
        parts = super().predict(weights, cells.gather(1, self.images[image])[first])
        back = self.back[image]
        return tuple(self._turned(part[which], back) for part in parts)

    @staticmethod
    def _turned(part, back):
        if part.dim() == 1:
            return part
        return part.gather(part.dim() - 1, back if part.dim() == 2 else back.unsqueeze(1).expand(-1, part.shape[1], -1))
