"""Thousands of games at once on one device: fleets, answers, and the input planes of networks.

A position is one byte per cell:
    0          not shot at
    128        a miss
    64 | bits  a hit; bit i says that a ship of slot i was still afloat when it was made
    96 | bit   ships may touch: the hit that sank the ship of slot i; apart: any cell of a sunk ship of slot i
These bytes contain all announcements. Networks and players see nothing else.

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
PADDING = -(SCALARS + 2 * PAIRS) % 8  # empty planes: kernels like eights
BLOCKED = 1  # a byte for cells not shot at that cannot hold a ship; used only while planes are computed


@dataclass(frozen=True)
class Rules:
    size: int
    lengths: tuple  # of each slot
    counts: tuple  # ships of each slot; 0: the slot is not used
    touching: bool  # whether ships may touch

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
    "5x5:3,2": Rules(5, (5, 4, 3, 3, 2), (0, 0, 1, 0, 1), True),
    "5x5:3,2-apart": Rules(5, (5, 4, 3, 3, 2), (0, 0, 1, 0, 1), False),
    "6x6:3,2,2-apart": Rules(6, (5, 4, 3, 3, 2), (0, 0, 1, 0, 2), False),
}


def placements(size, length):
    """The cells of every placement, and whether it is across."""
    ships, across = [], []
    for down in (0, 1) if length > 1 else (0,):
        for row in range(size - (length - 1) * down):
            for col in range(size - (length - 1) * (1 - down)):
                ships.append([(row + k * down) * size + col + k * (1 - down) for k in range(length)])
                across.append(1 - down)
    return ships, across


class Game:
    def __init__(self, rules, device, number=None):
        self.rules, self.device, self.size = rules, device, rules.size
        self.area = rules.size**2
        self.number = number or (torch.bfloat16 if device != "cpu" else torch.float32)
        self.generator = torch.Generator(device=device)
        self.bits = (1 << torch.arange(SLOTS, device=device)).to(torch.uint8)
        self.counts = torch.tensor(rules.counts, device=device)
        self.lengths = torch.tensor(rules.lengths, device=device)
        self.ship_slots = torch.tensor(rules.ships, device=device)
        self.ship_lengths = self.lengths[self.ship_slots]
        self._tables()

    def _tables(self):
        size, area = self.size, self.area
        self.cover, self.cell_words = [], []
        halo, lies = [], []
        for length in self.rules.lengths:
            ships, across = placements(size, length)
            cover = torch.zeros(len(ships), area)
            for row, cells in zip(cover, ships):
                row[cells] = 1
            around = F.max_pool2d(cover.view(-1, 1, size, size), 3, 1, 1).view(-1, area)
            self.cover.append(cover.to(self.device, torch.uint8))
            self.cell_words.append((self._cell_words(cover), self._cell_words(cover if self.rules.touching else around)))
            halo.append(around - cover)
            lies.append(torch.tensor(across) if length > 1 else torch.full((len(ships),), 0.5))
        self._placement_tables(halo, lies)
        self._byte_tables()

    def _placement_tables(self, halo, lies):
        """The placements of all slots in one table with `slot_width` columns for each slot, so that one product serves them all.

        fit_matrix     [cell and slot, placement]: sums the `fit_values` of the cells that a placement covers
        fit_threshold  [placement]: a larger sum means that the placement fits; infinite for unused columns
        covers         [placement, cell]
        density        [placement, cell and slot and across or down]: two for each cell covered
        blocked_by     [sunk cells then hits, cell]: cells that these exclude, where ships may not touch
        """
        area, touching = self.area, self.rules.touching
        self.slot_width = -(-max(len(cover) for cover in self.cover) // 8) * 8
        fit_matrix = torch.zeros(area, SLOTS + (not touching), SLOTS, self.slot_width)
        fit_threshold = torch.full((SLOTS, self.slot_width), float("inf"))
        covers = torch.zeros(SLOTS, self.slot_width, area)
        density = torch.zeros(SLOTS, self.slot_width, area, SLOTS, 2)
        for slot, (length, count) in enumerate(zip(self.rules.lengths, self.rules.counts)):
            if not count:
                continue
            cover, many = self.cover[slot].cpu().float(), len(self.cover[slot])
            fit_matrix[:, slot, slot, :many] = cover.t()
            if not touching:
                fit_matrix[:, SLOTS, slot, :many] = -64 * halo[slot].t()
            fit_threshold[slot, :many] = 16 * length
            covers[slot, :many] = cover
            across = lies[slot].view(-1, 1)
            density[slot, :many, :, slot] = 2 * torch.stack([cover * across, cover * (1 - across)], 2)
        ready = lambda table, *shape: table.reshape(*shape).to(self.device, self.number).contiguous()
        columns = SLOTS * self.slot_width
        self.fit_matrix, self.fit_threshold = ready(fit_matrix, -1, columns), ready(fit_threshold, columns)
        self.covers, self.density = ready(covers, columns, area), ready(density, columns, -1)
        self.covered = ready(self.covers.t(), area, columns)
        self.blocked_by = ready(self._blocked_by(), 2 * area, area)

    def _blocked_by(self):
        row, col = torch.arange(self.area) // self.size, torch.arange(self.area) % self.size
        down, right = (row.unsqueeze(1) - row).abs(), (col.unsqueeze(1) - col).abs()
        return torch.cat([(down <= 1) & (right <= 1), (down == 1) & (right == 1)]).float()

    def _byte_tables(self):
        """Tables that decode a byte.

        byte_features  [byte]: unknown, miss, hit, sunk, open hit, blocked, may be a ship of slot i, sank a ship of slot i
        fit_values     [slots afloat, byte, slot]: 16 if a ship of the slot may cover the cell, and 1 more if it needs such a cell
        sunk_nibbles   [byte]: four bits for each slot that count sunk ships
        """
        byte = torch.arange(256)
        bit = (byte.unsqueeze(1) >> torch.arange(SLOTS)) & 1 > 0
        unknown, blocked = byte == 0, byte == BLOCKED
        miss, hit, sunk = (byte & MISS) > 0, (byte & HIT) > 0, ((byte & HIT) > 0) & ((byte & SUNK) > 0)
        open_hit = hit & ~sunk
        named = bit & hit.unsqueeze(1)
        marks = named & ~sunk.unsqueeze(1) if self.rules.touching else open_hit.unsqueeze(1).expand_as(named)
        ends = named & sunk.unsqueeze(1)
        byte_features = torch.cat([torch.stack([unknown, miss, hit, sunk, open_hit, blocked], 1), marks, ends], 1)
        free = unknown.unsqueeze(1)
        afloat = 16 * (free | marks) + 1 * free
        gone = 16 * named + 1 * ends if self.rules.touching else torch.zeros_like(afloat)
        some = (torch.arange(1 << SLOTS).view(-1, 1, 1) >> torch.arange(SLOTS)) & 1 > 0
        fit_values = torch.where(some, afloat, gone)
        if not self.rules.touching:
            fit_values = torch.cat([fit_values, open_hit.view(1, -1, 1).expand(len(fit_values), -1, 1)], 2)
        self.byte_features = byte_features.to(self.device, self.number)
        self.fit_values = fit_values.flatten(0, 1).to(self.device, self.number)
        self.sunk_nibbles = (ends << (4 * torch.arange(SLOTS))).sum(1).to(self.device, torch.int32)
        self.nibbles = 4 * torch.arange(SLOTS, device=self.device, dtype=torch.int32)

    def _cell_words(self, cells):
        """Sets of cells as two 64-bit words."""
        powers = 1 << torch.arange(self.area, dtype=torch.int64).remainder(50)
        split = min(50, self.area)
        sums = [(cells[:, :split].long() * powers[:split]).sum(1), (cells[:, split:].long() * powers[split:]).sum(1)]
        return torch.stack(sums, 1).to(self.device)

    def interchangeable_slots(self):
        """Two slots that differ only in their names, if there are any."""
        kinds = list(zip(self.rules.lengths, self.rules.counts))
        pairs = ((a, b) for a in range(SLOTS) for b in range(a + 1, SLOTS))
        return next(((a, b) for a, b in pairs if kinds[a][1] and kinds[a] == kinds[b]), None)

    def renamed(self, cells, interchangeable_slots):
        """Positions with the names of two slots exchanged."""
        low, high = (cells >> slot & 1 for slot in interchangeable_slots)
        changed = (low ^ high) * (1 << interchangeable_slots[0] | 1 << interchangeable_slots[1])
        return torch.where((cells & HIT) > 0, cells ^ changed.to(torch.uint8), cells)

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
            cover, keep = self.cell_words[slot]
            pick = torch.randint(len(cover), (len(taken),), device=self.device, generator=self.generator)
            free = ((taken & cover[pick]) == 0).all(1)
            pick = pick[free]
            taken = taken[free] | keep[pick]
            chosen = torch.cat([chosen[free], pick.to(torch.int16).unsqueeze(1)], 1)
        fleets = torch.zeros(len(chosen), self.area, dtype=torch.uint8, device=self.device)
        for ship, slot in enumerate(self.rules.ships):
            fleets += self.cover[slot][chosen[:, ship].long()] * (ship + 1)
        return fleets

    # What follows from a position ---------------------------------------------------------------------------------------

    def afloat(self, cells):
        """Ships of each slot still afloat."""
        sunk = (self.sunk_nibbles[cells.int()].sum(1, keepdim=True, dtype=torch.int32) >> self.nibbles) & 15
        return self.counts - (sunk if self.rules.touching else sunk // self.lengths)

    def _with_blocked(self, cells):
        """Positions with the cells marked that cannot hold a ship beside sunk ships and hits."""
        if self.rules.touching:
            return cells.int()
        shown = torch.cat([(cells & SUNK) > 0, (cells & HIT) > 0], 1).to(self.number)
        return cells.int() + (((shown @ self.blocked_by) > 0) & (cells == 0))

    def features(self, cells):
        """Planes for the network (scalars first, then pairs across and down), cells to choose from, ships afloat.

        Planes come last in memory, which is fastest for kernels.
        """
        rules, number, count = self.rules, self.number, len(cells)
        afloat = self.afloat(cells)
        marked = self._with_blocked(cells)
        byte_features = F.embedding(marked, self.byte_features)
        valid = self._fits(marked, afloat)
        plain = valid.view(count, SLOTS, -1).sum(2, dtype=torch.float32)
        share = valid.view(count, SLOTS, -1) / plain.clamp(min=1).to(number).unsqueeze(2)
        open_hits = byte_features[:, :, 4]
        if rules.touching:
            sunk = (share * (afloat <= 0).to(number).unsqueeze(2)).view(count, -1)
            open_hits = (byte_features[:, :, 2].float() - (sunk @ self.covers).float()).clamp(min=0).to(number)
        pairs = self._pairs(share)
        weighted = self._pairs(self._weighted(valid, open_hits))
        shots = byte_features[:, :, 1:3].sum(1, dtype=torch.float32)
        each = torch.cat([afloat * 0.25, torch.log1p(plain) * 0.2], 1)
        rest = [torch.ones_like(plain[:, :1]), 1 - shots[:, 1:] / rules.cells, shots[:, :1] * (2 / self.area)]
        everywhere = lambda values: values.to(number).unsqueeze(1).expand(-1, self.area, -1)
        unknown = byte_features[:, :, :1]
        planes = torch.cat([
            byte_features[:, :, :4], open_hits.unsqueeze(2), byte_features[:, :, 5:], everywhere(each),
            2 * self._any_ship(pairs, afloat) * unknown, 2 * self._any_ship(weighted, afloat) * unknown,
            everywhere(torch.cat(rest, 1)), pairs, weighted, byte_features.new_zeros(1, 1, 1).expand(count, self.area, PADDING),
        ], 2)
        return planes.view(count, self.size, self.size, -1).permute(0, 3, 1, 2), marked == 0, afloat

    def _fits(self, marked, afloat):
        """Which placements are consistent with the answers, for each slot alone."""
        slots = ((afloat > 0) * self.bits).sum(1, keepdim=True, dtype=torch.int32)
        fit_values = F.embedding(marked + (slots << 8), self.fit_values).view(len(marked), -1)
        return ((fit_values @ self.fit_matrix) > self.fit_threshold).to(self.number)

    def _weighted(self, valid, open_hits):
        """Placements by weight, adding up to one in each slot."""
        weights = valid * torch.exp(HIT_WEIGHT * (open_hits @ self.covered).float())
        weights = weights.view(len(valid), SLOTS, -1)
        return (weights / weights.sum(2, keepdim=True).clamp(min=1e-9)).to(self.number)

    def _pairs(self, share):
        """Twice the probability of every cell across and down, in each slot."""
        return (share.view(len(share), -1) @ self.density).view(len(share), self.area, -1)

    def _any_ship(self, pairs, afloat):
        """Probability that any ship is on a cell, as if ships were independent."""
        covered = pairs.view(len(pairs), self.area, SLOTS, 2).sum(3, dtype=torch.float32) * 0.5
        without = (1 - covered).clamp(min=0) ** afloat.unsqueeze(1)
        return (1 - without.prod(2, keepdim=True)).to(self.number)

    # Play -------------------------------------------------------------------------------------------------------

    def start(self, fleets):
        """Positions before the first shot, and cells left of every ship."""
        cells = torch.zeros(len(fleets), self.area, dtype=torch.uint8, device=self.device)
        return cells, self.ship_lengths.repeat(len(fleets), 1)

    def fire(self, cells, left, fleets, games, shots):
        """Fires one shot in each of these games and returns the answers."""
        owner = fleets[games, shots].long()
        ship = (owner - 1).clamp(min=0)
        is_hit = owner > 0
        left[games, ship] -= is_hit.to(left.dtype)
        sunk = is_hit & (left[games, ship] == 0)
        answers = torch.where(sunk, 2 + self.ship_slots[ship], is_hit.long())
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
        return cells if self.rules.touching else self._with_whole_ship_sunk(cells, shots, answers, bit)

    def _with_whole_ship_sunk(self, cells, shots, answers, bit):
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
