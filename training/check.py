"""Checks of the training code on the CPU, in a minute: python3 check.py"""

import torch

import fused
from exact import Oracle
from game import Game, RULES
from network import Network, forward
from odds import Odds
from play import Player, misses_to_come, returns
from product import read, written

SYMMETRIES = (
    lambda board: torch.rot90(board, 1, (-2, -1)),
    lambda board: board.flip(-1),
    lambda board: board.transpose(-1, -2),
)


def played(game, fleets, shots):
    """Positions after this many random shots."""
    cells, left = game.start(fleets)
    for _ in range(shots):
        live = (~game.over(left)).nonzero().squeeze(1)
        random_shots = torch.where(cells[live] == 0, torch.rand(len(live), game.area), -1.0).argmax(1)
        game.fire(cells, left, fleets, live, random_shots)
    return cells


def mirror_images_give_mirrored_outputs():
    for name in ("classic", "classic-apart", "6x6:3,2,2-apart"):
        game = Game(RULES[name], "cpu")
        game.seed(1)
        cells = played(game, game.fleets(16), game.area // 2)
        network = Network(4, 2, value_head=True)
        for weights in network.parameters():
            weights.data = torch.randn_like(weights) * 0.2
        weights, side = network.weights(), game.size
        outputs = forward(weights, game.features(cells)[0], 2)
        for turn in SYMMETRIES:
            turned = turn(cells.view(-1, side, side)).reshape(cells.shape)
            for before, after in zip(outputs, forward(weights, game.features(turned)[0], 2)):
                if before.dim() > 1:
                    before = turn(before.reshape(*before.shape[:-1], side, side)).reshape(before.shape)
                assert torch.allclose(before, after, atol=1e-3), name


def positions_keep_all_answers():
    """The fleets consistent with a position are those that give the same answers."""
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


def exchanging_names_twice_changes_nothing():
    game = Game(RULES["classic"], "cpu")
    assert game.interchangeable_slots() == (2, 3) and Game(RULES["russian"], "cpu").interchangeable_slots() is None
    game.seed(3)
    cells = played(game, game.fleets(64), 60)
    renamed = game.renamed(cells, game.interchangeable_slots())
    assert not torch.equal(renamed, cells) and torch.equal(game.renamed(renamed, game.interchangeable_slots()), cells)
    assert torch.equal(game.afloat(renamed)[:, [0, 1, 3, 2, 4]], game.afloat(cells))


def an_ensemble_gives_the_mean():
    game = Game(RULES["4x4:3,2"], "cpu")
    game.seed(4)
    cells = played(game, game.fleets(8), 5)
    one, other = (Network(2, 2) for _ in range(2))
    for weights in (*one.parameters(), *other.parameters()):
        weights.data = torch.randn_like(weights) * 0.2
    one, other = one.weights(), other.weights()
    player = Player(game, 2)
    evaluations = [player.evaluate(weights, cells) for weights in (one, other, [one, other])]
    (answers, *_), (others, *_), (together, *_) = evaluations
    assert torch.allclose(together.exp(), (answers.exp() + others.exp()) / 2, atol=1e-6) and not torch.allclose(answers, others)
    for a, b, both in list(zip(*evaluations))[1:]:
        assert torch.allclose(both, (a + b) / 2, atol=1e-5)


def weights_of_the_product_are_read_back():
    network = Network(2, 2)
    for weights in network.parameters():
        weights.data = torch.randn_like(weights).half().float()
    checkpoint = dict(rules="russian", shape=network.shape, average=network.state_dict())
    again = read(written(checkpoint))
    assert again["rules"] == "russian" and again["shape"]["channels"] == 2 and written(again) == written(checkpoint)
    whole = written(checkpoint)
    for broken in (b"", whole[:-2], whole[:-1], whole[:20], whole[:23], whole + b"00", whole.replace(b"network 1", b"network 2")):
        try:
            read(broken)
        except SystemExit:
            continue
        assert False, broken[:40]


def returns_of_certain_answers_are_what_happened():
    turns, games = 7, 5
    alive = torch.arange(turns).unsqueeze(1) < torch.randint(1, turns + 1, (games,))
    miss = (torch.rand(turns, games) < 0.5).float() * alive
    value = torch.rand(turns, games) * alive
    log = dict(turns=turns, alive=alive, value=value, miss=miss, unsampled=torch.zeros(turns, games), sampled_probability=torch.ones(turns, games))
    assert torch.allclose(returns(log, 1.0) * alive, misses_to_come(log) * alive)
    after = torch.cat([value[1:], torch.zeros(1, games)])
    assert torch.allclose(returns(log, 0.0), (miss + after) * alive)


def exact_odds_agree_with_all_consistent_fleets():
    """By the kernel where there is a GPU, else by the same source as plain code."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    for name in ("4x4:3,2", "5x5:3,2-apart"):
        game, plain = Game(RULES[name], device), Game(RULES[name], "cpu")
        plain.seed(2)
        oracle, odds = Oracle(plain), Odds(game)
        for shots in range(0, plain.area, 2):
            cells = played(plain, plain.fleets(32), shots)
            cells = cells[(plain.afloat(cells) > 0).any(1)]
            probabilities, counted = odds.of(cells.to(device))
            unknown = (cells == 0).unsqueeze(1)
            assert counted.all() and torch.allclose(probabilities.cpu() * unknown, oracle.probabilities(cells) * unknown, atol=1e-6), name


def kernels_agree_with_plain_code():
    """With TRITON_INTERPRET=1 on a machine that has no GPU."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    batch = lambda planes: torch.randn(3, planes, 5, 5, device=device).contiguous(memory_format=torch.channels_last)
    bias = lambda *shape: torch.randn(*shape, device=device)
    cases = [
        (fused.bias_relu, (batch(24), bias(24))), (fused.bias_relu, (batch(24), bias(3, 24))),
        (lambda change, b: fused.residual_add(None, change, b), (batch(16), bias(16))),
        (fused.residual_add, (batch(24), batch(24), bias(24))),
        (lambda *parts: fused.residual_add(*parts)[1], (batch(24), batch(24), bias(24))),
        (fused.mean_over_symmetries, (batch(48), bias(48))), (lambda y: fused.pool_board(y.relu()), (batch(24),)),
    ]
    for number, (function, given) in enumerate(cases):
        results = []
        for fast in (True, False):
            original, fused.fast = fused.fast, lambda _: fast
            given = [part.detach().requires_grad_() for part in given]
            outputs = function(*given)
            outputs = outputs if isinstance(outputs, tuple) else (outputs,)
            sum((part * torch.linspace(-1, 1, part.numel(), device=device).view(part.shape)).sum() for part in outputs).backward()
            results.append([*outputs, *(part.grad for part in given)])
            fused.fast = original
        assert all(torch.allclose(a, b, atol=1e-4) for a, b in zip(*results)), number


if __name__ == "__main__":
    torch.manual_seed(1)
    checks = [
        mirror_images_give_mirrored_outputs, positions_keep_all_answers, returns_of_certain_answers_are_what_happened,
        exact_odds_agree_with_all_consistent_fleets, exchanging_names_twice_changes_nothing, an_ensemble_gives_the_mean,
        weights_of_the_product_are_read_back,
    ]
    if fused.INTERPRETED or torch.cuda.is_available():
        checks.append(kernels_agree_with_plain_code)
    for check in checks:
        check()
        print("ok", check.__name__.replace("_", " "))
