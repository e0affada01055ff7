"""Reads, but never says `ready` nor anything else."""
from sound import Sound


class Mute(Sound):
    def hear(self, command, words):
        pass


Mute().run()
