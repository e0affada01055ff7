"""What the broken bots do right: a simple bot that keeps to the protocol. Each of them overrides what it gets wrong."""
import random
import signal
import sys

signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # floods end quietly when nobody reads any more


def say(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def name(cell):
    column, row = cell
    return ("" if column < 26 else chr(64 + column // 26)) + chr(65 + column % 26) + str(row + 1)


class Sound:
    """Places by chance, shoots at cells by chance."""

    def run(self):
        for line in sys.stdin:
            command, *words = line.split() or [""]
            self.hear(command, words)
            if command == "quit" and self.leaves():
                return

    def hear(self, command, words):
        if command in ("seabattle", "sync"):
            self.ready()
        elif command == "game":
            self.start(dict(zip(words[::2], words[1::2])))
        elif command == "place":
            say("fleet " + " ".join(self.place()))
        elif command == "shoot" and words[0].isdigit():
            self.shoot(int(words[0]))
        elif command not in ("answer", "enemy", "end", "quit"):
            say("error unknown command")

    def ready(self):
        say("ready")

    def leaves(self):
        return True

    def start(self, fields):
        self.width, self.height = map(int, fields["size"].split("x"))
        self.lengths = [int(ship.split(":")[1]) for ship in fields["fleet"].split(",")]
        self.margin = {"allowed": -1, "corners": 0, "forbidden": 1}[fields["touching"]]
        self.chance = random.Random(fields["seed"])
        self.cells = [(column, row) for row in range(self.height) for column in range(self.width)]
        self.open = self.cells[:]
        self.chance.shuffle(self.open)

    def place(self):
        fleet = None
        while fleet is None:
            fleet = self.try_to_place()
        return [name(ship[0]) + ("-" + name(ship[-1]) if len(ship) > 1 else "") for ship in fleet]

    def try_to_place(self):
        free, fleet = set(self.cells), [None] * len(self.lengths)
        for ship in sorted(range(len(fleet)), key=lambda ship: -self.lengths[ship]):
            steps = range(self.lengths[ship])
            across = [[(column + i, row) for i in steps] for column, row in self.cells]
            down = [[(column, row + i) for i in steps] for column, row in self.cells]
            places = [place for place in across + down if free.issuperset(place)]
            if not places:
                return None
            fleet[ship] = self.chance.choice(places)
            free -= {cell for place in fleet[ship] for cell in self.around(*place)}
        return fleet

    def around(self, column, row):
        """The cell and those about it that no other ship may have."""
        near = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x * x + y * y <= 1 + self.margin]
        return [(column + x, row + y) for x, y in near]

    def shoot(self, count):
        say("shots " + " ".join(self.targets(count)))

    def targets(self, count):
        return [name(self.open.pop()) for _ in range(count)]


if __name__ == "__main__":
    Sound().run()
