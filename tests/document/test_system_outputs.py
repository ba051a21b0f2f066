"""What a system writes itself, and what is written for it."""

import blocksight as bs
from blocksight.classify.system import Card, SystemMetadata
from blocksight.classify.systems import system_named
from blocksight.classify.systems.peers import Peer
from blocksight.document.system_outputs import metadata_of

PAGE = bs.parse("<title>Eels</title><meta name=author content='Ada Current'><h2>Food</h2><p>Worms.</p>")


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
