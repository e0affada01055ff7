"""Shoots at A1, again and again."""
from sound import Sound


class Repeated(Sound):
    def targets(self, count):
        return ["A1"] * count


Repeated().run()
