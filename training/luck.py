"""What a player of the product is worth with the luck of its games taken out: as true as its shots, by a twentieth of the games.

What an answer changes in the misses to come, less the mean of that over all answers the shot might have got, is luck: nothing on
average, whoever plays and however well the judge sees. The odds of the answers are the product's own, exact.

    cargo run --release -p seabattle-bots --example games -- hunter classic,touching=forbidden 2026 0 500 > hunter.txt
    cargo run --release -p seabattle-bots --example games -- champion classic,touching=forbidden 2026 0 500 > champion.txt
    python3 luck.py kept/classic-apart.pt hunter.txt champion.txt

Files hold games on the same layouts in the same order. Differences are to the first file.
"""

import argparse
import re

import torch

from export import NAMES, RULES_TEXT
from game import Game, RULES
from network import Network
from play import Player
from train import load

BATCH = 256
SHOT = re.compile(r"([A-J])(\d+)([.x]|#\w*)$")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("judge", help="a checkpoint with its judge")
    parser.add_argument("games", nargs="+")
    parser.add_argument("--device", default="cpu")
    args = parser.parse_args()
    kept = load(args.judge, args.device)
    if "judge" not in kept:
        raise SystemExit(f"{args.judge} has no judge")
    if "" in NAMES[kept["rules"]]:
        raise SystemExit(f"{kept['rules']} does not announce which ship sank, and the judge wants to know")
    judge = Judge(kept, args.device)
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
    """Every shot of every game: its cell, its answer, and the odds of all answers it might have got."""
    with open(path) as file:
        lines = [line.split() for line in file if line.strip()]
    wrong = next((number for number, line in enumerate(lines, 1) if line[0] != RULES_TEXT[rules]), None)
    if wrong or not lines:
        raise SystemExit(f"{path} line {wrong or 1}: not a game of {RULES_TEXT[rules]}")
    answers = {".": 0, "x": 1} | {f"#{name}": 2 + number for number, name in enumerate(NAMES[rules])}
    return [[shot(word, answers, rules, path) for word in line[1:]] for line in lines]


def shot(word, answers, rules, path):
    text, *odds = word.split("/")
    found = SHOT.match(text)
    try:
        cell = "ABCDEFGHIJ".index(found[1]) + RULES[rules].size * (int(found[2]) - 1)
        answer = answers[found[3]]
        odds = {answers[name]: float(chance) for name, chance in (told.split("=") for told in odds)} or {answer: 1.0}
    except (TypeError, KeyError, ValueError):
        raise SystemExit(f"{path}: cannot read the shot {word}") from None
    if answer not in odds or abs(sum(odds.values()) - 1) > 1e-6:
        raise SystemExit(f"{path}: the odds of {word} do not add up")
    return cell, answer, odds


class Judge:
    def __init__(self, kept, device):
        self.game = Game(RULES[kept["rules"]], device, torch.bfloat16)
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
        shots = torch.tensor([float(len(shots)) for shots in games], device=game.device)
        for turn in range(max(map(len, games))):
            live = [number for number, shots in enumerate(games) if turn < len(shots)]
            fired = [games[number][turn] for number in live]
            chosen, answers = torch.tensor([shot[:2] for shot in fired], device=game.device).unbind(1)
            seen = cells[live]
            shots[live] -= self.luck(seen, chosen, [shot[1:] for shot in fired])
            cells[live] = game.answered(seen, chosen, answers)
        return shots.cpu()

    def luck(self, seen, chosen, answers):
        """For every answer possible: its row, itself, and what it counts for, which is 1 if it came, less its chance."""
        possible = [
            (row, answer, (answer == given) - chance)
            for row, (given, odds) in enumerate(answers) if len(odds) > 1 for answer, chance in odds.items()
        ]
        luck = torch.zeros(len(seen), device=seen.device)
        if possible:
            row, answer, weight = (torch.tensor(column, device=seen.device) for column in zip(*possible))
            misses = self.misses(self.game.answered(seen[row], chosen[row], answer)) + (answer == 0)
            luck.index_add_(0, row, misses * weight.float())
        return luck

    def misses(self, cells):
        """To come, as the judge sees it."""
        value = self.player.look(self.weights, cells)[3]
        return torch.where((self.game.afloat(cells) <= 0).all(1), 0, value)


if __name__ == "__main__":
    main()
