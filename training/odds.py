"""Exact odds of shots where the consistent fleets can be counted: networks err most when few are left."""

import ctypes
import os
import subprocess
import tempfile

import torch

from game import ANSWERS

FOLDER = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(FOLDER, "odds.cu")
MAX_WORK = 2.0**25  # combinations of placements to go through for one position
THREADS = 128


class Odds:
    """Counts for rules with at most one ship to a slot."""

    def __init__(self, game, max_work=MAX_WORK):
        self.game, self.max_work = game, max_work
        assert max(game.rules.counts) <= 1
        places, counts = [], []
        for slot, count in enumerate(game.rules.counts):
            cover, keep = game.cell_words[slot]
            places.append(torch.stack([cover, keep], 1)[: len(cover) * count])
            counts.append(len(cover) * count)
        number = lambda values, kind: torch.tensor(values, dtype=kind, device=game.device)
        self.places = torch.cat(places).to(game.device).contiguous()
        self.counts, self.lengths = number(counts, torch.int32), number(game.rules.lengths, torch.int32)
        self.kernel = self._plain() if game.device == "cpu" else torch.cuda._compile_kernel(open(SOURCE).read(), "odds")

    def of(self, cells):
        """[position, answer, cell]: probabilities of the answers to a shot at every open cell; and which positions were counted."""
        probabilities = torch.zeros(len(cells), ANSWERS, self.game.area, device=cells.device)
        counted = torch.zeros(len(cells), dtype=torch.uint8, device=cells.device)
        if len(cells):
            tables = [cells.contiguous(), self.places, self.counts, self.lengths]
            self._run(tables, [self.game.area, int(self.game.rules.touching), self.max_work], [counted, probabilities])
        return probabilities, counted.bool()

    def _run(self, tables, numbers, results):
        if self.game.device != "cpu":
            self.kernel((len(tables[0]), 1, 1), (THREADS, 1, 1), [*tables, *numbers, *results])
            return
        pointer = lambda table: ctypes.c_void_p(table.data_ptr())
        area, touching, max_work = numbers
        numbers = [ctypes.c_int(area), ctypes.c_int(touching), ctypes.c_double(max_work)]
        given = [pointer(table) for table in tables] + numbers + [pointer(table) for table in results]
        self.kernel(*given, ctypes.c_int(len(tables[0])))

    @staticmethod
    def _plain():
        with tempfile.TemporaryDirectory() as folder:
            built = os.path.join(folder, "odds.so")
            plain = ["-x", "c++", "-include", os.path.join(FOLDER, "plain.h")]
            subprocess.run(["g++", "-O2", "-std=c++17", "-shared", "-fPIC", *plain, SOURCE, "-o", built], check=True)
            return ctypes.CDLL(built).all_odds
