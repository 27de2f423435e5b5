# SPDX-License-Identifier: MIT
"""Which tests a run chooses: the rules of tests/conftest.py, seen by tests that they apply to."""
import pytest

from support.build import SANITIZED
from support.waiting import Stopwatch

ROWS = range(11)


def test_that_names_a_clock_is_marked_alone(request):
    with Stopwatch() as watch:
        assert request.node.get_closest_marker("alone") is not None
    assert watch.seconds >= 0


def test_that_names_no_clock_is_not(request):
    assert request.node.get_closest_marker("alone") is None


@pytest.mark.rows
@pytest.mark.parametrize("row", ROWS)
def test_rows_of_a_table_are_sampled_with_sanitizers(row):
    assert not SANITIZED or row in (0, 10)


@pytest.mark.parametrize("row", ROWS)
def test_rows_of_other_tests_are_all_run(request, row):
    names = {item.name for item in request.session.items}

    assert names >= {f"test_rows_of_other_tests_are_all_run[{number}]" for number in ROWS}
