# ruff: noqa: E501 - the pages are easier to read without breaks
"""Hostile pages, which keep a browser busy, grow or confuse it, and the site that serves them.

Each page shows one sentence first.
"""

from __future__ import annotations

import gzip
import io
import itertools
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from urllib.parse import unquote, urlsplit

from blocksight.render.network.local_server import QuietHandler

#: The first text of each page.
SENTENCE = "The heron stands at the weir all morning and waits."
_HEAD = f"<!doctype html><html lang=en><meta charset=utf-8><title>Heron</title><body><p>{SENTENCE}</p>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hostile:
    """A kind of hostile page.

    Attributes
    ----------
    body : str, optional
    stream : str
        Instead of it: the name of what sends it part by part, perhaps without end.
    kind : str
        Its media type.
    headers : tuple of (str, str)
    status : int
    textless : bool
        Whether there is no text to be had: any named failure will do.
    """

    body: str | None = None
    stream: str = ""
    kind: str = "text/html; charset=utf-8"
    headers: tuple[tuple[str, str], ...] = ()
    status: int = 200
    textless: bool = False

    def parts(self) -> Iterator[bytes]:
        """Yield the body, part by part; some have no end."""
        if self.stream:
            yield from STREAMS[self.stream]()
        else:
            yield (self.body or "").encode()


def _script(code: str) -> Hostile:
    return Hostile(body=f"{_HEAD}<script>{code}</script>")


def _body(inner: str, head: str = "") -> Hostile:
    return Hostile(body=f"{head}{_HEAD}{inner}")


def _style(css: str, inner: str) -> Hostile:
    return _body(f"<style>{css}</style>{inner}")


# -- bodies without end, or too large ---------------------------------------------------------------------------------


def _endless(part: bytes, pause: float) -> Iterator[bytes]:
    yield _HEAD.encode()
    while True:
        yield part
        time.sleep(pause)


def _large(part: bytes, megabytes: int) -> Iterator[bytes]:
    yield _HEAD.encode()
    whole = part * (1_000_000 // len(part))
    yield from itertools.repeat(whole, megabytes)


def _dripping(body: bytes) -> Iterator[bytes]:
    yield _HEAD.encode()
    for place in range(len(body)):
        yield body[place : place + 1]
        time.sleep(0.005)


def _endless_gzip() -> Iterator[bytes]:
    packer = zlib.compressobj(wbits=31)
    yield packer.compress(_HEAD.encode()) + packer.flush(zlib.Z_SYNC_FLUSH)
    while True:
        yield packer.compress(b"<!-- " + b"x" * 1_000_000 + b" -->") + packer.flush(zlib.Z_SYNC_FLUSH)


def _parts() -> Iterator[bytes]:
    while True:
        yield b"--x\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + _HEAD.encode() + b"\r\n"
        time.sleep(0.05)


@cache
def _packed(megabytes: int) -> bytes:
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=9) as file:
        file.write(_HEAD.encode())
        for _ in range(megabytes):
            file.write(b"bomb " * 200_000)
    return packed.getvalue()


#: Megabytes that the zip bomb unpacks to.
BOMB = 300


def pack() -> None:
    """Make what takes long to make, before anybody waits for it."""
    _packed(BOMB)


STREAMS: dict[str, Callable[[], Iterator[bytes]]] = {
    "slow": lambda: _endless(b"<p>more</p>", 0.2),
    "fast": lambda: _endless(b"<p>more and more of it</p>" * 400, 0.0),
    "comment": lambda: _endless(b"<!-- a comment", 0.1),
    "attribute": lambda: _endless(b"<p title='that never ends ", 0.1),
    "script": lambda: _endless(b"<script>x = 1;</script>", 0.02),
    "style": lambda: _endless(b"<style>p { color: #222 }</style>", 0.02),
    "text": lambda: _large(b"words and words ", 100),
    "zip": lambda: iter([_packed(BOMB)]),
    "drip": lambda: _dripping(b"<p>" + b"word " * 100_000),
    "packed": _endless_gzip,
    "parts": _parts,
    "silent": lambda: _endless(b"", 60.0),
}

# -- what scripts do --------------------------------------------------------------------------------------------------

