"""Documentation is one column: definitions, code and the headings of its sections are part of it."""

import blocksight as bs
import pytest

OPTIONS = {
    "-a --all": "Automatically stage the files that were changed and removed, but not new files.",
    "-p --patch": "Use the interactive selection of parts to commit.",
    "-C --reuse": "Take an existing commit, and reuse its message.",
    "-m --message": "Use the given text as the message.",
    "-q --quiet": "Suppress the summary.",
    "-n --no-verify": "Skip the hooks before the commit.",
    "-v --verbose": "Show the difference at the bottom of the template.",
    "-s --signoff": "Add a line of who signed it off.",
}
DEFINED = "".join(
    f"<dt>{''.join(f'{name}</dt><dt>' for name in names.split()[:-1])}{names.split()[-1]}</dt><dd><p>{text}</p></dd>"
    for names, text in OPTIONS.items()
)
MENU = "".join(f"<li><a href=/docs/net-{name}>net-{name}</a>" for name in ("add", "cast", "log", "pull", "reel"))
CONTENTS = "<div class=toc><h4>On this page</h4><ul><li><a href=#n>Name</a><li><a href=#o>Options</a></ul></div>"
FEEDBACK = "<div class=feedback><p>Was this page helpful?</p><button>Yes</button> <button>No</button></div>"
EDIT = "<a class=edit href=/edit/net-cast>Edit this page</a>"
PAGE = f"""<!DOCTYPE html><html lang=en><title>net-cast - Net Documentation</title>
<header><a href=/>Net</a><nav><ul><li><a href=/about>About</a><li><a href=/docs>Documentation</a>
<li><a href=/install>Install</a><li><a href=/community>Community</a></ul></nav></header>
<div class=sidebar><ul>{MENU}</ul></div>
<div id=content><div id=main>%s<h1>net-cast</h1><h2>NAME</h2><p>net-cast - Record changes to the catch</p>
<h2>SYNOPSIS</h2><pre>net cast [-a | --interactive] [-s] [-v] [--dry-run] [&lt;pathspec&gt;...]</pre>
<h2>DESCRIPTION</h2><p>Create a new entry that contains the current contents of the index and the given message that
describes the changes.</p><h2>OPTIONS</h2><dl>{DEFINED}</dl><h2>SEE ALSO</h2><p>net-add(1), net-log(1)</p>%s</div></div>
<footer><p>© Net. <a href=/privacy>Privacy</a> <a href=/terms>Terms</a></p></footer></html>"""


def text_of(html):
    return bs.extract(bs.parse(html, url="https://net.example/docs/net-cast"), system="blocksight-dom").text


def test_definitions_and_headings_are_in_the_text():
    text = text_of(PAGE % ("", ""))
    for part in ("SYNOPSIS", "net cast [-a", "OPTIONS", *OPTIONS.values(), "SEE ALSO"):
        assert part in text


@pytest.mark.parametrize(("above", "below"), [(CONTENTS, ""), ("", EDIT), (EDIT + CONTENTS, FEEDBACK)])
def test_contents_links_to_edit_and_feedback_stay_out(above, below):
    text = text_of(PAGE % (above, below))
    assert OPTIONS["-a --all"] in text
    for line in ("On this page", "Edit this page", "Was this page helpful?", "Yes", "Installation", "net-pull"):
        assert line not in text
