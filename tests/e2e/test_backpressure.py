# SPDX-License-Identifier: MIT
"""A client that does not read harms nobody else: not the broker's memory, not other clients."""
import pytest

from support.build import SANITIZED
from support.waiting import wait_until

MIB = 1 << 20
LIMIT = (200 if SANITIZED else 100) * MIB


def stable(kernel):
    """The broker's memory once it has stopped growing."""
    seen = [0]

    def settled():
        seen.append(kernel.resident_bytes())
        return len(seen) > 200 and max(seen[-100:]) - min(seen[-100:]) < MIB
    wait_until(settled, "the broker's memory settles", seconds=40)
    return seen[-1]


@pytest.mark.slow
def test_flood_to_a_client_that_does_not_read_is_held_back(start_kernel):
    kernel = start_kernel(language="mock")
    client = kernel.client()
    deaf = kernel.client(reads=False)
    client.run("print x").ok()
    before = kernel.resident_bytes()

    running = client.execute("flood 4000000000")
    client.wait_output(running, "0123")
    most = 0
    for _ in range(40):
        client.pump(0.1)
        client.by_parent.clear()
        client.iopub.clear()
        most = max(most, kernel.resident_bytes())
    client.interrupt()
    client.wait_reply(running, seconds=60)
    client.wait_idle(running, seconds=60)

    assert deaf.iopub, "it has been welcomed, and then stopped reading"
    assert most - before < LIMIT, f"the broker grew by {(most - before) // MIB} MiB"
    kernel.take_log(*["subscriber does not read"] * kernel.stderr().count("does not read"))


@pytest.mark.slow
def test_flood_that_nobody_reads_is_held_back(start_kernel):
    kernel = start_kernel(language="mock")
    client = kernel.client(reads=False)
    before = kernel.resident_bytes()

    client.execute("flood 4000000000")
    after = stable(kernel)

    assert after - before < LIMIT, f"the broker grew by {(after - before) // MIB} MiB"
    assert client.beat() == b"ping"
    kernel.send_signal(15)
    kernel.wait_exit()
    kernel.take_log(*["subscriber does not read"] * kernel.stderr().count("does not read"))


@pytest.mark.slow
def test_other_clients_get_everything_while_one_does_not_read(start_kernel):
    kernel = start_kernel(language="mock")
    client = kernel.client()
    kernel.client(reads=False)

    runs = [client.run(f"flood {10 * MIB}\nresult done", seconds=60).ok() for _ in range(3)]

    assert [run.result for run in runs] == ["done"] * 3
    assert [len(run.stdout) for run in runs] == [10 * MIB] * 3
    kernel.take_log(*["subscriber does not read"] * kernel.stderr().count("does not read"))
