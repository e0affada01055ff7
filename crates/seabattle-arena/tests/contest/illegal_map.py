"""A map with a ship too few."""
import good
from good import *


def get_map():
    drawn = good.get_map()
    drawn[6][6] = 0
    return drawn
