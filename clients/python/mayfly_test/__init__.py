"""Starts Mayfly for a test: MongoDB and Azure Cosmos DB with a clock that the test moves.

    with mayfly_test.start() as mayfly:
        client = pymongo.MongoClient(mayfly.mongo)
        ...
        mayfly.advance(timedelta(minutes=30))
"""

from __future__ import annotations

import atexit
import json
import os
import queue
import re
import subprocess
import tempfile
import threading
import urllib.error
import urllib.request
from collections import deque
from datetime import datetime, timedelta, timezone
from typing import Optional, Sequence, Union

__all__ = ["Mayfly", "MayflyError", "start"]

_CLOCKS = {"standing": "true", "offset": "offset"}
_KEPT_LINES = 30
_STOP_SECONDS = 10
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_MILLISECOND = timedelta(milliseconds=1)

# Requests go to this machine, whatever proxy the environment names.
_direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class MayflyError(Exception):
    """The server did not start, rejected a request, or does not answer."""


class Mayfly:
    """A server in a process of its own. It ends with this process, also if that is killed."""

    #: Connection string for MongoDB drivers.
    mongo: str
    #: Endpoint for Cosmos DB clients: plain HTTP, so there is no certificate to trust.
    cosmos_endpoint: str
    #: Key for Cosmos DB clients.
    cosmos_key: str
    #: Endpoint and key as a connection string.
    cosmos_connection_string: str
    #: Address of the web console.
    console: str
    #: Process id of the server.
    pid: int

    def __init__(self, process: subprocess.Popen, ready: dict):
        self._process = process
        self._clock = ready["operator"] + "_mayfly/clock"
        self.mongo = ready["mongo"]
        self.cosmos_endpoint = ready["operator"]
        self.cosmos_key = re.search("AccountKey=([^;]*)", ready["cosmos"]).group(1)
        self.cosmos_connection_string = (
            f"AccountEndpoint={self.cosmos_endpoint};AccountKey={self.cosmos_key};"
        )
        self.console = ready["console"]
        self.pid = ready["pid"]

    def now(self) -> datetime:
        """The time of the server, in UTC."""
        return self._request(None)

    def advance(self, by: Union[timedelta, float]) -> datetime:
        """Moves the clock forward, and returns the new time. What is due has expired then.

        by: a timedelta, or a number of seconds
        """
        span = by if isinstance(by, timedelta) else timedelta(seconds=by)
        if span < timedelta(0):
            raise ValueError(f"a clock moves forward only, not by {by}")
        return self._request({"advanceMillis": _millis(span)})

    def set(self, to: datetime) -> datetime:
        """Moves the clock forward to an instant, and returns the new time.

        to: a datetime with a time zone
        """
        if to.tzinfo is None:
            raise ValueError(f"a datetime without a time zone is no instant: {to}")
        return self._request({"to": _millis(to - _EPOCH)})

    def stop(self) -> None:
        """Stops the server. Further calls have no effect."""
        _stop(self._process)

    def __enter__(self) -> "Mayfly":
        return self

    def __exit__(self, *failure: object) -> None:
        self.stop()

    def _request(self, body: Optional[dict]) -> datetime:
        data = None if body is None else json.dumps(body).encode()
        try:
            with _direct.open(urllib.request.Request(self._clock, data=data)) as reply:
                text = json.load(reply)["now"]["$date"]
        except urllib.error.HTTPError as refused:
            with refused:
                raise MayflyError(json.load(refused)["error"]) from None
        except urllib.error.URLError as failure:
            raise MayflyError(
                f"Mayfly does not answer at {self._clock}: {failure.reason}"
            ) from failure
        return datetime.fromisoformat(text.replace("Z", "+00:00"))


