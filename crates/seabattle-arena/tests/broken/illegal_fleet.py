"""Lays all its ships over each other, across from A1; one ship alone lies outside."""
from sound import Sound, name


class Illegal(Sound):
    def place(self):
        row = 0 if len(self.lengths) > 1 else self.height
        return [name((0, row)) + ("-" + name((length - 1, row)) if length > 1 else "") for length in self.lengths]


Illegal().run()
