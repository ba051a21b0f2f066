"""The time that is left for the work on a page."""

import pytest
from blocksight.app.job import work_seconds


@pytest.mark.parametrize(
    ("stretch", "opened", "seconds"),
    [
        (1.0, 2.0, 4.9),
        (1.0, 6.0, 0.9),  # the time is over, but for the second after it
        (1.0, 9.0, 2.4),  # an empty page was opened late, which did not count
        (1.0, 60.0, 3.9),
        (2.0, 2.0, 10.9),
        (2.0, 12.0, 3.9),  # half of 6 s, since the machine is busy
        (1.5, 9.0, 2.4),
    ],
)
def test_work_has_the_rest_of_the_time(stretch, opened, seconds):
    assert work_seconds(6.0, stretch, opened) == pytest.approx(seconds)
