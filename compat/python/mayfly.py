"""Addresses of the servers, and helpers for their clocks."""
import json
import os
import sys
import time
import urllib.request

KEY = os.environ["MAYFLY_COSMOS_KEY"]
# one server has a test clock, the other the system clock
TEST_CLOCK = os.environ["MAYFLY_COSMOS_ENDPOINT"]
SYSTEM_CLOCK = os.environ["MAYFLY_REAL_CLOCK_COSMOS_ENDPOINT"]

# default TTL of the container, ttl of the item, whether the item stays; None is absent
NINE_CASES = [
    (None, None, True),
    (None, -1, True),
    (None, 2, True),
    (-1, None, True),
    (-1, -1, True),
    (-1, 2, False),
    (2, None, False),
    (2, -1, True),
    (60, 2, False),
]
INVALID_TTLS = [0, -2, 2147483648, 1.5, "60", None, True]


def need(generation):
    """Exits with 77 if this generation of the SDK cannot be imported."""
    try:
        import azure.cosmos

        version = getattr(azure.cosmos, "__version__", "3")
    except ImportError as missing:
        version = str(missing)
    if not version.startswith(generation):
        print(f"azure-cosmos {generation} cannot be imported: {version}")
        sys.exit(77)


def advance(seconds):
    """Advances the clock of the server with the test clock."""
    body = json.dumps({"advanceMillis": round(seconds * 1000)}).encode()
    request = urllib.request.Request(TEST_CLOCK.rstrip("/") + "/_mayfly/clock", data=body)
    urllib.request.urlopen(request).close()


def eventually(condition, seconds=20):
    """Waits until a condition holds; false if the time runs out."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True


def item(ttl, **more):
    """An item with that ttl."""
    body = {"id": "i", "pk": "p", **more}
    return body if ttl is None else {**body, "ttl": ttl}
