"""Needs MAYFLY_JAR or the command mayfly. Uses no driver: see docs/start/python.md for those."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse
import urllib.request
from datetime import datetime, timedelta, timezone
from pathlib import Path

import mayfly_test

FORGETFUL = """
import sys, time
import mayfly_test
mayfly = mayfly_test.start()
print(mayfly.cosmos_endpoint, flush=True)
if sys.argv[1] == "is killed":
    time.sleep(600)
"""


def listens(endpoint):
    """Whether something listens at the address of a server."""
    try:
        socket.create_connection(("127.0.0.1", urllib.parse.urlsplit(endpoint).port)).close()
        return True
    except OSError:
        return False


def eventually(condition):
    deadline = time.monotonic() + 30
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError("not within 30 seconds")
        time.sleep(0.05)


class MayflyTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.mayfly = mayfly_test.start()
        cls.addClassCleanup(cls.mayfly.stop)

    def test_there_are_addresses_for_both_protocols(self):
        self.assertRegex(self.mayfly.mongo, r"^mongodb://127\.0\.0\.1:\d+/")
        self.assertRegex(self.mayfly.cosmos_endpoint, r"^http://127\.0\.0\.1:\d+/$")
        self.assertEqual(
            self.mayfly.cosmos_connection_string,
            f"AccountEndpoint={self.mayfly.cosmos_endpoint};AccountKey={self.mayfly.cosmos_key};",
        )
        with urllib.request.urlopen(self.mayfly.cosmos_endpoint + "readyz") as ready:
            self.assertEqual(ready.status, 200)

    def test_the_clock_stands_until_it_is_moved(self):
        now = self.mayfly.now()
        self.assertEqual(self.mayfly.now(), now)
        self.assertEqual(self.mayfly.advance(1.5) - now, timedelta(seconds=1.5))
        self.assertEqual(self.mayfly.advance(timedelta(days=1)) - now, timedelta(days=1, seconds=1.5))
        then = now + timedelta(days=400)
        self.assertEqual(self.mayfly.set(then), then)
        elsewhere = then.astimezone(timezone(timedelta(hours=5)))
        self.assertEqual(self.mayfly.set(elsewhere), then)
        self.assertEqual(self.mayfly.now(), then)

    def test_what_is_no_move_forward_is_rejected(self):
        now = self.mayfly.now()
        with self.assertRaisesRegex(mayfly_test.MayflyError, "can only be moved forward"):
            self.mayfly.set(now - timedelta(milliseconds=1))
        with self.assertRaisesRegex(ValueError, "forward only"):
            self.mayfly.advance(-1)
        with self.assertRaisesRegex(ValueError, "time zone"):
            self.mayfly.set(datetime(2100, 1, 1))
        self.assertEqual(self.mayfly.now(), now)

    def test_an_offset_clock_goes_on(self):
        with mayfly_test.start("offset") as server:
            moved = server.advance(timedelta(days=30))
            self.assertGreater(moved - datetime.now(timezone.utc), timedelta(days=29))
            eventually(lambda: server.now() > moved)

    def test_a_stopped_server_is_gone(self):
        server = mayfly_test.start(options=["--log-level", "error"])
        self.assertTrue(listens(server.cosmos_endpoint))
        server.stop()
        server.stop()
        self.assertFalse(listens(server.cosmos_endpoint))
        with self.assertRaisesRegex(mayfly_test.MayflyError, "does not answer at http:"):
            server.now()

    def test_a_server_that_cannot_start_reports_why(self):
        with self.assertRaisesRegex(mayfly_test.MayflyError, "no-such-option"):
            mayfly_test.start(options=["--no-such-option"])
        with self.assertRaisesRegex(mayfly_test.MayflyError, "no/such/directory"):
            mayfly_test.start(seed="no/such/directory")
        with self.assertRaisesRegex(mayfly_test.MayflyError, "Set MAYFLY_JAR"):
            mayfly_test.start(command=["no-such-mayfly"])
        with self.assertRaises(ValueError):
            mayfly_test.start("broken")

    @unittest.skipIf(os.name == "nt", "a shell script")
    def test_an_old_java_is_named(self):
        with tempfile.TemporaryDirectory() as directory:
            old = Path(directory, "java")
            failure = "java.lang.UnsupportedClassVersionError: x"
            old.write_text(f"#!/bin/sh\necho {failure} >&2\nexit 1\n")
            old.chmod(0o755)
            reason = "java is older than Java 25. Set JAVA_HOME"
            with self.assertRaisesRegex(mayfly_test.MayflyError, reason):
                mayfly_test.start(jar="mayfly.jar", java=str(old))

    def test_a_server_ends_with_its_test_even_if_that_is_killed(self):
        for end in ["forgets", "is killed"]:
            environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
            with subprocess.Popen(
                [sys.executable, "-c", FORGETFUL, end],
                stdout=subprocess.PIPE,
                encoding="utf-8",
                env=environment,
            ) as child:
                endpoint = child.stdout.readline().strip()
                self.assertTrue(endpoint)
                if end == "is killed":
                    self.assertTrue(listens(endpoint))
                    child.send_signal(signal.SIGKILL)
            eventually(lambda: not listens(endpoint))


if __name__ == "__main__":
    unittest.main()
