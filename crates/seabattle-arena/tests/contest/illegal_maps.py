"""Another map that is not legal in every set."""
import good
from good import *


def changed(*marks):
    drawn = good.get_map()
    for row, column, mark in marks:
        drawn[row][column] = mark
    return drawn


MAPS = [
    changed((0, 0, 0)),  # a ship too short
    changed((9, 9, 1)),  # a ship too many
    changed((0, 3, 0), (1, 0, 1)),  # a bent ship
    changed((6, 6, 0), (1, 4, 1)),  # ships that touch at a corner
    changed((6, 6, 0), (5, 0, 1)),  # ships that touch along a side
    changed((9, 9, 2)),  # a mark that is neither 0 nor 1
    changed((9, 9, None)),
    [[0] * 10 for _ in range(10)],
    [[1] * 10 for _ in range(10)],
    good.get_map()[:9],
    good.get_map() + [[0] * 10],
    [row[:9] for row in good.get_map()],
    [[0] * 10] * 9 + [7],
    ["1111000000"] * 10,
    [],
    None,
    42,
]


def get_map():
    return MAPS.pop(0)