_P = "Object.assign(document.createElement('p'), {textContent: 'more'})"
_SPIN = "URL.createObjectURL(new Blob(['for (;;);']))"

_GROWING = {
    "mutation loop": f"new MutationObserver(() => document.body.append({_P})).observe(document.body, "
    "{childList: true}); document.body.append('x')",
    "attribute loop": "new MutationObserver(() => document.body.setAttribute('a', Math.random()))"
    ".observe(document.body, {attributes: true}); document.body.setAttribute('a', 1)",
    "endless nodes": f"setInterval(() => {{ for (let i = 0; i < 500; i++) document.body.append({_P}) }}, 1)",
    "nodes at once": f"for (;;) document.body.append({_P})",
    "detached nodes": "const held = []; for (;;) held.push(document.createElement('p'))",
    "doubling innerHTML": "setInterval(() => document.body.innerHTML += document.body.innerHTML, 5)",
    "doubling at once": "for (let i = 0; i < 30; i++) document.body.innerHTML += document.body.innerHTML",
    "doubling clones": "for (let i = 0; i < 30; i++) document.body.append(...[...document.body.childNodes]"
    ".map(one => one.cloneNode(true)))",
    "doubling text": "let text = 'word '; setInterval(() => document.body.append(text += text), 50)",
    "deep by script": "let at = document.body; for (;;) at = at.appendChild(document.createElement('div'))",
    "deep slowly": "let at = document.body; setInterval(() => { for (let i = 0; i < 200; i++) "
    "at = at.appendChild(document.createElement('div')) }, 5)",
    "shadow in shadow": "let at = document.body; for (let i = 0; i < 3000; i++) { const one = document.createElement("
    "'div'); at.append(one); at = one.attachShadow({mode: 'closed'}); at.append('deep') }",
    "many shadows": "for (let i = 0; i < 30000; i++) { const one = document.createElement('div'); "
    "document.body.append(one); one.attachShadow({mode: 'open'}).innerHTML = '<p>in it</p><slot></slot>' }",
    "element of itself": "customElements.define('a-a', class extends HTMLElement { connectedCallback() { "
    "setTimeout(() => this.append(document.createElement('a-a'), document.createElement('a-a'))) } }); "
    "document.body.append(document.createElement('a-a'))",
    "removing everything": "setTimeout(() => { const root = document.documentElement; setInterval(() => { "
    "root.remove(); document.append(root) }, 1) }, 50)",
    "attributes by script": "for (let i = 0; i < 200000; i++) document.body.setAttribute('a' + i, i)",
}

_BUSY = {
    "busy at once": "for (;;);",
    "busy when parsed": "addEventListener('DOMContentLoaded', () => { for (;;); })",
    "busy when loaded": "addEventListener('load', () => { for (;;); })",
    "busy in a timer": "setTimeout(() => { for (;;); }, 100)",
    "busy in many timers": "setInterval(() => { const end = performance.now() + 1e9; while (performance.now() < end); }, 1)",
    "busy before drawing": "requestAnimationFrame(function again() { for (let i = 0; i < 1e9; i++); "
    "requestAnimationFrame(again) })",
    "busy in workers": f"for (let i = 0; i < 20; i++) new Worker({_SPIN})",
    "busy in a frame": "const one = document.createElement('iframe'); one.srcdoc = '<p>in</p><script>for (;;);<\\/script>'; "
    "document.body.append(one)",
    "busy while idle": "requestIdleCallback(function again() { for (let i = 0; i < 1e9; i++); requestIdleCallback(again) })",
    "microtasks": "(function again() { Promise.resolve().then(again) })()",
    "async microtasks": "(async () => { for (;;) await 0 })()",
    "messages": "addEventListener('message', () => { postMessage(1, '*'); postMessage(1, '*') }); postMessage(1, '*')",
    "broadcasts": "const a = new BroadcastChannel('x'), b = new BroadcastChannel('x'); "
    "a.onmessage = b.onmessage = () => { a.postMessage(1); b.postMessage(1) }; a.postMessage(1)",
    "slow pattern": "/^(a+)+$/.test('a'.repeat(60) + 'b')",
    "recursion": "setInterval(function deep() { try { deep() } catch { deep() } }, 1)",
    "errors": "addEventListener('error', () => { setTimeout(() => { throw 1 }) }); throw 1",
    "rejections": "addEventListener('unhandledrejection', () => { Promise.reject(1); Promise.reject(2) }); Promise.reject(1)",
    "console": "setInterval(() => { for (let i = 0; i < 2000; i++) console.log('x'.repeat(1000), document.body) }, 1)",
    "marks": "setInterval(() => { for (let i = 0; i < 5000; i++) performance.mark('x' + i) }, 1)",
    "debugger": "setInterval(() => { debugger }, 1)",
}

