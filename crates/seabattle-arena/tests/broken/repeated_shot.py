"""Shoots at A1, again and again; its log counts the games of the process."""
import sys

from sound import Sound


class Repeated(Sound):
    games = 0

    def start(self, fields):
        super().start(fields)
        self.games += 1
        print("game", self.games, file=sys.stderr)

    def targets(self, count):
        return ["A1"] * count


Repeated().run()
