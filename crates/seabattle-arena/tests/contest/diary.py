"""Tells every call."""
import good

print("imported")


def told(name):
    def call(*arguments):
        print(name, *arguments)
        return getattr(good, name, lambda *_: None)(*arguments)

    return call


for name in ("set_parameters", "on_game_start", "on_set_start", "get_map", "shoot", "shot_result", "on_opponent_shot",
             "on_set_end", "on_game_end"):
    globals()[name] = told(name)
