"""Plays a module of the contest as a bot of docs/protocol.md: python3 -c RUNNER SETS MODULE.PY"""
import sys

del sys.path[0]  # files in the working folder must not replace the modules imported here
import importlib.util, operator, os, random, traceback

RULES = {"size": "10x10", "touching": "forbidden", "turn": "again", "announce": "sunk", "ending": "at-once"}
LENGTHS = [4, 3, 3, 2, 2, 2, 1, 1, 1, 1]
SIDE = range(10)
RESULTS = {"miss": 0, "hit": 2, "sunk": 3}
OUTSIDE = "Z99"  # stands for a shot that is no cell at all: both are illegal


def take_pipes():
    """Takes the pipes to the arena. The module gets an empty input, and what it prints goes to the log."""
    orders, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    reader = open(orders, encoding="utf-8", errors="replace", newline="\n")
    return reader, open(answers, "w", encoding="utf-8", newline="\n")


def load(path):
    sys.argv = [path]
    sys.dont_write_bytecode = True
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    spec = importlib.util.spec_from_file_location("contest_module", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def camel_case(name):
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def function_of(module, name):
    """The contest's callback of this name, in snake case or in camel case."""
    for spelling in (name, camel_case(name)):
        function = getattr(module, spelling, None)
        if callable(function):
            return function
    return None


def missing_function(module):
    """The first function that every module must have and this one lacks, under both its names."""
    for name in ("get_map", "shoot"):
        if function_of(module, name) is None:
            camel = camel_case(name)
            return name if camel == name else f"{name} (or {camel})"
    return None


def cell_name(row, column):
    return chr(ord("A") + column) + str(row + 1)


def ship_cells(drawn):
    """The cells of all ships; None if the map is not 10 rows of 10 zeros and ones."""
    try:
        rows = [list(row) for row in drawn]
        if len(rows) != 10 or any(len(row) != 10 or any(mark not in (0, 1) for mark in row) for row in rows):
            return None
    except (TypeError, ValueError):
        return None
    return {(row, column) for row in SIDE for column in SIDE if rows[row][column] == 1}


def fleet_line(drawn):
    """The answer to `place`. Connected cells are one ship, named by the corners of the box around it."""
    cells = ship_cells(drawn)
    if cells is None:
        print(f"the map is not 10 rows of 10 zeros and ones: {drawn!r:.300}", file=sys.stderr)
        return "fleet"
    ships = []
    while cells:
        ships.append(take_ship(cells))
    ships.sort(key=len, reverse=True)
    return " ".join(["fleet"] + [ship_ends(ship) for ship in ships])


def take_ship(cells):
    ship = [cells.pop()]
    for row, column in ship:
        for near in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if near in cells:
                cells.remove(near)
                ship.append(near)
    return ship


def ship_ends(ship):
    rows, columns = zip(*ship)
    first, last = cell_name(min(rows), min(columns)), cell_name(max(rows), max(columns))
    return first if first == last else f"{first}-{last}"


def shot_cell(shot):
    try:
        row, column = map(operator.index, shot)
        if row in SIDE and column in SIDE:
            return cell_name(row, column)
    except (TypeError, ValueError):
        pass
    print(f"not a [row, column] of the board: {shot!r:.300}", file=sys.stderr)
    return OUTSIDE


def row_and_column(cell):
    return [int(cell[1:]) - 1, ord(cell[0]) - ord("A")]


def are_contest_rules(fields):
    lengths = sorted((int(ship.split(":")[1]) for ship in fields["fleet"].split(",")), reverse=True)
    return lengths == LENGTHS and all(fields.get(name) == value for name, value in RULES.items())


class Runner:
    def __init__(self, path, sets, reply):
        self.path, self.sets, self.reply = path, sets, reply
        self.module, self.in_set, self.has_contest_rules = None, False, True

    def call(self, name, *arguments):
        """Calls a function of the module, if it has that one."""
        function = function_of(self.module, name)
        return None if function is None else function(*arguments)

    def handle(self, command, words):
        if command == "seabattle":
            self.begin()
        elif command == "sync":
            self.reply("ready")
        elif command == "game":
            self.begin_set(dict(zip(words[::2], words[1::2])))
        elif command in ("place", "shoot") and not self.has_contest_rules:
            self.reply("error the contest is played under russian rules only")
        elif command == "place" and self.in_set:
            self.reply(fleet_line(self.call("get_map")))
        elif command == "shoot" and self.in_set:
            self.reply("shots " + shot_cell(self.call("shoot")))
        elif command == "answer" and self.in_set:
            self.call("shot_result", RESULTS[words[1]])
        elif command == "enemy" and self.in_set:
            self.call("on_opponent_shot", row_and_column(words[0]))
        elif command == "end":
            self.end_set()
        elif command not in ("answer", "enemy"):
            self.reply("error unknown command, or no game")

    def begin(self):
        if self.module is None:
            module = load(self.path)
            missing = missing_function(module)
            if missing is not None:
                return self.reply(f"error {os.path.basename(self.path)} has no function {missing}")
            self.module = module
            self.call("set_parameters", self.sets)
            self.call("on_game_start")
        self.reply("ready")

    def begin_set(self, fields):
        self.end_set()
        self.has_contest_rules = are_contest_rules(fields)
        if self.has_contest_rules:
            random.seed(fields.get("seed"))
            self.in_set = True
            self.call("on_set_start")

    def end_set(self):
        if self.in_set:
            self.in_set = False
            self.call("on_set_end")

    def finish(self):
        self.end_set()
        if self.module is not None:
            self.call("on_game_end")


def run(path, sets):
    orders, answers = take_pipes()

    def reply(line):
        answers.write(line + "\n")
        answers.flush()

    runner = Runner(path, sets, reply)
    for line in orders:
        command, *words = line.split() or [""]
        if command == "quit":
            break
        runner.handle(command, words)
    runner.finish()


try:
    run(sys.argv[2], int(sys.argv[1]))
except BaseException:  # a module that exits on its own has failed too
    traceback.print_exc()
    sys.stderr.flush()
    os._exit(1)
