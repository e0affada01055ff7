"""Raises in the middle of a set."""
from good import *


def on_opponent_shot(cell):
    raise RuntimeError("hit below the water line")
