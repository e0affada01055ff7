"""Checks of the training code on the CPU, in a minute: python3 check.py"""

import torch

from exact import Oracle
from game import Game, RULES
from network import Network, forward
from play import misses_to_come, returns

TURNS = (
    lambda board: torch.rot90(board, 1, (-2, -1)),
    lambda board: board.flip(-1),
    lambda board: board.transpose(-1, -2),
)


def played(game, fleets, shots):
    """Positions after so many random shots."""
    cells, left = game.start(fleets)
    for _ in range(shots):
        live = (~game.over(left)).nonzero().squeeze(1)
        wild = torch.where(cells[live] == 0, torch.rand(len(live), game.area), -1.0).argmax(1)
        game.fire(cells, left, fleets, live, wild)
    return cells


def mirror_images_are_seen_alike():
    for name in ("classic", "classic-apart", "6x6:3,2,2-apart"):
        game = Game(RULES[name], "cpu")
        game.seed(1)
        cells = played(game, game.fleets(16), game.area // 2)
        network = Network(4, 2, judges=True)
        for weights in network.parameters():
            weights.data = torch.randn_like(weights) * 0.2
        weights, side = network.weights(), game.size
        told = forward(weights, game.features(cells)[0], 2)
        for turn in TURNS:
            turned = turn(cells.view(-1, side, side)).reshape(cells.shape)
            for before, after in zip(told, forward(weights, game.features(turned)[0], 2)):
                if before.dim() > 1:
                    before = turn(before.reshape(*before.shape[:-1], side, side)).reshape(before.shape)
                assert torch.allclose(before, after, atol=1e-3), name


def positions_say_all_that_was_announced():
    """The fleets that fit a position are those that would have given the same answers."""
    for name in ("4x4:3,2", "6x6:3,2,2-apart"):
        game = Game(RULES[name], "cpu")
        oracle = Oracle(game)
        fleets = oracle.fleets
        for _ in range(4):
            one = int(torch.randint(len(fleets), (1,)))
            cells, left = game.start(fleets)
            for shot in torch.randperm(game.area).tolist():
                if game.over(left[one : one + 1]):
                    break
                live = (~game.over(left)).nonzero().squeeze(1)
                game.fire(cells, left, fleets, live, torch.full((len(live),), shot))
                assert torch.equal(oracle.fits(cells[one : one + 1])[0], (cells == cells[one]).all(1)), name


def returns_of_certain_answers_are_what_happened():
    turns, games = 7, 5
    alive = torch.arange(turns).unsqueeze(1) < torch.randint(1, turns + 1, (games,))
    miss = (torch.rand(turns, games) < 0.5).float() * alive
    value = torch.rand(turns, games) * alive
    log = dict(turns=turns, alive=alive, value=value, miss=miss, aside=torch.zeros(turns, games), taken=torch.ones(turns, games))
    assert torch.allclose(returns(log, 1.0) * alive, misses_to_come(log) * alive)
    after = torch.cat([value[1:], torch.zeros(1, games)])
    assert torch.allclose(returns(log, 0.0), (miss + after) * alive)


if __name__ == "__main__":
    torch.manual_seed(1)
    for check in (mirror_images_are_seen_alike, positions_say_all_that_was_announced, returns_of_certain_answers_are_what_happened):
        check()
        print("ok", check.__name__.replace("_", " "))
