"""Raises when all sets are over."""
from good import *


def on_game_end():
    raise RuntimeError("a sore loser")
