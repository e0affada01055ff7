"""Bots that misbehave, each in one way: `hostile.py NAME`.

`hostile.py --list` prints every name with how its games must end: a fault, two if the sandbox makes a difference, or
`plays` if nothing may go wrong. Behaviours
that only a sandbox survives are marked `sandbox`; `slow` ones need a short time limit to be seen.
"""
import mmap
import os
import signal
import sys
import time

from sound import Sound, name, say

BEHAVIOURS = {}


def behaviour(expected, at, *marks):
    """Registers a function that runs instead of a step; what it returns is said. `None` goes on with the step."""

    def register(function):
        BEHAVIOURS[function.__name__] = (expected, at, marks, function)
        return function

    return register


def says(name, expected, at, *lines):
    """Registers a behaviour that says these lines instead of the right ones."""
    BEHAVIOURS[name] = (expected, at, (), lambda bot: "\n".join(lines))


def raw(text):
    os.write(1, text if isinstance(text, bytes) else text.encode())
    return ""


def sleep():
    time.sleep(900)


def right_shot(bot):
    return "shots " + name(bot.open.pop())


def right_fleet(bot):
    return "fleet " + " ".join(bot.place())


def rows(bot, *lengths):
    """Ships across, one to a row."""
    cells = [(name((0, row)), name((length - 1, row))) for row, length in enumerate(lengths)]
    return "fleet " + " ".join(f"{first}-{last}" for first, last in cells)


# The greeting.
says("greets_wrongly", "garbage", "seabattle", "hello")
says("is_ready_twice", "garbage", "seabattle", "ready", "ready")
says("greets_with_a_prompt", "garbage", "seabattle", "> ready")
says("greets_with_a_byte_order_mark", "garbage", "seabattle", "\ufeffready")
says("greets_with_nul_within", "garbage", "seabattle", "re\0ady")
says("greets_in_capitals", "garbage", "seabattle", "READY")
says("gives_up_at_once", "gave-up", "seabattle", "error not today")
says("sends_a_fleet_for_a_greeting", "garbage", "seabattle", "fleet A1")
says("has_an_endless_name", "long-line", "seabattle", "name " + "x" * 70_000)
says("has_a_long_name", "plays", "seabattle", "name " + "x" * 60_000, "ready")
says("has_a_name_of_control_signs", "plays", "seabattle", "name \x1b[2J\x07\x1b]0;owned\x07", "ready")
says("has_many_names", "plays", "seabattle", *["name again"] * 50, "ready")


@behaviour("plays", "seabattle")
def has_a_name_that_is_no_text(bot):
    raw(b"name \xff\xfe\xf0\nready\n")
    return ""


@behaviour("start-timeout", "seabattle", "slow")
def never_greets(bot):
    sleep()


@behaviour("start-timeout", "seabattle", "slow")
def does_not_end_its_line(bot):
    raw("ready")
    sleep()


@behaviour("start-timeout", "seabattle", "slow")
def does_not_flush(bot):
    sys.stdout.write("ready\n")
    sleep()


@behaviour("long-line", "seabattle")
def greets_without_end(bot):
    while True:
        raw(b"x" * 4096)


@behaviour("flood", "seabattle")
def greets_with_a_flood(bot):
    while True:
        raw(b"what?\n" * 500)


@behaviour("crash", "seabattle")
def leaves_before_its_greeting(bot):
    os._exit(0)


@behaviour("crash", "seabattle")
def breaks_its_memory(bot):
    signal.signal(signal.SIGSEGV, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGSEGV)


@behaviour("crash/start-timeout", "seabattle", "slow")
def closes_its_output_at_once(bot):
    os.close(1)
    sleep()


@behaviour("crash", "seabattle")
def raises_an_error(bot):
    raise RuntimeError("nobody catches this")


# The log.
@behaviour("plays", "seabattle")
def closes_its_log(bot):
    os.close(2)


@behaviour("plays", "seabattle")
def writes_a_long_log(bot):
    for _ in range(5_000):
        os.write(2, b"thinking hard about this\n" * 100)


@behaviour("plays", "seabattle")
def writes_a_log_without_a_line_end(bot):
    for _ in range(500):
        os.write(2, b"x" * 10_000)


@behaviour("plays", "seabattle")
def writes_a_log_that_is_no_text(bot):
    os.write(2, bytes(range(256)) * 100)


# The start of a game.
says("answers_the_start_of_a_game", "garbage", "game", "thanks")
says("places_before_it_is_asked", "garbage", "game", "fleet wherever")