_MEMORY = {
    "arrays": "const held = []; for (;;) held.push(new Uint8Array(5e7).fill(1))",
    "arrays slowly": "const held = []; setInterval(() => held.push(new Uint8Array(2e7).fill(1)), 5)",
    "objects": "const held = []; for (;;) held.push({a: [1, 2, 3], b: 'x' + held.length})",
    "strings": "const held = []; setInterval(() => held.push('ab'.repeat(1e6 + held.length).split('').join('-')), 1)",
    "arrays in workers": "const code = URL.createObjectURL(new Blob(['const held = []; for (;;) "
    "held.push(new Uint8Array(2e7).fill(1))'])); for (let i = 0; i < 4; i++) new Worker(code)",
    "webassembly memory": "const all = []; setInterval(() => { const one = new WebAssembly.Memory({initial: 800}); "
    "new Uint8Array(one.buffer).fill(1); all.push(one) }, 5)",
    "giant canvas": "for (let i = 0; i < 40; i++) { const one = document.createElement('canvas'); one.width = one.height "
    "= 8000; one.getContext('2d').fillRect(0, 0, 8000, 8000); document.body.append(one) }",
    "offscreen canvas": "setInterval(() => { const one = new OffscreenCanvas(8000, 8000); one.getContext('2d')"
    ".fillRect(0, 0, 8000, 8000); (globalThis.held ||= []).push(one.transferToImageBitmap()) }, 5)",
    "canvas text": "const one = document.createElement('canvas'); one.width = one.height = 4000; document.body.append(one); "
    "const pen = one.getContext('2d'); setInterval(() => { pen.filter = 'blur(50px)'; pen.font = '900px serif'; "
    "for (let i = 0; i < 50; i++) pen.fillText('heron', 0, 900 + i) }, 1)",
    "blobs": "const held = []; setInterval(() => held.push(new Blob([new Uint8Array(2e7)])), 5)",
    "stored data": "try { for (let i = 0; ; i++) localStorage['k' + i] = 'x'.repeat(1e5) } catch { } "
    "for (let i = 0; i < 5000; i++) document.cookie = 'c' + i + '=' + 'x'.repeat(3000)",
    "database": "const open = indexedDB.open('x'); open.onupgradeneeded = () => open.result.createObjectStore('a', "
    "{autoIncrement: true}); open.onsuccess = () => setInterval(() => { const to = open.result.transaction('a', "
    "'readwrite').objectStore('a'); for (let i = 0; i < 20; i++) to.add('x'.repeat(1e6)) }, 1)",
}

_ASKING = {
    "5,000 fetches": "for (let i = 0; i < 5000; i++) fetch('/ok/' + i)",
    "5,000 slow fetches": "for (let i = 0; i < 5000; i++) fetch('/silent?' + i)",
    "5,000 pictures": "for (let i = 0; i < 5000; i++) new Image().src = '/ok/' + i; document.body.append('pictures')",
    "5,000 scripts": "for (let i = 0; i < 5000; i++) document.body.append(Object.assign(document.createElement('script'), "
    "{src: '/ok/' + i}))",
    "fetch after fetch": "(async () => { for (let i = 0; ; i++) await fetch('/ok/' + i) })()",
    "fetch of large": "for (let i = 0; i < 20; i++) fetch('/endless body, fast?' + i).then(one => one.text())",
    "waiting for a server": "const one = new XMLHttpRequest(); one.open('GET', '/silent', false); one.send()",
    "websockets": "setInterval(() => { const one = new WebSocket('ws://' + location.host + '/ok'); "
    "one.onopen = () => one.send('x'.repeat(1e5)) }, 1)",
    "event source": "for (let i = 0; i < 50; i++) new EventSource('/endless body, slow?' + i)",
    "beacons": "setInterval(() => { for (let i = 0; i < 50; i++) navigator.sendBeacon('/ok/' + i, 'x'.repeat(1000)) }, 1)",
    "peer connections": "setInterval(() => { const one = new RTCPeerConnection(); one.createDataChannel('x'); "
    "one.createOffer().then(offer => one.setLocalDescription(offer)) }, 1)",
}

