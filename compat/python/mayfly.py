"""Where the servers are, and how time passes on them."""
import json
import os
import sys
import time
import urllib.request

KEY = os.environ["MAYFLY_COSMOS_KEY"]
# the clock of one server is moved by hand, that of the other is the real one
MOVED = os.environ["MAYFLY_COSMOS_ENDPOINT"]
REAL = os.environ["MAYFLY_REAL_CLOCK_COSMOS_ENDPOINT"]

# default of the container, ttl of the item, whether it lives on; None is absent
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
WRONG = [0, -2, 2147483648, 1.5, "60", None, True]


def need(generation):
    """Ends the program as one that cannot be run where another generation of the SDK is, or none."""
    try:
        import azure.cosmos

        version = getattr(azure.cosmos, "__version__", "3")
    except ImportError as missing:
        version = str(missing)
    if not version.startswith(generation):
        print(f"azure-cosmos {generation} cannot be imported here: {version}")
        sys.exit(77)


def advance(seconds):
    """Moves the clock of the server whose clock is moved by hand."""
    body = json.dumps({"advanceMillis": round(seconds * 1000)}).encode()
    request = urllib.request.Request(MOVED.rstrip("/") + "/_mayfly/clock", data=body)
    urllib.request.urlopen(request).close()


def eventually(gone, seconds=20):
    """Waits until something is so by the real clock; false when it never is."""
    deadline = time.monotonic() + seconds
    while not gone():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True


def item(ttl, **more):
    """An item with that ttl."""
    body = {"id": "i", "pk": "p", **more}
    return body if ttl is None else {**body, "ttl": ttl}
