"""Reads on, but never answers `shoot`."""
from sound import Sound


class Silent(Sound):
    def shoot(self, count):
        pass


Silent().run()