_LEAVING = {
    "alerts": "for (;;) alert(1)",
    "questions": "setInterval(() => { confirm(1); prompt(2) }, 1)",
    "printing": "setInterval(() => print(), 1)",
    "document.open loop": f"setInterval(() => {{ document.open(); document.write('<p>{SENTENCE}</p>'); "
    "document.close() }, 1)",
    "document.write loop": "for (;;) document.write('<p>more</p>')",
    "document.write of itself": "document.write('<script>' + document.currentScript.textContent + '<\\/script>')",
    "document never closed": f"setTimeout(() => {{ document.open(); document.write('<p>{SENTENCE}</p>'); "
    "setInterval(() => document.write('<p>more</p>'), 1) }, 10)",
    "navigation loop": "setTimeout(() => location.href = '/navigation loop?' + Math.random(), 5)",
    "navigation at once": "location.href = '/navigation at once?' + Math.random()",
    "reload loop": "setTimeout(() => location.reload(), 5)",
    "reload at once": "location.reload()",
    "hash loop": "setInterval(() => location.hash = Math.random(), 1)",
    "history loop": "setInterval(() => { for (let i = 0; i < 50; i++) history.pushState(i, '', '?' + i); history.back() }, 1)",
    "leaving refused": "addEventListener('beforeunload', event => { event.preventDefault(); for (;;); }); "
    "setTimeout(() => location.href = '/ok', 5)",
    "busy while leaving": "addEventListener('pagehide', () => { for (;;); }); setTimeout(() => location.href = "
    "'/busy while leaving?' + Math.random(), 5)",
    "form loop": "const one = document.createElement('form'); one.action = '/form loop'; document.body.append(one); "
    "setTimeout(() => one.submit(), 5)",
    "windows": "setInterval(() => open('/windows?' + Math.random()), 1)",
    "leaving to silence": "setTimeout(() => location.href = '/never', 5)",
    "leaving to a download": "setInterval(() => location.href = '/file?' + Math.random(), 5)",
    "stop": "setInterval(() => stop(), 1); document.body.append('stopped')",
    "modal dialogs": "for (let i = 0; i < 500; i++) { const one = document.createElement('dialog'); "
    "one.append('modal'); document.body.append(one); one.showModal() }",
}

_FRAMES = {
    "frames of itself": _body("<iframe src='/frames of itself?1'></iframe><iframe src='/frames of itself?2'></iframe>"),
    "frames by script": _script(
        "setInterval(() => { const one = document.createElement('iframe'); one.srcdoc = document.documentElement.outerHTML; "
        "document.body.append(one) }, 20)"
    ),
    "frame in frame": _script(
        "let at = document; for (let i = 0; i < 200; i++) { const one = at.createElement('iframe'); at.body.append(one); "
        "if (!one.contentDocument) break; at = one.contentDocument; at.body.append('in frame ' + i) }"
    ),
    "1,000 frames": _body("<iframe srcdoc='<p>frame</p>'></iframe>" * 1000),
    "objects of itself": _body("<object data='/objects of itself?1'></object><embed src='/objects of itself?2'>"),
    "frames that refresh": _body(
        "<iframe srcdoc='<meta http-equiv=refresh content=0><script>location.reload()</script>'></iframe>" * 50
    ),
    "frames of other names": _body(
        "".join(f"<iframe src='http://a{number}.localhost:PORT/busy at once'></iframe>" for number in range(30))
    ),
}

_PATH = "M0 0" + "".join(f"L{number % 97} {number % 89}" for number in range(20_000))
_USES = "<svg><defs><g id=a0><path d='M0 0h9'/><text>x</text></g>" + "".join(
    f"<g id=a{level}>{f'<use href=#a{level - 1} />' * 10}</g>" for level in range(1, 9)
)

