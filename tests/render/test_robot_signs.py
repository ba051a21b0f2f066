"""Text that pages show only to robots, or only to persons: fixtures/robots/signs.toml."""

import blocksight as bs
import pytest
from blocksight.render.network.local_server import serve
from generators.robot_pages import PERSON, ROBOT, SIGNS, RobotPages

pytestmark = pytest.mark.browser
USUAL = [f"{kind}/{name}" for kind in ("scripts", "styles", "headers") for name in SIGNS[kind]]
#: Pages that answer after a wait that is not on the page's clock: their sentence may be missing.
LATE = {
    f"scripts/{name}"
    for name in (
        "service-worker-error",
        "service-worker-failure",
        "user-agent-of-a-shared-worker",
        "brands-of-a-shared-worker",
    )
}
#: Signs that only a robot has which says so.
OF_A_ROBOT = ["scripts/user-agent", "scripts/webdriver", "headers/user-agent-header"]


def texts(address, names, **given):
    """Return the text of each page."""
    options = bs.RenderOptions(allow_private=True, timeout=120.0, **given)
    with bs.Browser(pages=2, options=options) as browser:
        results = browser.open_many([f"{address}/{name}" for name in names])
        opened = {one.source.removeprefix(f"{address}/"): one for one in results}
    assert not [one.error for one in opened.values() if one.error]
    return {name: bs.extract(opened[name].page, system="everything").text for name in names}


@pytest.fixture(scope="module")
def pages():
    with serve(RobotPages) as address:
        yield address


@pytest.fixture(scope="module")
def by_default(pages):
    return texts(pages, USUAL)


@pytest.fixture(scope="module")
def identified(pages):
    return texts(pages, OF_A_ROBOT, identify=True)


@pytest.mark.parametrize("name", USUAL)
def test_render_person_text(name, by_default):
    word = name.partition("/")[2]
    assert f"The page {word}." in by_default[name]
    assert PERSON.format(word) in by_default[name] or name in LATE
    assert ROBOT.format(word) not in by_default[name]


@pytest.mark.parametrize("name", OF_A_ROBOT)
def test_render_identified_as_robot(name, identified):
    assert ROBOT.format(name.partition("/")[2]) in identified[name]
