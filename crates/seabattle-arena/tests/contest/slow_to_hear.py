"""Takes a while over every shot of the opponent, and all together longer than a shot may take."""
import time

from good import *


def on_opponent_shot(cell):
    time.sleep(0.05)