def start(
    clock: str = "standing",
    *,
    seed: Union[str, "os.PathLike[str]", None] = None,
    jar: Union[str, "os.PathLike[str]", None] = None,
    java: Optional[str] = None,
    command: Optional[Sequence[str]] = None,
    options: Sequence[str] = (),
    timeout: float = 60,
) -> Mayfly:
    """Starts a server in memory on free ports, and returns it when clients can connect.

    clock: "standing" stops between its moves; "offset" goes on with the system clock, also after a
        move
    seed: directory with definitions and documents for the empty server
    jar: path of mayfly.jar. Default: the variable MAYFLY_JAR, then the command mayfly of the PATH
    java: Java 25 or later, for a jar. Default: that of JAVA_HOME, then java of the PATH
    command: a command that runs Mayfly, in place of a jar, such as ["/opt/mayfly/mayfly"]
    options: further options of `mayfly serve`. Paths in them must be absolute
    timeout: seconds to wait for the server
    """
    if clock not in _CLOCKS:
        raise ValueError(f'clock must be "standing" or "offset", not {clock!r}')
    arguments = [*(command or _command(jar, java)), "--json", "serve", "--emulator"]
    arguments += ["--mongo-port", "0", "--cosmos-port", "0", "--health-port", "off"]
    arguments += ["--test-clock", _CLOCKS[clock], "--stop-with-input", "true"]
    if seed is not None:
        arguments += ["--seed", os.path.abspath(seed)]
    try:
        process = subprocess.Popen(
            [*arguments, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            # not the directory of the tests, which may contain the mayfly.yaml of another server
            cwd=tempfile.gettempdir(),
            env=_environment(),
        )
    except FileNotFoundError:
        raise MayflyError(
            f"Mayfly did not start: there is no program {arguments[0]}. Set MAYFLY_JAR to the path"
            " of mayfly.jar (and JAVA_HOME to Java 25 or later), or add the command mayfly to the"
            " PATH."
        ) from None
    # The server also stops by itself when this process ends, but not at once.
    atexit.register(process.kill)
    try:
        return Mayfly(process, json.loads(_first_line(process, timeout)))
    except BaseException:
        _stop(process)
        raise


def _command(jar: object, java: Optional[str]) -> Sequence[str]:
    jar = jar or os.environ.get("MAYFLY_JAR")
    if not jar:
        return ["mayfly"]
    home = os.environ.get("JAVA_HOME")
    program = java or (os.path.join(home, "bin", "java") if home else "java")
    more = os.environ.get("MAYFLY_JAVA_OPTIONS", "").split()
    return [program, "-Xmx768m", *more, "-jar", os.path.abspath(str(jar))]


def _environment() -> dict:
    """Variables with this prefix are settings of servers, and the server rejects unknown ones."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("MAYFLY_") or name == "MAYFLY_JAVA_OPTIONS"
    }


def _first_line(process: subprocess.Popen, timeout: float) -> str:
    """Waits for the line that a server prints when it is ready."""
    log: deque = deque(maxlen=_KEPT_LINES)
    lines: queue.Queue = queue.Queue()

    # Both read to the end, so that the server never waits for a reader.
    def read_output() -> None:
        with process.stdout as output:
            for line in output:
                if line.startswith("{"):
                    lines.put(line)
        lines.put(None)

    def read_errors() -> None:
        with process.stderr as output:
            log.extend(output)

    errors = threading.Thread(target=read_errors, daemon=True)
    errors.start()
    threading.Thread(target=read_output, daemon=True).start()
    try:
        line = lines.get(timeout=timeout)
        if line is not None:
            return line
        reason = f"the process ended with code {process.wait()}"
        errors.join(_STOP_SECONDS)
    except queue.Empty:
        reason = f"not ready after {timeout} seconds"
    if any("UnsupportedClassVersionError" in line for line in log):
        reason = (
            f"{process.args[0]} is older than Java 25. Set JAVA_HOME, or the argument java, to"
            " Java 25 or later."
        )
    raise MayflyError(f"Mayfly did not start: {reason}\n" + "".join(log))


def _stop(process: subprocess.Popen) -> None:
    try:
        process.stdin.close()
    except BrokenPipeError:
        pass
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    atexit.unregister(process.kill)


def _millis(span: timedelta) -> int:
    return span // _MILLISECOND
