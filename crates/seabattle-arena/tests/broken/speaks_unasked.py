"""Sends ten lines that nobody asked for after each shot, or as many as its argument says, in one write with the answer."""
import sys

from sound import Sound, say

EXTRA = int(sys.argv[1]) if len(sys.argv) > 1 else 10


class Chatty(Sound):
    def shoot(self, count):
        say("shots " + " ".join(self.targets(count)) + "\nby the way" * EXTRA)


Chatty().run()
