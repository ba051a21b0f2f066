"""What a system writes itself, and what is written for it."""

import blocksight as bs
import numpy as np
from blocksight.classify.system import Card, SystemMetadata
from blocksight.classify.systems import system_named
from blocksight.classify.systems.peers import Peer
from blocksight.document.system_outputs import markdown_of, metadata_of

PAGE = bs.parse("<title>Eels</title><meta name=author content='Ada Current'><h2>Food</h2><p>Worms.</p>")
NONE = np.zeros(len(PAGE.leaves), dtype=bool)


def test_markdown_of_own_or_marks():
    marks = np.ones(len(PAGE.leaves), dtype=bool)
    assert markdown_of(system_named("everything"), PAGE, marks) == "## Food\n\nWorms.\n"
    card = Card(name="p")
    own = Peer(card=card, module="json", package="json", read_text=lambda *_: "", read_markdown=lambda *_: "# Mine")
    assert markdown_of(own, PAGE, NONE) == "# Mine"
    other = Peer(card=card, module="json", package="json", read_text=lambda *_: "")
    assert markdown_of(other, PAGE, marks) == "## Food\n\nWorms.\n"


def test_metadata_of_own_or_page():
    assert metadata_of(system_named("everything"), PAGE) == SystemMetadata("Eels", ("Ada Current",), "")
    card = Card(name="p")
    own = Peer(
        card=card,
        module="json",
        package="json",
        read_text=lambda *_: "",
        read_metadata=lambda *_: SystemMetadata("Mine"),
    )
    assert metadata_of(own, PAGE) == SystemMetadata("Mine")
    assert metadata_of(Peer(card=card, module="json", package="json", read_text=lambda *_: ""), PAGE) is None
