"""A visual system with a memory: what recurs is taken out of the page with its boxes."""

from dataclasses import replace

import numpy as np
from blocksight.classify.systems.memory.site_memory import MemorySystem, SiteMemory, remove_leaves
from blocksight.classify.systems.vips_content import VipsWords

LEGAL = "© 2024 The Harbour Gazette. All rights reserved, no part of it may be copied, kept, shown or sold by anybody."
BOXES = {LEGAL: (0, 900, 700, 200)}


def story(laid_out, number):
    texts = ("Rain is expected in the north.", "The ferry will not sail.")
    page = laid_out(f"<body><div>{texts[number]}</div><hr><div>{LEGAL}</div></body>", BOXES)
    return replace(page, url=f"https://gazette.example/{number}")


def test_boxes_go_with_their_text(laid_out):
    page = story(laid_out, 0)
    part = remove_leaves(page, np.array([False, True]))
    assert part.leaf_texts == page.leaf_texts[:1]
    assert part.geometry.hidden.shape == part.leaves.shape
    assert part.geometry.line_node.tolist() == part.leaves.tolist()
    assert part.geometry.line_box.tolist() == page.geometry.line_box[:1].tolist()


def test_a_visual_system_is_asked_again(marked, laid_out):
    system = MemorySystem(system=VipsWords(granularity=10), memory=SiteMemory())
    assert marked(system, story(laid_out, 0)) == [LEGAL]
    assert marked(system, story(laid_out, 1)) == ["The ferry will not sail."]
    assert system.card.visual