_LARGE = {
    "220,000 nodes": _body("<p>word</p>" * 110_000),
    "400,000 nodes": _body("<p>word</p>" * 200_000),
    "500 x 200 table": _body("<table>" + ("<tr>" + "<td>word</td>" * 200 + "</tr>") * 500 + "</table>"),
    "wide table": _body("<table><tr>" + "<td>word</td>" * 20_000 + "</tr></table>"),
    "spanning cells": _body("<table>" + "<tr><td colspan=1000 rowspan=60000>word</td></tr>" * 3000 + "</table>"),
    "nested tables": _body("<table><tr><td>in " * 150),
    "200,000 attributes": _body("<p " + " ".join(f"a{number}=x" for number in range(200_000)) + ">words</p>"),
    "long title": _body("words", head="<title>" + "word " * 1_000_000 + "</title>"),
    "100,000 breaks": _body("words<br>" * 100_000),
    "one long word": _body("<p>" + "w" * 3_000_000 + "</p>"),
    "one long line": _body("<pre>" + "words " * 500_000 + "</pre>"),
    "combining marks": _body("<p>" + ("a" + "\u0301\u0330" * 50) * 10_000 + "</p>"),
    "mixed directions": _body("<p>" + "\u202e\u05d0 a\u202c \u2067b\u2069" * 100_000 + "</p>"),
    "pictures of letters": _body("<p>" + "\U0001f469\u200d\U0001f469\u200d\U0001f467" * 60_000 + "</p>"),
    "deep": _body("<div>" * 60_000 + "words"),
    "deep inlines": _body("<b><i>" * 20_000 + "words"),
    "unclosed formatting": _body("<p><b><i><u><font color=red>words" * 4_000),
    "nested lists": _body("<ul><li>item" * 5_000),
    "100,000 links": _body("<a href='/x'>link</a> " * 100_000),
    "100 MB of text": Hostile(stream="text"),
    "zip bomb": Hostile(stream="zip", headers=(("Content-Encoding", "gzip"),)),
    "endless body, slow": Hostile(stream="slow"),
    "endless body, fast": Hostile(stream="fast"),
    "endless comment": Hostile(stream="comment"),
    "endless attribute": Hostile(stream="attribute"),
    "endless scripts": Hostile(stream="script"),
    "endless styles": Hostile(stream="style"),
    "silent": Hostile(stream="silent"),
    "endless redirects": Hostile(status=302, headers=(("Location", "/endless redirects"),), textless=True),
    "endless refresh": _body("", head="<meta http-equiv=refresh content=0>"),
    "entities of entities": Hostile(
        body='<?xml version="1.0"?><!DOCTYPE html ['
        + '<!ENTITY a0 "word ">'
        + "".join(f'<!ENTITY a{level} "{f"&a{level - 1};" * 10}">' for level in range(1, 10))
        + f']><html xmlns="http://www.w3.org/1999/xhtml"><body><p>{SENTENCE}</p><p>&a9;</p></body></html>',
        kind="application/xhtml+xml",
        textless=True,
    ),
}

