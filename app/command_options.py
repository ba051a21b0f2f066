"""Options of several commands: rendering, systems and models, and groups of features."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args

import click

from ..errors import unknown_name
from ..render.render_options import BLOCKABLE, Look, RenderOptions, Screenshot, parse_proxy
from .console import report_errors

if TYPE_CHECKING:
    from ..classify.system import System

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

#: The name of all systems.
ALL = "all"

FILE = click.Path(dir_okay=False, path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)
FILE_THERE = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER_THERE = click.Path(exists=True, file_okay=False, path_type=Path)
#: A corpus: its folder, or a file of labels that `blocksight inspect` keeps.
CORPUS_THERE = click.Path(exists=True, path_type=Path)


class CommandGroup(click.Group):
    """Commands; an unknown name is answered with a suggestion."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is called."""
        if not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            raise click.UsageError(str(unknown_name("command", args[0], self.list_commands(ctx))), ctx)
        return super().resolve_command(ctx, args)


class OneOf(click.Choice[str]):
    """A choice that suggests a name for an unknown one."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """Return the error for an unknown name."""
        del ctx
        return str(unknown_name("choice", str(value), map(str, self.choices)))


def ends_in(suffixes: str, _: click.Context, __: click.Parameter, path: Path | None) -> Path | None:
    """Return the name of a file to write, which ends as its format asks, or not at all."""
    if path is not None and path.suffix.lower() not in ("", *suffixes.split()):
        raise click.BadParameter(f"{path}: its name should end in {' or '.join(suffixes.split())}")
    return path


def viewport(_: click.Context, __: click.Parameter, value: str) -> tuple[int, int]:
    """Parse the size of a window, WIDTHxHEIGHT."""
    width, cross, height = value.lower().partition("x")
    if not (cross and width.isdigit() and height.isdigit() and int(width) and int(height)):
        raise click.BadParameter("should look like 1280x800")
    return int(width), int(height)


def _headers(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    return tuple(_pair(value, "a header should look like Accept-Language: de") for value in values)


def _credentials(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, str] | None:
    return None if value is None else _pair(value, "should look like NAME:PASSWORD")


def _pair(value: str, message: str) -> tuple[str, str]:
    name, colon, rest = value.partition(":")
    if not colon or not name.strip():
        raise click.BadParameter(message)
    return name.strip(), rest.strip()


def _proxy(_: click.Context, __: click.Parameter, value: str) -> str:
    try:
        if value:
            parse_proxy(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error
    return value


def _encoding(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    from ..page.parse import is_page_encoding

    if value and not is_page_encoding(value):
        raise click.BadParameter("should be an encoding of pages like utf-8, windows-1252 or shift_jis")
    return value


def _block(_: click.Context, __: click.Parameter, value: str) -> tuple[str, ...]:
    return tuple(sorted(set(_split(value))))


def setting(
    field: str,
    text: str,
    *,
    of: RenderOptions | None = None,
    type: click.ParamType[Any] | None = None,  # noqa: A002
    metavar: str | None = None,
    callback: Callable[[click.Context, click.Parameter, Any], Any] | None = None,
) -> Callable[[F], F]:
    """Return an option for a field of :class:`RenderOptions`, with its default in ``of``."""
    default = getattr(of or RenderOptions(), field)
    flag = isinstance(default, bool)
    return click.option(
        f"--{field.replace('_', '-')}",
        type=type,
        default="{}x{}".format(*default) if isinstance(default, tuple) else default,
        is_flag=flag or None,
        show_default=bool(default) and not flag,
        metavar=metavar,
        callback=callback,
        help=text,
    )


#: The value of ``--browser`` that reads raw HTML first.
AUTO: Literal["auto"] = "auto"
browser = click.option(
    "--browser",
    metavar="PROGRAM",
    help="Use this browser instead of searching for one; auto reads raw HTML first, and renders only pages of which "
    "that is not enough (extract, batch, serve).",
)


def program(browser: str | None) -> str | None:
    """Return the program that ``--browser`` names, None for one that is searched for."""
    return None if browser == AUTO else browser


def browser_mode(values: dict[str, Any], *, static: bool) -> bool | Literal["auto"]:
    """Return whether pages are rendered, by ``--browser`` and ``--no-browser``; UsageError if they exclude another."""
    if values["browser"] != AUTO:
        return not static
    if static:
        raise click.UsageError("--browser auto and --no-browser exclude each other")
    return AUTO


def refuse_page_options(values: dict[str, Any], instead: str) -> None:
    """Raise UsageError for the options of one page."""
    if values["url"] or values["encoding"]:
        raise click.UsageError(f"--url and --encoding are for one page: {instead}")


no_browser = click.option(
    "--no-browser", is_flag=True, help="Read raw HTML without a browser: no scripts, no geometry."
)

_COUNT, _LIMIT = click.IntRange(min=0), click.IntRange(min=1)
_RENDERING: tuple[Callable[[Any], Any], ...] = (
    browser,
    setting("timeout", "Seconds for one page.", type=click.FloatRange(min=0.1)),
    setting("scroll", "Maximum number of times to scroll down for content that loads late.", type=_COUNT),
    setting("viewport", "Size of the window.", callback=viewport),
    setting("allow_private", "Let pages connect to this computer and private networks, not only public addresses."),
    setting("reveal", "Open what one click shows on the page: details, accordions, tabs, show more."),
    setting("wait_for", "Wait until this CSS selector matches.", metavar="SELECTOR"),
    click.option(
        "--header",
        "headers",
        metavar="NAME:VALUE",
        multiple=True,
        callback=_headers,
        help="Send this header to the page's own origin; may be repeated.",
    ),
    click.option(
        "--user",
        "credentials",
        metavar="NAME:PASSWORD",
        callback=_credentials,
        help="For HTTP authentication by the page's own origin.",
    ),
    setting(
        "storage_state",
        "Cookies and local storage of a session, as Playwright saves them.",
        type=click.Path(exists=True, dir_okay=False),
    ),
    click.option(
        "--url", metavar="URL", help="Address of a file or of standard input; in an archive, the page to take."
    ),
    setting(
        "settle",
        "Seconds of the page's virtual clock after loading, for scripts, workers and animations.",
        type=click.FloatRange(min=0),
    ),
    setting(
        "look",
        "Texts to check by pictures: those whose visibility the layout does not decide, none, or all visible ones.",
        type=OneOf(get_args(Look)),
    ),
    setting("device_scale", "Device pixels per CSS pixel.", type=click.FloatRange(min=0.1, max=8.0)),
    click.option(
        "--no-alternate", is_flag=True, help="Do not ask sites for Markdown in place of a page (--browser auto)."
    ),
    click.option("--no-javascript", is_flag=True, help="Do not run the page's scripts."),
    setting("offline", "Load nothing from the network; for an address, only what its own site serves."),
    click.option(
        "--block",
        metavar="TYPES",
        default="",
        callback=_block,
        help=f"Do not load these types of resources, separated by commas: {', '.join(BLOCKABLE)}.",
    ),
    setting("user_agent", "User agent to send instead of the browser's own."),
    setting("identify", "Tell sites that this is a robot, and its name: in user agent and client hints."),
    setting("contact", "Address that --identify sends, too: a page about your robot, or mailto:.", metavar="URL"),
    setting("locale", "Language of the reader, as the page sees it."),
    setting("timezone", "Time zone of the reader, as the page sees it."),
    setting("any_certificate", "Also accept certificates that are self-signed, expired or of another host."),
    setting("proxy", "Use this proxy: http://[NAME:PASSWORD@]HOST:PORT.", metavar="URL", callback=_proxy),
    setting("proxy_resolves", "Let that proxy resolve host names, including those of its own network."),
    setting("deterministic", "Stop the clock and fix random numbers, so that rendering is repeatable."),
    setting("any_status", "Also accept the page of an HTTP error (404 and others)."),
    setting("max_bytes", "Largest document; a larger one is refused.", type=_LIMIT),
    setting("max_nodes", "Maximum number of nodes of a page; a larger one is refused.", type=_LIMIT),
    setting("max_requests", "Maximum number of requests of a page; further ones are refused.", type=_LIMIT),
    click.option("--encoding", callback=_encoding, help="Encoding of a file or of standard input, if it is known."),
)

#: Groups of the options of rendering in the help, of all others "Options".
_GROUPS = {
    "Opening pages": "browser no_browser no_alternate no_javascript timeout wait_for scroll settle reveal url encoding",
    "Network": "allow_private headers credentials storage_state proxy proxy_resolves any_certificate any_status "
    "offline block",
    "What pages see": "viewport device_scale locale timezone user_agent identify contact deterministic look",
    "Limits": "max_bytes max_nodes max_requests",
}
#: What ``--help`` shows of rendering, and of the own options of commands that have many.
_SHOWN = "no_browser timeout wait_for scroll reveal allow_private".split()
_SHOWN_OF = {
    "extract": ["output", "format", "keep", "report", *_SHOWN],
    "batch": ["output", "format", "workers", "delay", "retry", "status", "column", "no_browser", "timeout", "browser"],
}
#: Whether help has all options, in the data of a call.
_EVERY = f"{__name__}.every"


class PageCommand(click.Command):
    """A command that opens pages: its help has groups; ``--help`` shows what is used most, ``--help-all`` all."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options by group."""
        groups: dict[str, list[tuple[str, str]]] = {title: [] for title in ("Options", *_GROUPS)}
        for option in self.get_params(ctx):
            name, record = option.name or "", option.get_help_record(ctx)
            group = next((title for title, names in _GROUPS.items() if name in names.split()), "Options")
            shown = _SHOWN_OF.get(self.name or "") or (_SHOWN if group != "Options" else [name])
            if record and isinstance(option, click.Option):
                groups[group] += [record] if name in shown or not option.expose_value or _EVERY in ctx.meta else []
        for title in filter(groups.get, groups):
            with formatter.section(title):
                formatter.write_dl(groups[title])


