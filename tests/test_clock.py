"""The clock of a game, with a time of its own."""

from pyramide_core.clock import Clock


class Time:
    """A time that passes only when told."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


def test_it_starts_only_when_told() -> None:
    time = Time()
    clock = Clock(time)
    time.seconds += 5
    assert (clock.elapsed, clock.is_running, clock.is_started) == (0, False, False)
    clock.start()
    time.seconds += 7
    assert (clock.elapsed, clock.is_running, clock.is_started) == (7, True, True)


def test_starting_twice_changes_nothing() -> None:
    time = Time()
    clock = Clock(time)
    clock.start()
    time.seconds += 3
    clock.start()
    time.seconds += 4
    assert clock.elapsed == 7


def test_it_stands_still_until_every_reason_is_gone() -> None:
    time = Time()
    clock = Clock(time)
    clock.start()
    time.seconds += 1
    clock.hold("paused")
    clock.hold("hidden")
    time.seconds += 10
    clock.release("hidden")
    time.seconds += 10
    assert (clock.elapsed, clock.is_running, clock.holds) == (1, False, frozenset({"paused"}))
    clock.release("paused")
    time.seconds += 2
    assert (clock.elapsed, clock.is_running, clock.holds) == (3, True, frozenset())


def test_the_same_reason_holds_once() -> None:
    time = Time()
    clock = Clock(time)
    clock.start()
    clock.hold("hidden")
    clock.hold("hidden")
    clock.release("hidden")
    time.seconds += 2
    assert clock.elapsed == 2


def test_a_reason_that_does_not_hold_is_ignored() -> None:
    clock = Clock(Time())
    clock.release("paused")
    assert not clock.is_running
    clock.start()
    clock.release("paused")
    assert clock.is_running


def test_held_before_the_start_it_waits() -> None:
    time = Time()
    clock = Clock(time)
    clock.hold("hidden")
    clock.start()
    time.seconds += 4
    assert clock.elapsed == 0
    clock.release("hidden")
    time.seconds += 4
    assert clock.elapsed == 4


def test_a_release_starts_no_game() -> None:
    time = Time()
    clock = Clock(time)
    clock.hold("hidden")
    clock.release("hidden")
    time.seconds += 4
    assert (clock.elapsed, clock.is_started) == (0, False)


def test_it_stops_at_the_end_and_stays_stopped_through_holds() -> None:
    time = Time()
    clock = Clock(time)
    clock.start()
    time.seconds += 9
    clock.stop()
    clock.hold("hidden")
    clock.release("hidden")
    time.seconds += 100
    assert (clock.elapsed, clock.is_running) == (9, False)
    clock.start()
    time.seconds += 1
    assert clock.elapsed == 10


def test_a_game_taken_up_again_goes_on_from_its_time_at_the_next_action() -> None:
    time = Time()
    clock = Clock(time, elapsed=60)
    time.seconds += 5
    clock.hold("hidden")
    clock.release("hidden")
    time.seconds += 5
    assert (clock.elapsed, clock.is_running, clock.is_started) == (60, False, True)
    clock.start()
    time.seconds += 5
    assert (clock.elapsed, clock.is_running) == (65, True)