_DRAWN = {
    "svg use bomb": _body(_USES + "</defs><use href=#a8 /></svg>"),
    "svg of itself": _body("<svg><g id=a><use href=#b /></g><g id=b><use href=#a /></g><text y=20>in it</text></svg>"),
    "svg patterns": _body(
        "<svg width=900 height=900><defs><pattern id=p0 width=1 height=1><path d='M0 0h1'/></pattern>"
        + "".join(
            f"<pattern id=p{n} width={n} height={n}><rect width=900 height=900 fill='url(#p{n - 1})'/></pattern>"
            for n in range(1, 12)
        )
        + "</defs><rect width=900 height=900 fill='url(#p11)'/></svg>"
    ),
    "svg filters": _body(
        "<svg width=2000 height=2000><filter id=f>"
        + "<feGaussianBlur stdDeviation=200 /><feMorphology operator=dilate radius=200 /><feTurbulence numOctaves=99 />" * 40
        + "</filter><rect width=2000 height=2000 filter='url(#f)'/></svg>"
    ),
    "long path": _body(f"<svg>{f'<path d={chr(34)}{_PATH}{chr(34)} stroke=red stroke-dasharray=1 />' * 20}</svg>"),
    "endless animation": _style(
        "@keyframes a { from { opacity: 0; transform: rotate(0) } to { opacity: 1; transform: rotate(1turn) } } "
        "b { animation: a .01s infinite }",
        "<b>word</b> " * 20_000,
    ),
    "animated layout": _style(
        "@keyframes a { to { width: 1px; font-size: 90px } } i { animation: a .01s infinite; float: left }",
        "<i>word</i> " * 3_000,
    ),
    "variables of variables": _style(
        "p { --a0: word word; "
        + "".join(f"--a{n}: " + f"var(--a{n - 1}) " * 10 + ";" for n in range(1, 12))
        + "font-family: var(--a11) }",
        "<p>words</p>" * 100,
    ),
    "has": _style(":has(:has(*) *) ~ * :has(+ *) { color: #222 }" * 50, "<div><p>words</p></div>" * 5_000),
    "slow selectors": _style(
        "".join(f"* * * * * * ~ * * * .x{n} * {{ color: red }}" for n in range(2_000)), "<div>" * 300 + "words" * 99
    ),
    "100,000 rules": _style("".join(f".a{n}, p:nth-child({n}n+1) {{ left: {n}px }}" for n in range(100_000)), "<p>a</p>" * 500),
    "import of itself": _body("<style>@import '/import of itself.css';</style><link rel=stylesheet href='/endless.css'>"),
    "blur": _style("p { filter: blur(99px); backdrop-filter: blur(99px); box-shadow: 0 0 999px 999px red }", "<p>w</p>" * 3_000),
    "nested flex": _body("<div style='display:flex;flex-wrap:wrap'>" * 400 + "words"),
    "nested grid": _body("<div style='display:grid;grid-template-columns:min-content 1fr auto'>" * 300 + "words"),
    "giant grid": _style("main { display: grid; grid-template: repeat(900, 1px) / repeat(900, 1px) } ",
                         "<main>" + "<b style='grid-area: 1/1/900/900'>w</b>" * 5_000 + "</main>"),
    "nested columns": _body("<div style='columns:3'>" * 40 + "<p>words in columns</p>" * 400),
    "giant box": _body("<div style='width:33000000px;height:33000000px;background:linear-gradient(red,blue)'>words</div>" * 50),
    "counters": _style("p { counter-increment: a } p::before { content: counters(a, '.') ' ' attr(title) }", "<p>word</p>" * 20_000),
    "giant font": _style("p { font-size: 99999px; letter-spacing: 99999px; text-shadow: 0 0 999px red }", "<p>words</p>" * 200),
    "layers": _style("p { will-change: transform; transform: translateZ(0); width: 9000px; height: 9000px }", "<p>w</p>" * 2_000),
    "container queries": _style(
        "div { container-type: inline-size } @container (min-width: 1px) { div { padding: 1px } }", "<div>" * 500 + "words"
    ),
    "resize observer": _script(
        "const one = document.createElement('div'); document.body.append(one); let size = 1; "
        "new ResizeObserver(() => { one.style.height = ++size + 'px' }).observe(one)"
    ),
    "scroll without end": _script(
        "new IntersectionObserver(() => { for (let i = 0; i < 200; i++) document.body.append("
        f"{_P}) }}).observe(document.body); addEventListener('scroll', () => document.body.append({_P})); "
        "setInterval(() => { scrollBy(0, 999); document.body.style.height = document.body.scrollHeight + 999 + 'px' }, 1)"
    ),
    "layout thrashing": _body(
        "<p>word</p>" * 5_000 + "<script>setInterval(() => { for (const one of document.querySelectorAll('p')) { "
        "one.style.width = one.offsetWidth + 1 + 'px' } }, 1)</script>"
    ),
    "selections": _script("document.onselectionchange = () => getSelection().selectAllChildren(document.body); "
                          "setInterval(() => { getSelection().removeAllRanges(); getSelection().selectAllChildren(document.body) }, 1)"),
    "editing": _script("document.designMode = 'on'; setInterval(() => { document.execCommand('selectAll'); "
                       "document.execCommand('copy'); document.execCommand('insertText', false, 'x'.repeat(9999)); "
                       f"document.body.prepend('{SENTENCE}') }}, 5)"),
}  # fmt: skip

