"""Plays soundly: always lays the same fleet, and shoots first where it has hit in earlier sets of the game."""
import random

WATER = "0000000000"
FLEET = ["1111000000", WATER, "1110111000", WATER, "1101101100", WATER, "1010101000", WATER, WATER, WATER]
hits, left, last = set(), [], None


def on_set_start():
    global left
    left = [[row, column] for row in range(10) for column in range(10)]
    random.shuffle(left)
    left.sort(key=lambda cell: tuple(cell) in hits)


def get_map():
    return [[int(mark) for mark in row] for row in FLEET]


def shoot():
    global last
    last = left.pop()
    return last


def shot_result(result):
    if result != 0:
        hits.add(tuple(last))
