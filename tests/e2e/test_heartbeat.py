# SPDX-License-Identifier: MIT
"""The heartbeat comes from the broker, which never runs user code: nothing a cell does stops it."""
import pytest

from support.build import scaled
from support.waiting import Stopwatch

pytestmark = pytest.mark.alone  # every beat is measured

BUSY = {
    "python": "while True: pass",
    "mock": "loop",
}


def beats_quickly(client):
    for number in range(20):
        payload = b"beat %d" % number
        with Stopwatch() as watch:
            assert client.beat(payload) == payload
        assert watch.seconds < scaled(1)


def test_heartbeat_is_echoed_while_idle(client):
    beats_quickly(client)


@pytest.mark.parametrize("language", BUSY)
def test_heartbeat_is_echoed_while_a_cell_runs(start_kernel, language):
    client = start_kernel(language=language).client()
    running = client.execute(BUSY[language])
    client.wait_started(running)

    beats_quickly(client)

    assert ("shell", running.msg_id) not in client.replies
    client.interrupt()
    client.finish(running)


def test_heartbeat_is_echoed_while_a_cell_floods(start_kernel):
    client = start_kernel(language="mock").client()
    running = client.execute(f"flood {50 << 20}")
    client.wait_output(running, "0123456789")

    beats_quickly(client)

    client.finish(running, seconds=60)