_POISON = {
    "poisoned prototypes": "for (const one of [Array, Object, String, Map, Set, Promise, Function, Document, Element, Node, "
    "Animation, FontFaceSet, NodeList]) for (const name of Object.getOwnPropertyNames(one.prototype)) "
    "if (name !== 'constructor') try { one.prototype[name] = () => { throw 1 } } catch { }",
    "poisoned getters": "for (const name of ['body', 'documentElement', 'fonts', 'styleSheets', 'getAnimations', "
    "'querySelector', 'querySelectorAll', 'getElementsByTagName', 'adoptedStyleSheets']) "
    "Object.defineProperty(document, name, {get() { for (;;); }})",
    "poisoned globals": "for (const name of ['Symbol', 'performance', 'requestAnimationFrame', 'getComputedStyle', 'URL', "
    "'Promise', 'Math', 'JSON', 'Map', 'Array', 'location', 'innerWidth', 'onscroll', 'onwheel']) try { "
    "Object.defineProperty(globalThis, name, {get() { for (;;); }}) } catch { }",
    "poisoned values": "Object.prototype.get = Object.prototype.value = Object.prototype.then = () => { for (;;); }; "
    "Object.prototype.toJSON = () => { for (;;); }; Array.prototype[Symbol.iterator] = function* () { for (;;) yield 1 }",
    "poisoned styles": "CSSStyleSheet.prototype.replaceSync = () => { throw 1 }; "
    "Object.defineProperty(CSSStyleSheet.prototype, 'cssRules', {get() { for (;;); }}); "
    "Object.defineProperty(Element.prototype, 'scrollHeight', {get() { for (;;); }}); "
    "Object.defineProperty(Node.prototype, 'textContent', {get() { for (;;); }})",
    "named like members": "for (const name of ['body', 'forms', 'fonts', 'querySelectorAll', 'getAnimations', 'location', "
    "'documentElement']) document.body.append(Object.assign(document.createElement('img'), {name, id: name}))",
    "stopped clock": "Date.now = performance.now = () => 0; setTimeout = setInterval = requestAnimationFrame = () => 0; "
    "document.body.append('stopped')",
    "frozen": "for (const one of [Object, Array, Element, Node, Document, EventTarget, Promise]) { Object.freeze(one.prototype);"
    " Object.freeze(one) } Object.freeze(globalThis.document.body.style)",
}

#: (module (func (export "f") (loop (br 0))))
_LOOP = "[0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,7,5,1,1,102,0,0,10,9,1,7,0,3,64,12,0,11,11]"