@behaviour("crash", "game")
def leaves_at_the_start_of_a_game(bot):
    os._exit(1)


# The fleet.
says("places_nothing", "illegal-fleet", "place", "fleet")
says("places_off_the_board", "illegal-fleet", "place", "fleet Z90-Z94")
says("places_what_is_no_cell", "garbage", "place", "fleet here-there")
says("places_on_cyrillic_cells", "garbage", "place", "fleet А1-А5")
says("places_a_thousand_ships", "illegal-fleet", "place", "fleet" + " A1" * 10_000)
says("shoots_when_it_must_place", "garbage", "place", "shots A1")
says("is_ready_when_it_must_place", "garbage", "place", "ready")
says("gives_up_its_fleet", "gave-up", "place", "error no idea")
says("says_nothing_in_a_line", "garbage", "place", "\n")


@behaviour("illegal-fleet", "place")
def places_all_ships_on_each_other(bot):
    return "fleet " + " ".join(["A1-E1"] * 5)


@behaviour("illegal-fleet", "place")
def places_too_few_ships(bot):
    return rows(bot, 5, 4, 3, 3)


@behaviour("illegal-fleet", "place")
def places_too_many_ships(bot):
    return rows(bot, 5, 4, 3, 3, 2, 2)


@behaviour("illegal-fleet", "place")
def places_ships_of_wrong_lengths(bot):
    return rows(bot, 5, 5, 5, 5, 5)


@behaviour("illegal-fleet", "place")
def places_a_diagonal_ship(bot):
    return "fleet A1-E5 A6-D6 A7-C7 A8-C8 A9-B9"


@behaviour("garbage", "place")
def places_twice(bot):
    fleet = right_fleet(bot)
    return fleet + "\n" + fleet


@behaviour("place-timeout", "place", "slow")
def never_places(bot):
    sleep()


@behaviour("crash", "place")
def leaves_instead_of_placing(bot):
    os._exit(7)


@behaviour("plays", "place")
def places_with_many_blanks(bot):
    return right_fleet(bot).replace(" ", "    ") + "   "


# The shots.
says("shoots_at_no_cell", "garbage", "shoot", "shots everywhere")
says("shoots_off_the_board", "illegal-shot", "shoot", "shots Z99")
says("shoots_below_the_board", "garbage", "shoot", "shots A-1")
says("shoots_at_a_row_beyond_numbers", "garbage", "shoot", "shots A99999999999999999999999")
says("shoots_at_row_zero", "garbage", "shoot", "shots A0")
says("shoots_without_a_cell", "illegal-shot", "shoot", "shots")
says("shoots_at_one_cell_again", "illegal-shot", "shoot", "shots A1")
says("places_when_it_must_shoot", "garbage", "shoot", "fleet A1")
says("answers_in_words", "garbage", "shoot", "I fire at A1")
says("answers_in_markup", "garbage", "shoot", '{"shots": ["A1"]}')
says("gives_up_its_shot", "gave-up", "shoot", "error I am lost")
says("gives_up_without_words", "gave-up", "shoot", "error")


@behaviour("illegal-shot", "shoot")
def shoots_twice_in_a_turn(bot):
    return right_shot(bot) + " " + name(bot.open.pop())


@behaviour("illegal-shot", "shoot")
def shoots_a_thousand_times_in_a_turn(bot):
    return "shots" + " A1" * 1_000


@behaviour("garbage", "shoot")
def answers_twice(bot):
    return right_shot(bot) + "\n" + right_shot(bot)


@behaviour("garbage", "shoot")
def shoots_with_nul_within(bot):
    return right_shot(bot) + "\0"


@behaviour("shot-timeout", "shoot", "slow")
def never_shoots(bot):
    sleep()


@behaviour("shot-timeout", "shoot", "slow")
def thinks_without_end(bot):
    while True:
        pass


@behaviour("shot-timeout", "shoot", "slow")
def stops_itself(bot):
    os.kill(os.getpid(), signal.SIGSTOP)


@behaviour("shot-timeout", "shoot", "slow")
def ignores_all_signals(bot):
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    sleep()


@behaviour("shot-timeout", "shoot", "slow")
def sends_half_an_answer(bot):
    raw("shots A")
    sleep()


@behaviour("shot-timeout", "shoot", "slow")
def closes_its_input(bot):
    os.close(0)
    sleep()


@behaviour("long-line", "shoot")
def shoots_without_end(bot):
    raw("shots")
    while True:
        raw(b" A1" * 1000)


@behaviour("flood", "shoot")
def talks_without_end(bot):
    while True:
        raw(b"let me think\n" * 500)


