#!/usr/bin/env python3
"""An example bot: hunts on a pattern of cells and follows up its hits. It speaks docs/protocol.md."""
import random, sys, time
SIDES = [(1, 0), (-1, 0), (0, 1), (0, -1)]
CORNERS = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
CLEARANCE = {"allowed": [(0, 0)], "corners": [(0, 0)] + SIDES, "forbidden": [(0, 0)] + SIDES + CORNERS}

def name(column, row):
    return ("" if column < 26 else chr(64 + column // 26)) + chr(65 + column % 26) + str(row + 1)

class Game:
    def __init__(self, fields):
        width, height = map(int, fields["size"].split("x"))
        assert 1 <= width <= 50 and 1 <= height <= 50
        self.lengths = [int(ship.split(":")[1]) for ship in fields["fleet"].split(",")]
        self.around = CLEARANCE[fields["touching"]]
        self.rng = random.Random(fields["seed"])
        self.offset = self.rng.randrange(min(self.lengths))
        # The enemy's cells: "open", "water" (open, but no ship can be there), "shot", "miss", "hit", "sunk".
        self.sea = {(c, r): "open" for r in range(height) for c in range(width)}
        self.cells = {name(*cell): cell for cell in self.sea}

    def place(self):
        deadline, tries, fleet = time.monotonic() + 4, 0, None
        while not fleet and time.monotonic() < deadline:
            tries, fleet = tries + 1, self.try_to_place(packed=tries % 20 == 19)  # packing may work where random places fail
        return "fleet " + " ".join("-".join(name(*end) for end in dict.fromkeys((s[0], s[-1]))) for s in fleet)

    def try_to_place(self, packed):
        free, fleet = set(self.sea), [None] * len(self.lengths)
        for length in sorted(set(self.lengths), reverse=True):
            places = [[(c + i * x, r + i * y) for i in range(length)] for c, r in self.sea for x, y in SIDES[::2]]
            places.sort(key=lambda _: 0 if packed else self.rng.random())
            places = iter(places)  # each is tried once: what is taken now stays taken
            for ship in [i for i in range(len(fleet)) if self.lengths[i] == length]:
                fleet[ship] = next((place for place in places if free.issuperset(place)), None)
                if not fleet[ship]:
                    return None
                free -= {(c + x, r + y) for c, r in fleet[ship] for x, y in self.around}
        return fleet

    def shoot(self, count):
        targets = [cell for cell, state in self.sea.items() if state in ("open", "water")]
        assert 1 <= count <= len(targets)
        targets.sort(key=lambda cell: (self.priority(*cell), self.rng.random()), reverse=True)
        self.sea.update((cell, "shot") for cell in targets[:count])
        return "shots " + " ".join(name(*cell) for cell in targets[:count])

    def priority(self, c, r):
        hits = [(x, y) for x, y in SIDES if self.sea.get((c + x, r + y)) == "hit"]
        in_line = any(self.sea.get((c + 2 * x, r + 2 * y)) == "hit" for x, y in hits)
        on_pattern = (c + r) % min(self.lengths) == self.offset  # no ship slips through this pattern
        return 0 if self.sea[c, r] == "water" else 4 if in_line else 3 if hits else 2 if on_pattern else 1

    def answer(self, cell, result):
        self.sea[cell] = result
        for x, y in SIDES if result == "sunk" else []:  # from here along the ship, both ways
            c, r = cell
            while self.sea.get((c, r)) in ("hit", "sunk"):
                self.sea[c, r] = "sunk"
                near = [(c + i, r + j) for i, j in self.around]
                self.sea.update((cell, "water") for cell in near if self.sea.get(cell) == "open")
                c, r = c + x, r + y

sys.stdin.reconfigure(errors="replace")
game = None
for line in sys.stdin:
    command, *words = line.split() or [""]
    try:
        if command == "quit": break
        elif command == "seabattle": print("name Python example\nready", flush=True)
        elif command == "sync": print("ready", flush=True)
        elif command == "game": game = Game(dict(zip(words[::2], words[1::2])))
        elif command == "place": print(game.place(), flush=True)
        elif command == "shoot": print(game.shoot(int(words[0])), flush=True)
        elif command == "answer": game.answer(game.cells[words[0]], words[1])
        elif command not in ("enemy", "end"): print("error unknown command", flush=True)
    except (AssertionError, AttributeError, IndexError, KeyError, TypeError, ValueError) as problem:
        print("error", type(problem).__name__, flush=True)
