"""Compares players by games with the luck taken out: those that open alike by a tenth of the games that shots alone would take.

What an answer changes in the misses to come, less the mean of that over all answers the shot might have got, is luck: nothing on
average, whoever plays and however well the judge sees. It is taken out where the odds of the answers can be counted: not in openings.

    cargo run --release -p seabattle-bots --example games -- hunter classic,touching=forbidden 0 500 > hunter.txt
    cargo run --release -p seabattle-bots --example games -- champion classic,touching=forbidden 0 500 > champion.txt
    python3 luck.py kept/classic-apart.pt hunter.txt champion.txt

The files hold position lines, games on the same layouts in the same order. Differences are to the first file.
"""

import argparse
import re

import torch

from export import NAMES, RULES_TEXT
from game import Game, RULES
from network import Network
from odds import Odds
from play import Player
from train import load

FEW_SHOTS = 8  # the odds of so early a position are not counted anyway
CERTAIN = 1 - 1e-9
BATCH = 64
SHOT = re.compile(r"([A-J])(\d+)(?:(\.)|(x)|#(\w*))$")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("judge", help="a checkpoint with its judge")
    parser.add_argument("games", nargs="+")
    parser.add_argument("--exact", type=float, default=2.0**22, help="work for which odds are counted")
    parser.add_argument("--device", default="cpu")
    args = parser.parse_args()
    kept = load(args.judge, args.device)
    if "judge" not in kept:
        raise SystemExit(f"{args.judge} has no judge")
    if max(RULES[kept["rules"]].counts) > 1:
        raise SystemExit(f"no odds are counted for {kept['rules']}: ships of one class are more than one")
    judge = Judge(kept, args.exact, args.device)
    first = None
    for path in args.games:
        games = read(path, kept["rules"])
        shots = torch.tensor([float(len(game)) for game in games])
        fair = torch.cat([judge.without_luck(games[at : at + BATCH]) for at in range(0, len(games), BATCH)])
        first = first or (shots, fair)
        if len(games) != len(first[0]):
            raise SystemExit(f"{path} has {len(games)} games, {args.games[0]} has {len(first[0])}")
        print(
            f"{path}: {len(games)} games, shots {told(shots)}, without luck {told(fair)}; "
            f"to the first {told(shots - first[0])}, {told(fair - first[1])}", flush=True,
        )


def told(values):
    return f"{values.mean():.3f} ± {values.std() / len(values) ** 0.5:.3f}"


def read(path, rules):
    """Shots and answers of every game."""
    with open(path) as file:
        lines = [line.split() for line in file if line.strip()]
    wrong = next((number for number, line in enumerate(lines, 1) if line[0] != RULES_TEXT[rules]), None)
    if wrong or not lines:
        raise SystemExit(f"{path} line {wrong or 1}: not a game of {RULES_TEXT[rules]}")
    return [[shot(text, rules, path) for text in line[1:]] for line in lines]


def shot(text, rules, path):
    found = SHOT.match(text)
    if not found or not 1 <= int(found[2]) <= RULES[rules].size or found[5] not in (None, *NAMES[rules]):
        raise SystemExit(f"{path}: cannot read the shot {text}")
    cell = "ABCDEFGHIJ".index(found[1]) + RULES[rules].size * (int(found[2]) - 1)
    return cell, 0 if found[3] else 1 if found[4] else 2 + NAMES[rules].index(found[5])


class Judge:
    def __init__(self, kept, most_work, device):
        self.game = Game(RULES[kept["rules"]], device, torch.bfloat16)
        self.odds = Odds(self.game, most_work)
        fields, blocks = (kept["args"][name] for name in ("judge_fields", "judge_blocks"))
        network = Network(fields, blocks, judges=True).to(device)
        network.load_state_dict(kept["judge"])
        with torch.no_grad():
            self.weights = network.weights(self.game.number)
        self.player = Player(self.game, blocks, chunk=512)

    @torch.no_grad()
    def without_luck(self, games):
        """Shots of every game less its luck."""
        game = self.game
        cells = torch.zeros(len(games), game.area, dtype=torch.uint8, device=game.device)
        shots = torch.tensor([float(len(shots)) for shots in games])
        for turn in range(max(map(len, games))):
            live = [number for number, shots in enumerate(games) if turn < len(shots)]
            chosen, answers = torch.tensor([games[number][turn] for number in live], device=game.device).unbind(1)
            seen = cells[live]
            if turn >= FEW_SHOTS:
                shots[live] -= self.luck(seen, chosen, answers).cpu()
            cells[live] = game.answered(seen, chosen, answers)
        return shots

    def luck(self, seen, chosen, answers):
        rows = torch.arange(len(seen), device=seen.device)
        chances, counted = self.odds.of(seen)
        chances = chances[rows, :, chosen]
        open_rows = (counted & (chances[rows, answers] < CERTAIN)).nonzero().squeeze(1)
        at, answer = (chances[open_rows] > 0).nonzero(as_tuple=True)
        luck = torch.zeros(len(seen), device=seen.device)
        if len(at):
            row = open_rows[at]
            misses = self.misses(self.game.answered(seen[row], chosen[row], answer)) + (answer == 0)
            luck.index_add_(0, row, misses * ((answer == answers[row]).float() - chances[row, answer]))
        return luck

    def misses(self, cells):
        """To come, as the judge sees it."""
        value = self.player.look(self.weights, cells)[3]
        return torch.where((self.game.afloat(cells) <= 0).all(1), 0, value)


if __name__ == "__main__":
    main()
