"""Takes every number for a number."""
from sound import Sound


class Trusting(Sound):
    def hear(self, command, words):
        if command == "shoot":
            self.shoot(int(words[0]))
        else:
            super().hear(command, words)


Trusting().run()