#: What came to mind when all of the above were good.
_LATER_SCRIPTS = {
    "view transitions": "(async function again() { try { await document.startViewTransition(() => "
    "document.body.append('x')).finished } catch { } setTimeout(again) })()",
    "animations by script": "for (let i = 0; i < 3000; i++) { const one = document.createElement('b'); one.append('w '); "
    "document.body.append(one); one.animate([{width: '1px'}, {width: '90px'}], {duration: 10, iterations: Infinity}) }",
    "webassembly loop": f"new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array({_LOOP}))).exports.f()",
    "synchronous requests": "for (;;) { const one = new XMLHttpRequest(); one.open('GET', '/ok', false); one.send() }",
    "large messages": "const one = new Worker(URL.createObjectURL(new Blob(['onmessage = event => postMessage(event.data)'])));"
    "one.onmessage = event => one.postMessage(event.data); one.postMessage(new Array(1e6).fill('word'))",
    "poisoned stacks": "Error.prepareStackTrace = () => { for (;;); }; Error.stackTraceLimit = Infinity; "
    "setInterval(() => { throw new Error('x') }, 1)",
    "poisoned sheets": "for (const one of [Document, ShadowRoot]) Object.defineProperty(one.prototype, 'adoptedStyleSheets', "
    "{get() { for (;;); }, set() { for (;;); }})",
    "toggling dialogs": "const one = document.createElement('dialog'); one.append('modal'); document.body.append(one); "
    "setInterval(() => { one.open ? one.close() : one.showModal() }, 1)",
    "toggling display": "setInterval(() => { document.body.style.display = document.body.style.display ? '' : 'none' }, 1)",
    "ranges": "const all = []; for (let i = 0; i < 200000; i++) { const one = new Range(); one.selectNode(document.body); "
    "all.push(one) } setInterval(() => { document.body.append('x'); document.body.lastChild.remove() }, 1)",
    "highlights": "for (let i = 0; i < 5000; i++) { const one = new Range(); one.selectNode(document.body); "
    "CSS.highlights.set('h' + i, new Highlight(one)) }",
    "titles": "setInterval(() => { document.title = 'x'.repeat(1e6) + Math.random() }, 1)",
}
_NEST = "p { " + "&, & + &, & ~ & { " * 14 + "color: #222" + " }" * 15
_LATER = {
    "long style attribute": _body(f"<p style='{'color: red; ' * 400_000}'>words</p>"),
    "long class": _body(f"<p class='{' '.join(f'c{number}' for number in range(200_000))}'>words</p>"),
    "20,000 style elements": _body("<style>p { color: #222 }</style>" * 20_000),
    "rules in rules": _style(_NEST, "<p>words</p>" * 300),
    "nested sums": _style("p { width: " + "calc(1px + " * 20_000 + "1px" + ")" * 20_000 + " }", "<p>words</p>"),
    "fonts": _style(
        "".join(
            f"@font-face {{ font-family: f{n}; src: url(/ok?{n}) }} .f{n} {{ font-family: f{n} }}" for n in range(3_000)
        ),
        "".join(f"<p class=f{n}>words</p>" for n in range(3_000)),
    ),
    "growing type": _style("div { font-size: 2em }", "<div>w" * 400),
    "null characters": _body("<p>" + "\0" * 2_000_000 + "</p>"),
    "declared shadows": _body("<div><template shadowrootmode=open><p>in</p>" * 2_000),
    "100,000 options": _body("<select>" + "<option>word</option>" * 100_000 + "</select>"),
    "30,000 inputs": _body("<input value=word>" * 30_000),
    "nested ruby": _body("<ruby>a<rt>" * 400 + "words"),
    "marquees": _body("<marquee>words</marquee>" * 2_000),
    "nested details": _body("<details open><summary>more</summary>" * 1_000 + "words"),
    "nested formulas": _body("<math>" + "<msqrt><mfrac><mi>x</mi>" * 200 + "</math>"),
    "nested drawings": _body("<svg><foreignObject width=900 height=900><div>words" * 150),
    "quotes": _style("q { quotes: '<' '>' }", "<q>words" * 400 + "</q>" * 400 + "<q>w</q>" * 20_000),
    "balanced lines": _style(
        "p { text-wrap: balance; hyphens: auto; text-align: justify }", "<p>" + "words in lines " * 60_000
    ),
    "left out of sight": _style("p { content-visibility: auto }", "<p>words</p>" * 40_000),
    "dripping": Hostile(stream="drip"),
    "endless zip": Hostile(stream="packed", headers=(("Content-Encoding", "gzip"),)),
    "pages after pages": Hostile(stream="parts", kind="multipart/x-mixed-replace; boundary=x", textless=True),
    "refresh by the server": Hostile(body=_HEAD, headers=(("Refresh", "0"),)),
}

SCRIPTS = _GROWING | _BUSY | _MEMORY | _ASKING | _LEAVING | _POISON | _LATER_SCRIPTS
KINDS: dict[str, Hostile] = {
    **{name: _script(code) for name, code in SCRIPTS.items()}, **_FRAMES, **_LARGE, **_DRAWN, **_LATER
}  # fmt: skip


# -- the server -------------------------------------------------------------------------------------------------------


class Site(QuietHandler):
    """Serves each kind under its name, and the files that the pages request."""

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)[1:]
        if path == "never":
            time.sleep(60)
        elif path.endswith(".css"):
            self._answer("text/css", f"@import '/{path}?{time.monotonic()}';".encode())
        elif path == "file":
            self._answer("application/octet-stream", b"a file")
        elif path in KINDS:
            self._page(path)
        else:
            self._answer("text/plain", b"ok")

    do_POST = do_GET

    def _answer(self, kind: str, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _page(self, name: str) -> None:
        page = KINDS[name]
        self.send_response(page.status)
        self.send_header("Content-Type", page.kind)
        for header in page.headers:
            self.send_header(*header)
        self.end_headers()
        with suppress(OSError):
            for part in page.parts():
                self.wfile.write(part.replace(b":PORT", f":{self.connection.getsockname()[1]}".encode()))