def _help_all(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        ctx.meta[_EVERY] = True
        click.echo(ctx.get_help())
        ctx.exit()


def rendering(command: F) -> F:
    """Add the options of rendering to a command."""
    every = click.option(
        "--help-all", is_flag=True, is_eager=True, expose_value=False, callback=_help_all, help="Show all options."
    )
    for option in (every, *reversed(_RENDERING)):
        command = option(command)
    return command


def render_options(values: dict[str, Any], *, screenshot: Screenshot = "", mhtml: bool = False) -> RenderOptions:
    """Return the RenderOptions of a call."""
    shared = {field.name: values[field.name] for field in fields(RenderOptions) if field.name in values}
    try:
        shared |= {"javascript": not values["no_javascript"], "alternate": not values["no_alternate"]}
        return RenderOptions(screenshot=screenshot, mhtml=mhtml, **shared)
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def named(value: str, of_name: Callable[[str], T]) -> tuple[T, ...]:
    """Convert names separated by commas, each once."""
    try:
        return tuple(of_name(name) for name in dict.fromkeys(_split(value)))
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def _split(value: str) -> Iterable[str]:
    return filter(None, (part.strip() for part in value.split(",")))


def chosen_systems(_: click.Context, __: click.Parameter, value: str | None) -> tuple[System, ...] | None:
    """Parse names of systems separated by commas, or "all"; None without the option."""
    from ..classify.systems import system_named

    return None if value is None else named(spelled(value), system_named)


def spelled(value: str) -> str:
    """Replace "all" by the names of all systems."""
    from ..classify.systems import SYSTEMS

    everything = ",".join(system.card.name for system in SYSTEMS)
    return ",".join(everything if name.strip() == ALL else name for name in value.split(","))


def read_groups(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...]:
    """Parse names of feature groups, or of bundles of groups, separated by commas; () without the option."""
    from ..features.block_table import BUNDLES, GROUP_NAMES

    if value is None:
        return ()
    names = (*GROUP_NAMES, *BUNDLES)
    known = {name: BUNDLES.get(name, (name,)) for name in names}

    def groups_of_name(name: str) -> tuple[str, ...]:
        if name not in known:
            raise unknown_name("group of features", name, names)
        return known[name]

    chosen = {group for groups in named(value, groups_of_name) for group in groups}
    if not chosen:
        raise click.BadParameter(f"no group of features is given; there are {', '.join(names)}")
    return tuple(group for group in GROUP_NAMES if group in chosen)


def _sites(_: click.Context, __: click.Parameter, path: Path | None) -> dict[str, str] | None:
    from ..gold.split import read_sites

    return None if path is None else read_sites(path)


sites = click.option(
    "--sites",
    type=FILE_THERE,
    callback=_sites,
    help="Split of each site, not that of the corpus: site<TAB>split a line.",
)
_SYSTEM = click.option("--system", default="blocksight", help="One of `blocksight systems`.")
_MODEL = click.option(
    "--model", type=FILE_THERE, help="A model of `blocksight train dataset` instead of the shipped one."
)
images = click.option("--images", type=OneOf(("keep", "none")), default="keep", help="Images.")


def system_options(command: F) -> F:
    """Add ``--system`` and ``--model`` to a command, for :func:`chosen_system`."""
    return _SYSTEM(_MODEL(command))


def chosen_system(system: str, model: Path | None) -> System:
    """Return the system of ``--system`` and ``--model``."""
    from ..classify.systems import system_named

    if model is not None:
        return _with_model(system, model)
    try:
        return system_named(system)
    except ValueError as error:
        raise click.BadParameter(f"{error} (`blocksight systems` lists all)", param_hint="--system") from error


def _with_model(system: str, path: Path) -> System:
    from ..classify.model.model import load_model
    from ..classify.systems.blocksight import Blocksight, BlocksightDom

    kinds: dict[str, type[Blocksight | BlocksightDom]] = {"blocksight": Blocksight, "blocksight-dom": BlocksightDom}
    if system not in kinds:
        raise click.UsageError(f"--model is for blocksight and blocksight-dom, not for {system}")
    with report_errors():
        return kinds[system](model=load_model(path))
