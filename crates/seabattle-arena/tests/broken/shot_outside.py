"""Shoots below the last row."""
from sound import Sound, name


class Outside(Sound):
    def targets(self, count):
        return [name((0, self.height + i)) for i in range(count)]


Outside().run()
