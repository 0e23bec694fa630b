import threading

from svmviz.base.inbox import Inbox


def test_a_newer_order_takes_the_place_of_one_that_was_not_taken():
    inbox = Inbox[str]()
    assert not inbox.is_urgent
    inbox.put("old")
    inbox.put("new")
    assert inbox.is_urgent
    assert inbox.take() == "new"
    assert not inbox.is_urgent
    assert inbox.take(0.0) is None


def test_a_closed_inbox_returns_nothing_and_ends_the_wait():
    inbox = Inbox[str]()
    taken = []
    thread = threading.Thread(target=lambda: taken.append(inbox.take()))
    thread.start()
    inbox.close()
    thread.join(5.0)
    assert taken == [None]
    inbox.put("late")
    assert inbox.closed
    assert inbox.is_urgent
    assert inbox.take() is None


def test_waking_ends_one_wait_and_takes_no_request_away():
    inbox = Inbox[str]()
    inbox.wake()
    assert inbox.take() is None
    assert inbox.take(0.0) is None
    inbox.put("request")
    inbox.wake()
    assert inbox.take() == "request"
