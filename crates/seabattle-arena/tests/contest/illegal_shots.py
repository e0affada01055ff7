"""Another shot that is not legal every time."""
from good import *

SHOTS = [[10, 0], [0, 10], [-1, 0], [0, -1], [0], [0, 0, 0], [0.5, 0], ["A", 1], None, 7, "A1", [10**30, 0]]


def shoot():
    return SHOTS.pop(0)
