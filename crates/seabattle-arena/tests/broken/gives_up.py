"""Answers `error` when it is asked to shoot."""
from sound import Sound, say


class GivesUp(Sound):
    def shoot(self, count):
        say("error I give up")


GivesUp().run()
