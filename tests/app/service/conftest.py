"""A service behind real sockets, and a client that speaks bytes."""

import socket
import threading
import time
from contextlib import contextmanager

import pytest
from blocksight.app.page_runner import PageRunner
from blocksight.app.service.service import Service, server
from blocksight.classify.systems import system_named
from blocksight.render.render_options import RenderOptions

#: Seconds that a test waits for what must happen.
PATIENCE = 300.0
TOKEN = "secret"


class HeldWork:
    """Work that lasts until it is let go; requests for a ``fast`` address end at once."""

    def __init__(self):
        self.started = []
        self._go = threading.Event()

    def let_go(self):
        """End all work."""
        self._go.set()

    def __call__(self, asked, *, is_page=False):
        """Return the address, later."""
        if "fast" not in asked.address:
            self.started.append(asked.address)
            self._go.wait(PATIENCE)
        return asked.address.encode()


class Served:
    """A running service with its parts."""

    def __init__(self, service, port):
        self.service, self.port = service, port

    def connect(self, sent=b""):
        """Open a connection and send bytes."""
        client = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        client.sendall(sent)
        return client

    def ask(self, sent):
        """Send bytes and return all that comes back until the connection is closed."""
        with self.connect(sent) as client:
            return everything(client)

    def good(self):
        """Return the status of a good request on a connection of its own."""
        return status(self.ask(request("fast", close=True)))


def request(address="slow", *, path="/extract", body=None, close=False, token=TOKEN):
    """Return the bytes of a request."""
    body = f'{{"url": "{address}"}}'.encode() if body is None else body
    head = [f"POST {path} HTTP/1.1", "Host: a", "Content-Type: application/json", f"Content-Length: {len(body)}"]
    head += [f"Authorization: Bearer {token}"] * bool(token) + ["Connection: close"] * close
    return "\r\n".join([*head, "", ""]).encode() + body


def everything(client):
    """Return all that comes until the connection is closed."""
    received = b""
    try:
        while piece := client.recv(65_536):
            received += piece
    except ConnectionError:
        pass
    return received


def status(answer):
    """Return the status of an answer, 0 for none."""
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else 0


def eventually(condition):
    """Wait until a condition holds, and return whether it does."""
    deadline = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.01)
    return condition()


@contextmanager
def serve(runner, system="bte", *, work=None, workers=1, queue=2, most_body=100_000, connections=40):
    """Serve with these limits while the context is open, by other ``work`` than that of the service if there is one."""
    limits = {"most_body": most_body, "workers": workers, "queue": queue}
    service = Service(runner, system_named(system), token=TOKEN, **limits)
    service.work = work or service.work
    running = server(service, connections=connections)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            assert eventually(lambda: running.started)
            yield Served(service, port)
        finally:
            if work is not None:
                work.let_go()
            running.should_exit = True
            thread.join(PATIENCE)


def unused():
    """Return a runner that is not entered: the work is another."""
    return PageRunner(RenderOptions(), browser=False)


@pytest.fixture
def held():
    """Work that lasts."""
    return HeldWork()


@pytest.fixture
def served(held):
    """A service whose work lasts."""
    with serve(unused(), work=held) as running:
        yield running
