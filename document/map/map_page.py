"""The map of a rendered page, with the roles of its text where its markup has none."""

from __future__ import annotations

from ...classify.system import Judge, System, page_for
from ...classify.systems import as_system
from ...errors import GeometryMissing
from ...page.page import Page
from .page_map import MapBuilder, PageMap


def page_map(page: Page, *, after: PageMap | None = None, system: System | str = "blocksight") -> PageMap:
    """Return the map of a rendered page: regions, sections and controls, for programs that act on pages.

    Parameters
    ----------
    page : Page
        With geometry: of ``Browser().open(...)``, or of ``capture`` with the page of your own Playwright.
    after : PageMap, optional
        An earlier map of the page: what is still there keeps its number.
    system : System or str
        Predicts the roles of text outside of landmarks.

    Returns
    -------
    PageMap
        ``text`` for a language model, ``to_dict()`` for a program, ``control(number)`` with a selector for Playwright,
        ``diff(earlier)`` for what has changed.

    Raises
    ------
    TypeError
        If ``page`` is no Page.
    GeometryMissing
        If the page was not rendered.
    ValueError
        If no system has that name.

    Notes
    -----
    Roles follow HTML-AAM, names the Accessible Name and Description Computation 1.2. All is computed from the captured
    page: nothing is clicked or asked of the browser.
    """
    if not isinstance(page, Page):
        raise TypeError(f"page_map takes a Page, not a value of type {type(page).__name__}: open or capture one")
    if page.geometry is None:
        raise GeometryMissing("a page map")
    builder = MapBuilder(page)
    chosen = as_system(system)
    roles = None
    if len(page.leaves) and builder.needs_roles and isinstance(chosen, Judge):
        roles = chosen.judge(page_for(chosen, page)).roles
    return builder.build(roles, after)