@behaviour("crash", "shoot")
def leaves_in_the_middle(bot):
    os._exit(0)


@behaviour("crash", "shoot")
def kills_itself(bot):
    os.kill(os.getpid(), signal.SIGKILL)


@behaviour("crash/shot-timeout", "shoot", "slow")
def closes_its_output(bot):
    os.close(1)
    sleep()


@behaviour("crash", "shoot")
def becomes_another_program(bot):
    os.execvp("true", ["true"])


@behaviour("plays", "shoot")
def answers_in_pieces(bot):
    for letter in right_shot(bot) + "\n":
        raw(letter)
    return ""


@behaviour("plays", "shoot")
def ends_its_lines_as_windows_does(bot):
    return right_shot(bot) + "\r"


@behaviour("plays", "shoot")
def leaves_blanks_at_the_end(bot):
    return right_shot(bot) + " \t "


# Lines that need no answer.
says("comments_on_its_results", "garbage", "answer", "so be it")
says("comments_on_the_enemy", "garbage", "enemy", "ouch")


@behaviour("crash", "end")
def leaves_when_a_game_ends(bot):
    os._exit(0)


@behaviour("plays", "quit")
def stays_after_the_end(bot):
    sleep()


@behaviour("plays", "quit")
def stops_itself_after_the_end(bot):
    os.kill(os.getpid(), signal.SIGSTOP)


@behaviour("plays", "quit")
def shouts_at_the_end(bot):
    for _ in range(1_000):
        raw(b"rematch!\n" * 100)


# Processes.
def child(action):
    if os.fork() == 0:
        action()
        os._exit(0)


@behaviour("plays", "seabattle")
def leaves_a_child(bot):
    child(sleep)


@behaviour("plays", "seabattle")
def leaves_a_child_in_a_session_of_its_own(bot):
    child(lambda: (os.setsid(), sleep()))


@behaviour("plays", "seabattle")
def leaves_a_daemon(bot):
    def daemon():
        os.setsid()
        child(lambda: ([os.close(file) for file in (0, 1, 2)], sleep()))

    child(daemon)


@behaviour("plays", "seabattle")
def leaves_a_family_that_ignores_signals(bot):
    def family():
        os.setsid()
        for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_IGN)
        child(sleep)
        child(sleep)
        sleep()

    child(family)


@behaviour("plays", "seabattle")
def goes_on_in_its_child(bot):
    # In the sandbox everything ends with the first process, so it waits there.
    if os.fork() != 0:
        os.wait()
        os._exit(0)


@behaviour("plays", "seabattle")
def changes_its_process_group(bot):
    os.setpgid(0, 0) if os.getpid() != os.getpgid(0) else None


@behaviour("plays", "seabattle")
def opens_many_files(bot):
    bot.files = []
    try:
        while len(bot.files) < 500:
            bot.files.append(open("/dev/null"))
    except OSError:
        pass


@behaviour("process-limit", "shoot")
def forks_without_end(bot):
    while True:
        child(sleep)


@behaviour("memory-limit", "shoot")
def takes_memory_without_end(bot):
    kept = []
    while True:
        kept.append(bytearray(b"x") * (8 << 20))
        time.sleep(0.01)


@behaviour("memory-limit", "shoot")
def takes_shared_memory(bot):
    block = mmap.mmap(-1, 300 << 20)
    for _ in range(300):
        block.write(bytes(1 << 20))
    sleep()


@behaviour("memory-limit", "shoot", "sandbox")
def fills_its_temporary_folder(bot):
    with open("/tmp/rubbish", "wb") as file:
        for _ in range(300):
            file.write(bytes(1 << 20))
    sleep()


@behaviour("shot-timeout", "shoot", "sandbox", "slow")
def kills_its_parent(bot):
    # The first process of the sandbox cannot be killed from inside.
    os.kill(os.getppid(), signal.SIGKILL)
    sleep()


@behaviour("crash", "shoot", "sandbox")
def kills_everyone(bot):
    os.kill(-1, signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)


class Hostile(Sound):
    def __init__(self, at, action):
        self.at, self.action = at, action

    def hear(self, command, words):
        if command == self.at:
            text = self.action(self)
            if text is not None:
                if text:
                    say(text)
                return
        super().hear(command, words)


if __name__ == "__main__":
    if sys.argv[1] == "--list":
        for known, (expected, _, marks, _) in BEHAVIOURS.items():
            print(known, expected, *marks)
    else:
        _, at, _, action = BEHAVIOURS[sys.argv[1]]
        Hostile(at, action).run()
