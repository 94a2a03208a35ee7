# SPDX-License-Identifier: MIT
"""A real browser to try a page in: Chromium, headless, by its own protocol.

Speaks the DevTools protocol over the pipe of --remote-debugging-pipe, so that
nothing but Debian's chromium and Python is needed, and no port is opened.
"""
import base64
import json
import os
import shutil
import struct
import subprocess
import tempfile
import time
import zlib
from collections import Counter
from itertools import accumulate

NAMES = ("chromium", "chromium-browser", "google-chrome")


def find():
    """The browser's path, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    def __init__(self, width=1280, height=900, dark=False):
        self.profile = tempfile.mkdtemp(prefix="bale-browser-")
        self.number = 0
        self.buffer = b""
        to_read, self.to = os.pipe()
        self.come, to_write = os.pipe()
        # it reads commands from descriptor 3 and answers on 4
        command = ["bash", "-c", 'exec "$@" 3<&"$BALE_IN" 4>&"$BALE_OUT"', "-",
                   find(), "--headless=new", "--no-sandbox", "--disable-gpu",
                   "--no-first-run", "--disable-background-networking",
                   "--disable-dev-shm-usage", "--hide-scrollbars",
                   "--user-data-dir=" + self.profile,
                   "--window-size=%d,%d" % (width, height),
                   "--remote-debugging-pipe", "about:blank"]
        self.process = subprocess.Popen(
            command, pass_fds=(to_read, to_write),
            env=dict(os.environ, BALE_IN=str(to_read),
                     BALE_OUT=str(to_write)),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.session = None
        self.events = []
        target = self.call("Target.createTarget", url="about:blank")
        self.session = self.call("Target.attachToTarget", flatten=True,
                                 targetId=target["targetId"])["sessionId"]
        self.call("Emulation.setDeviceMetricsOverride", width=width,
                  height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme",
             "value": "dark" if dark else "light"}])
        for domain in ("Page", "Runtime", "Network"):
            self.call(domain + ".enable")

    def message(self):
        while b"\0" not in self.buffer:
            piece = os.read(self.come, 1 << 20)
            if not piece:
                raise EOFError("the browser is gone")
            self.buffer += piece
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **params):
        self.number += 1
        command = {"id": self.number, "method": method, "params": params}
        if self.session:
            command["sessionId"] = self.session
        os.write(self.to, json.dumps(command).encode() + b"\0")
        while True:
            message = self.message()
            if message.get("id") != self.number:
                self.events.append(message)
                continue
            if "error" in message:
                raise RuntimeError(method + ": " + str(message["error"]))
            return message["result"]

    def open(self, path):
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        while self.value("document.readyState") != "complete":
            time.sleep(0.02)

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression,
                           returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(str(result["exceptionDetails"]))
        return result["result"].get("value")

    def press(self, key):
        code = {"Enter": 13, "Escape": 27, "ArrowRight": 39, "Tab": 9}.get(key, 0)
        text = key if len(key) == 1 else "\r" if key == "Enter" else ""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key,
                      windowsVirtualKeyCode=code,
                      text=text if kind == "keyDown" else "")

    def type(self, text):
        self.call("Input.insertText", text=text)

    def problems(self):
        """What went wrong in the page, and what it asked the network for."""
        found = []
        self.value("0")
        for event in self.events:
            method, params = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append(params["exceptionDetails"]["text"])
            elif method == "Network.requestWillBeSent":
                url = params["request"]["url"]
                if not url.startswith(("file:", "about:")):
                    found.append("request: " + url)
        return found

    def screenshot(self, *box):
        """The whole window, or of it x, y, width and height."""
        part = {}
        if box:
            part["clip"] = dict(zip(("x", "y", "width", "height"), box), scale=1)
        shot = self.call("Page.captureScreenshot", **part)
        return Picture(base64.b64decode(shot["data"]))

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.to)
        os.close(self.come)
        shutil.rmtree(self.profile, ignore_errors=True)


class Picture:
    """A PNG of 8 bits a channel, as browsers write it."""

    def __init__(self, data):
        self.data = data
        packed, place = b"", 8
        while place < len(data):
            length, kind = struct.unpack(">I4s", data[place:place + 8])
            body = data[place + 8:place + 8 + length]
            if kind == b"IHDR":
                self.width, self.height, bits, colour = \
                    struct.unpack(">IIBB", body[:10])
                assert bits == 8 and colour in (2, 6)
                self.channels = 3 if colour == 2 else 4
            elif kind == b"IDAT":
                packed += body
            place += 12 + length
        self.unfilter(zlib.decompress(packed))

    def unfilter(self, raw):
        n, stride = self.channels, self.width * self.channels
        self.rows, above = [], bytearray(stride)
        for y in range(self.height):
            start = y * (stride + 1)
            how, row = raw[start], bytearray(raw[start + 1:start + 1 + stride])
            if how == 1:
                for c in range(n):
                    row[c::n] = bytes(v & 255 for v in accumulate(row[c::n]))
            elif how == 2:
                row = bytearray((v + up) & 255 for v, up in zip(row, above))
            elif how > 2:
                self.unfilter_slowly(how, row, above)
            self.rows.append(row)
            above = row

    def unfilter_slowly(self, how, row, above):
        n = self.channels
        for i in range(len(row)):
            left = row[i - n] if i >= n else 0
            up, corner = above[i], above[i - n] if i >= n else 0
            if how == 3:
                row[i] = (row[i] + (left + up) // 2) & 255
            else:
                guess = left + up - corner
                row[i] = (row[i] + min(
                    (abs(guess - left), 0, left),
                    (abs(guess - up), 1, up),
                    (abs(guess - corner), 2, corner))[2]) & 255

    def at(self, x, y):
        i = x * self.channels
        return tuple(self.rows[y][i:i + 3])

    def shares(self):
        """How much of it each colour covers."""
        numbers = Counter()
        for row in self.rows:
            numbers.update(zip(*(row[c::self.channels] for c in range(3))))
        return {c: n / (self.width * self.height) for c, n in numbers.items()}
