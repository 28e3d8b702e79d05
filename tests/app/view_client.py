# A browser in the standard library's means: HTTP requests, and a WebSocket that reads the messages of
# docs/VIEWER.md. What the tests of the viewer share.
import atexit, base64, json, os, re, socket, struct, subprocess, sys, time


class Server:
    """pliant view, started and ended."""

    def __init__(self, program, *arguments, environment=None, folder=None):
        self.process = subprocess.Popen(
            [program, "view", *arguments, "--no-open", "--quiet"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            cwd=folder, env={**os.environ, **(environment or {})})
        atexit.register(self.process.kill)
        self.address = self.process.stdout.readline().strip()
        match = re.fullmatch(r"http://([^/]*):(\d+)/(\?token=([0-9a-f]{32}))?", self.address)
        if not match:
            raise SystemExit(f"no address but {self.address!r}: {self.process.stderr.read()}")
        self.port, self.token, self.place = int(match[2]), match[4], "127.0.0.1"

    def end(self):
        self.process.terminate()
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, err

    def connect(self):
        return socket.create_connection((self.place, self.port), timeout=30)

    def get(self, path="/", host=None, headers=(), method="GET"):
        """Status, headers and body."""
        with self.connect() as s:
            lines = [f"{method} {path} HTTP/1.1", f"Host: {host or f'127.0.0.1:{self.port}'}",
                     "Connection: close", *headers, "", ""]
            s.sendall("\r\n".join(lines).encode())
            answer = b""
            while piece := s.recv(65536):
                answer += piece
        head, _, body = answer.partition(b"\r\n\r\n")
        first, *rest = head.decode("latin-1").split("\r\n")
        fields = dict(line.lower().split(": ", 1) for line in rest if ": " in line)
        return int(first.split()[1]), fields, body


class Browser:
    """A WebSocket. `text` and `binary` keep what has come; positions are acknowledged."""

    def __init__(self, server, path="/ws", host=None, origin=None, protocol="pliant-1", ack=True):
        self.socket, self.buffer, self.ack = server.connect(), b"", ack
        headers = [f"GET {path} HTTP/1.1", f"Host: {host or f'127.0.0.1:{server.port}'}",
                   "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                   f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}"]
        if protocol:
            headers.append(f"Sec-WebSocket-Protocol: {protocol}")
        if origin:
            headers.append(f"Origin: {origin}")
        self.socket.sendall(("\r\n".join(headers) + "\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.buffer:
            piece = self.socket.recv(4096)
            if not piece:
                break
            self.buffer += piece
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        self.status = int(head.split()[1]) if head else 0
        self.positions, self.counts, self.bytes = None, {}, 0

    def close(self):
        self.socket.close()

    def frame(self, payload, opcode=1, final=True):
        mask = os.urandom(4)
        size = len(payload)
        head = bytes([(0x80 if final else 0) | opcode])
        head += (bytes([0x80 | size]) if size < 126 else struct.pack(">BH", 0xFE, size)
                 if size < 65536 else struct.pack(">BQ", 0xFF, size))
        whole = (mask * (size // 4 + 1))[:size]
        masked = (int.from_bytes(payload, "big") ^ int.from_bytes(whole, "big")).to_bytes(size, "big")
        self.socket.sendall(head + mask + masked)

    def say(self, type, **members):
        self.frame(json.dumps({"type": type, **members}).encode())

    def take(self, count):
        while len(self.buffer) < count:
            piece = self.socket.recv(1 << 20)
            if not piece:
                raise ConnectionError("closed")
            self.buffer += piece
        out, self.buffer = self.buffer[:count], self.buffer[count:]
        return out

    def receive(self):
        """The next message: a dict. Binary ones have kind, flags, sequence, step, time, count, extra
        and payload."""
        payload = b""
        while True:
            first, second = self.take(2)
            size = second & 127
            if size == 126:
                size, = struct.unpack(">H", self.take(2))
            elif size == 127:
                size, = struct.unpack(">Q", self.take(8))
            piece = self.take(size)
            opcode = first & 15
            if opcode == 9:
                self.frame(piece, 10)
                return {"type": "ping"}  # whoever waits may have waited long enough
            if opcode == 8:
                raise ConnectionError("closed by the server: %s" % piece[:2].hex())
            if opcode in (1, 2):
                kind = opcode
            payload += piece
            if first & 0x80:
                break
        self.bytes += len(payload)
        message = json.loads(payload) if kind == 1 else self.decode(payload)
        name = message["type"]
        self.counts[name] = self.counts.get(name, 0) + 1
        return message

    def decode(self, data):
        magic, kind, flags, sequence, step, at, count, extra = struct.unpack_from("<IHHIIdII", data)
        assert magic == 0x31494C50
        names = {1: "topology", 2: "positions", 3: "field", 4: "contacts", 5: "highlight"}
        m = dict(type=names[kind], flags=flags, sequence=sequence, step=step, time=at, count=count,
                 extra=extra, payload=data[32:])
        if kind == 2:
            self.place(m)
            if self.ack:
                self.say("ack", sequence=sequence)
        return m

    def place(self, m):
        n = m["count"]
        if m["flags"] & 1:
            assert len(m["payload"]) == 16 * n, "partial positions"
            assert self.positions is not None, "partial positions come first"
            numbers = struct.unpack_from(f"<{n}I", m["payload"])
            values = struct.unpack_from(f"<{3 * n}f", m["payload"], 4 * n)
            for i, v in enumerate(numbers):
                self.positions[3 * v:3 * v + 3] = values[3 * i:3 * i + 3]
        else:
            assert len(m["payload"]) == 12 * n, "positions"
            self.positions = list(struct.unpack(f"<{3 * n}f", m["payload"]))

    def until(self, type, test=lambda m: True, seconds=240):
        """The next message of a type, or of one of several, that passes the test."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            m = self.receive()
            if m["type"] in (type if isinstance(type, tuple) else (type,)) and test(m):
                return m
        raise SystemExit(f"no {type} came in {seconds} s; there were {self.counts}")


failures = 0


def check(what, good, more=""):
    """One line for what went wrong; the program ends with their number."""
    global failures
    if not good:
        failures += 1
        print(f"FAILED: {what} {more}")


def finish():
    sys.exit(1 if failures else 0)
