"""Thousands of games at once on one device: fleets, answers, and what a shooter can see of them.

A position is one byte per cell:
    0          not shot at
    128        a miss
    64 | bits  a hit; bit i says that a ship of slot i was still afloat when it was made
    96 | bit   ships may touch: the hit that sank the ship of slot i; ships keep apart: any cell of a sunk ship of slot i
Everything announced is in these bytes, so networks and players look at nothing else.

Ships are sorted into five slots by class, the same slots for all rules, so that one network can start from another.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F

SLOTS = 5
MISS, HIT, SUNK = 128, 64, 32
ANSWERS = 2 + SLOTS  # miss, hit, sunk a ship of slot i
HIT_WEIGHT = 2.3  # a placement weighs e^2.3, about ten times as much, for each open hit it covers
SCALARS = 6 + 4 * SLOTS + 5
PAIRS = 2 * SLOTS


@dataclass(frozen=True)
class Rules:
    size: int
    lengths: tuple  # of each slot
    counts: tuple  # ships of each slot; 0: the slot is not used
    touching: bool  # ships may touch

    @property
    def ships(self):
        return [slot for slot in range(SLOTS) for _ in range(self.counts[slot])]

    @property
    def cells(self):
        return sum(length * count for length, count in zip(self.lengths, self.counts))


RULES = {
    "classic": Rules(10, (5, 4, 3, 3, 2), (1, 1, 1, 1, 1), True),
    "classic-apart": Rules(10, (5, 4, 3, 3, 2), (1, 1, 1, 1, 1), False),
    "russian": Rules(10, (1, 4, 3, 3, 2), (4, 1, 2, 0, 3), False),
    "4x4:3,2": Rules(4, (5, 4, 3, 3, 2), (0, 0, 1, 0, 1), True),
    "6x6:3,2,2-apart": Rules(6, (5, 4, 3, 3, 2), (0, 0, 1, 0, 2), False),
}


def placements(size, length):
    """Cells of every placement, and whether it lies across."""
    ships, across = [], []
    for down in (0, 1) if length > 1 else (0,):
        for row in range(size - (length - 1) * down):
            for col in range(size - (length - 1) * (1 - down)):
                ships.append([(row + k * down) * size + col + k * (1 - down) for k in range(length)])
                across.append(1 - down)
    return ships, across


class Game:
    def __init__(self, rules, device):
        self.rules, self.device, self.size = rules, device, rules.size
        self.area = rules.size**2
        self.number = torch.bfloat16 if device != "cpu" else torch.float32
        self.generator = torch.Generator(device=device)
        self.bits = (1 << torch.arange(SLOTS, device=device)).to(torch.uint8)
        self.counts = torch.tensor(rules.counts, device=device)
        self.lengths = torch.tensor(rules.lengths, device=device)
        self.ship_slots = torch.tensor(rules.ships, device=device)
        self.ship_lengths = self.lengths[self.ship_slots]
        self._tables()

    def _tables(self):
        size, area = self.size, self.area
        self.cover, self.halo, self.across, self.words = [], [], [], []
        for length in self.rules.lengths:
            ships, across = placements(size, length)
            cover = torch.zeros(len(ships), area)
            for row, cells in zip(cover, ships):
                row[cells] = 1
            around = F.max_pool2d(cover.view(-1, 1, size, size), 3, 1, 1).view(-1, area)
            keep = around if not self.rules.touching else cover
            self.cover.append(cover.to(self.device))
            self.halo.append((around - cover).to(self.device))
            across = torch.tensor(across, device=self.device, dtype=torch.float32)
            self.across.append(across if length > 1 else torch.full_like(across, 0.5))
            self.words.append((self._words(cover), self._words(keep)))

    def _words(self, cells):
        """Sets of cells as two words."""
        powers = 1 << torch.arange(self.area, dtype=torch.int64).remainder(50)
        split = min(50, self.area)
        sums = [(cells[:, :split].long() * powers[:split]).sum(1), (cells[:, split:].long() * powers[split:]).sum(1)]
        return torch.stack(sums, 1).to(self.device)

    def seed(self, seed):
        self.generator.manual_seed(seed)

    def fleets(self, count):
        """Ship number (from 1) of every cell, uniform over all legal fleets: random ships, kept if all is legal."""
        found, have, draw = [], 0, 4096
        while have < count:
            fleets = self._draw(draw)
            found.append(fleets)
            have += len(fleets)
            draw = int(min((count - have + 64) * draw / max(len(fleets), 1) * 1.1, 1 << 26)) if have < count else 0
            draw = max(draw, 4096)
        return torch.cat(found)[:count]

    def _draw(self, draw):
        taken = torch.zeros(draw, 2, dtype=torch.int64, device=self.device)
        chosen = torch.zeros(draw, 0, dtype=torch.int16, device=self.device)
        for slot in self.rules.ships:
            cover, keep = self.words[slot]
            pick = torch.randint(len(cover), (len(taken),), device=self.device, generator=self.generator)
            free = ((taken & cover[pick]) == 0).all(1)
            pick = pick[free]
            taken = taken[free] | keep[pick]
            chosen = torch.cat([chosen[free], pick.to(torch.int16).unsqueeze(1)], 1)
        fleets = torch.zeros(len(chosen), self.area, dtype=torch.uint8, device=self.device)
        for ship, slot in enumerate(self.rules.ships):
            fleets += self.cover[slot].to(torch.uint8)[chosen[:, ship].long()] * (ship + 1)
        return fleets

    # What a position says ---------------------------------------------------------------------------------------

    def afloat(self, cells):
        """Ships of each slot still afloat."""
        sunk = ((cells & SUNK) > 0).unsqueeze(1) & ((cells.unsqueeze(1) & self.bits.view(1, -1, 1)) > 0)
        sunk = sunk.sum(2)
        return self.counts - (sunk if self.rules.touching else sunk // self.lengths)

    def candidates(self, cells):
        """Cells that may still hold a ship, as far as a glance tells."""
        unknown = cells == 0
        return unknown if self.rules.touching else unknown & ~self._blocked(cells)

    def _blocked(self, cells):
        """Cells beside a sunk ship or at a corner of a hit, where ships keep apart."""
        square = (len(cells), 1, self.size, self.size)
        sunk = ((cells & SUNK) > 0).view(square).to(self.number)
        hit = ((cells & HIT) > 0).view(square).to(self.number)
        corners = torch.zeros(1, 1, 3, 3, device=cells.device, dtype=self.number)
        corners[..., ::2, ::2] = 1
        blocked = (F.max_pool2d(sunk, 3, 1, 1) > 0) | (F.conv2d(hit, corners, padding=1) > 0)
        return blocked.view(len(cells), -1) & (cells == 0)

    def features(self, cells):
        """Planes for the network: scalars first, then pairs (across, down)."""
        rules, number = self.rules, self.number
        afloat = self.afloat(cells)
        some = afloat > 0
        unknown = self.candidates(cells)
        miss, hit, sunk = (cells & MISS) > 0, (cells & HIT) > 0, (cells & SUNK) > 0
        blocked = (cells == 0) & ~unknown
        marked = ((cells.unsqueeze(1) & self.bits.view(1, -1, 1)) > 0) & hit.unsqueeze(1)
        marks = marked & ~sunk.unsqueeze(1)  # may be a ship of slot i
        ends = marked & sunk.unsqueeze(1)  # sank a ship of slot i
        if not rules.touching:
            marks = (hit & ~sunk).unsqueeze(1).expand_as(marks)
        valid, plain = [], []
        for slot in range(SLOTS):
            fits = self._fits(slot, unknown, hit & ~sunk, marked[:, slot], marks[:, slot], ends[:, slot], some[:, slot])
            valid.append(fits)
            plain.append(fits.sum(1, keepdim=True, dtype=torch.float32))
        open_hits = (hit & ~sunk).to(torch.float32)
        if rules.touching:
            explained = 0
            for slot in range(SLOTS):
                if rules.counts[slot]:
                    share = (valid[slot] / plain[slot].clamp(min=1).to(number)) @ self.cover[slot].to(number)
                    explained = explained + torch.where(some[:, slot : slot + 1], 0, share.float())
            open_hits = (hit.float() - explained).clamp(min=0)
        pairs, total, total_weighted = [], 1.0, 1.0
        weighted_pairs = []
        for slot in range(SLOTS):
            if not rules.counts[slot]:
                zero = torch.zeros(len(cells), 2, self.area, device=cells.device)
                pairs.append(zero)
                weighted_pairs.append(zero)
                continue
            weights = valid[slot].float() * torch.exp(HIT_WEIGHT * (open_hits.to(number) @ self.cover[slot].to(number).t()).float())
            plainly = self._density(slot, valid[slot].float())
            weighted = self._density(slot, weights)
            pairs.append(plainly)
            weighted_pairs.append(weighted)
            ships = afloat[:, slot : slot + 1].float()
            total = total * (1 - plainly.sum(1)).clamp(min=0) ** ships
            total_weighted = total_weighted * (1 - weighted.sum(1)).clamp(min=0) ** ships
        one = torch.ones(len(cells), 1, self.area, device=cells.device)
        hits_left = 1 - hit.float().sum(1).view(-1, 1, 1) / rules.cells
        misses = miss.float().sum(1).view(-1, 1, 1) * (2 / self.area)
        each = lambda values: values.float().unsqueeze(2).expand(-1, -1, self.area)
        scalars = [
            torch.stack([unknown.float(), miss.float(), hit.float(), sunk.float(), open_hits, blocked.float()], 1),
            marks.float(), ends.float(), each(afloat * 0.25), each(torch.log1p(torch.cat(plain, 1)) * 0.2),
            ((1 - total) * unknown).unsqueeze(1) * 2, ((1 - total_weighted) * unknown).unsqueeze(1) * 2,
            one, one * hits_left, one * misses,
        ]
        planes = torch.cat(scalars + [2 * pair for pair in pairs + weighted_pairs], 1)
        return planes.to(number).view(len(cells), -1, self.size, self.size)

    def _fits(self, slot, unknown, open_hits, marked, marks, ends, some):
        """Which placements of a slot agree with the answers, taken alone."""
        if not self.rules.counts[slot]:
            return torch.zeros(len(unknown), len(self.cover[slot]), device=unknown.device, dtype=self.number)
        number, length = self.number, self.rules.lengths[slot]
        cover = self.cover[slot].to(number).t()
        some = some.unsqueeze(1)
        if self.rules.touching:
            allowed = torch.where(some, unknown | marks, marked)
            needed = torch.where(some, unknown, ends)
            score = (allowed.to(number) * 16 + needed.to(number)) @ cover
            return (score > 16 * length).to(number)
        score = ((unknown | marks).to(number) * 16 + unknown.to(number)) @ cover
        beside = open_hits.to(number) @ self.halo[slot].to(number).t()
        return ((score > 16 * length) & (beside == 0) & some).to(number)

    def _density(self, slot, weights):
        """Probability of every cell across and down, placements drawn by weight."""
        weights = weights / weights.sum(1, keepdim=True).clamp(min=1e-9)
        cover = self.cover[slot].to(self.number)
        across = ((weights * self.across[slot]).to(self.number) @ cover).float()
        down = ((weights * (1 - self.across[slot])).to(self.number) @ cover).float()
        return torch.stack([across, down], 1)

    # Play -------------------------------------------------------------------------------------------------------

    def start(self, fleets):
        """Positions before the first shot, and cells left of every ship."""
        cells = torch.zeros(len(fleets), self.area, dtype=torch.uint8, device=self.device)
        return cells, self.ship_lengths.repeat(len(fleets), 1)

    def fire(self, cells, left, fleets, games, shots):
        """Fires one shot in each of some games; the answers."""
        owner = fleets[games, shots].long()
        ship = (owner - 1).clamp(min=0)
        struck = owner > 0
        left[games, ship] -= struck.to(left.dtype)
        sunk = struck & (left[games, ship] == 0)
        answers = torch.where(sunk, 2 + self.ship_slots[ship], struck.long())
        cells[games] = self.answered(cells[games], shots, answers)
        return answers

    def answered(self, cells, shots, answers):
        """Positions after these answers."""
        rows = torch.arange(len(cells), device=cells.device)
        cells = cells.clone()
        bit = self.bits[(answers - 2).clamp(min=0)]
        if self.rules.touching:
            mark = HIT | ((self.afloat(cells) > 0) * self.bits).sum(1).to(torch.uint8)
        else:
            mark = torch.full_like(bit, HIT)
        cells[rows, shots] = torch.where(answers == 0, MISS, torch.where(answers == 1, mark, HIT | SUNK | bit))
        return cells if self.rules.touching else self._raised(cells, shots, answers, bit)

    def _raised(self, cells, shots, answers, bit):
        """Marks the whole ship sunk by a shot: the hits in line with it."""
        rows = torch.arange(len(cells), device=cells.device)
        row, col = shots // self.size, shots % self.size
        for down, across in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            reach = answers >= 2
            for step in range(1, max(self.rules.lengths)):
                r, c = row + down * step, col + across * step
                inside = (r >= 0) & (r < self.size) & (c >= 0) & (c < self.size)
                at = torch.where(inside, r * self.size + c, shots)
                value = cells[rows, at]
                reach = reach & inside & ((value & (HIT | SUNK)) == HIT)
                cells[rows, at] = torch.where(reach, HIT | SUNK | bit, value)
        return cells

    def over(self, left):
        return (left == 0).all(1)
