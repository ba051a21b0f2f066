"""Roles and names of elements: HTML-AAM 1.0 and Accessible Name and Description Computation 1.2."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.document.map.accessible import AccessibleTree, selected_option


def named(html, tag):
    page = bs.parse(html)
    tree = AccessibleTree(page)
    (row, *_) = np.flatnonzero(page.has_tag(tag)).tolist()
    return tree.role(row), tree.name(row)


@pytest.mark.parametrize(
    ("html", "tag", "role", "name"),
    [
        ("<a href=/>Home  page</a>", "a", "link", "Home page"),
        ("<a>Home</a>", "a", "", ""),
        ("<button>Buy <b>now</b></button>", "button", "button", "Buy now"),
        ("<button aria-label=Close>x</button>", "button", "button", "Close"),
        ("<button title=Close></button>", "button", "button", "Close"),
        ("<button><img alt=Search src=x></button>", "button", "button", "Search"),
        ("<button><svg><title>Search</title><path/></svg></button>", "button", "button", "Search"),
        ("<span id=a>Delete</span><button id=b aria-labelledby='b a' aria-label=Row>x</button>", "button", "button",
         "Row Delete"),
        ("<span id=a hidden>Delete</span><button aria-labelledby=a>x</button>", "button", "button", "Delete"),
        ("<label for=i>Mail</label><input id=i>", "input", "textbox", "Mail"),
        ("<label>Mail <input></label>", "input", "textbox", "Mail"),
        ("<input placeholder=Mail>", "input", "textbox", "Mail"),
        ("<input type=submit>", "input", "button", "Submit"),
        ("<input type=submit value=Go>", "input", "button", "Go"),
        ("<input type=image alt=Go>", "input", "button", "Go"),
        ("<input type=search aria-label=Find>", "input", "searchbox", "Find"),
        ("<input type=checkbox aria-labelledby=none title=All>", "input", "checkbox", "All"),
        ("<fieldset><legend>Size</legend></fieldset>", "fieldset", "group", "Size"),
        ("<div role=button>Go<div>on</div></div>", "div", "button", "Go on"),
        ("<div role='nonsense tab'>One</div>", "div", "tab", "One"),
        ("<nav aria-label=Main><a href=/>Home</a></nav>", "nav", "navigation", "Main"),
        ("<main>Text</main>", "main", "main", ""),
        ("<header>Top</header>", "header", "banner", ""),
        ("<article><header>Top</header></article>", "header", "", ""),
        ("<section>Text</section>", "section", "", ""),
        ("<section aria-label=Prices>Text</section>", "section", "region", "Prices"),
        ("<select><option>One<option selected>Two</select>", "select", "combobox", ""),
        ("<select multiple><option>One</select>", "select", "listbox", ""),
        ("<summary>More</summary>", "summary", "button", "More"),
        ("<div contenteditable aria-label=Note></div>", "div", "textbox", "Note"),
        ("<button role=none>Go</button>", "button", "button", "Go"),
        ("<table role=presentation></table>", "table", "", ""),
    ],
)  # fmt: skip
def test_role_and_name(html, tag, role, name):
    assert named(html, tag) == (role, name)


def test_name_without_hidden_content():
    assert named("<button><span hidden>Old</span><span aria-hidden=true>*</span>New</button>", "button")[1] == "New"


def test_name_with_embedded_value():
    html = "<label><input type=checkbox> Flash <input value=3 aria-label=times> times</label>"
    assert named(html, "input")[1] == "Flash 3 times"


def test_name_circular_references():
    assert named("<a id=a href=/ aria-labelledby=b>1</a><a id=b href=/ aria-labelledby=a>2</a>", "a") == ("link", "2")


def test_name_length():
    assert len(named(f"<button>{'word ' * 200}</button>", "button")[1]) == 300


def test_the_first_option_is_selected_without_any():
    page = bs.parse("<select><option>One<option label=Zwei>Two</select><select></select>")
    first, second = np.flatnonzero(page.has_tag("select")).tolist()
    assert (selected_option(page, first), selected_option(page, second)) == ("One", "")


def test_name_by_content_of_any_element():
    page = bs.parse("<div>▲ <b>42</b></div><div contenteditable>Dear <i>keeper</i></div>")
    first, second = np.flatnonzero(page.has_tag("div")).tolist()
    tree = AccessibleTree(page)
    assert (tree.name(first), tree.name(first, by_content=True), tree.text(second)) == ("", "▲ 42", "Dear keeper")
