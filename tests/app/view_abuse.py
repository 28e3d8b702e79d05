# Whatever comes in, the server lives, the solver goes on, memory stays, and good browsers are served.
import resource, sys
from view_client import *

program, source = sys.argv[1:3]
connections = 2000
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, connections + 200), hard))
connections = min(connections, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - 100)

# An end of the run would stop it until somebody says play.
server = Server(program, f"{source}/scenes/bar.json", "--set", "time.duration=1e6")
host = f"Host: 127.0.0.1:{server.port}"


def memory():
    with open(f"/proc/{server.process.pid}/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def lives(what):
    """A new browser gets a newer state than any before."""
    check(f"the program lives after {what}", server.process.poll() is None)
    b = Browser(server)
    for again in range(1000):  # until those that have gone are known to be gone
        if b.status == 101:
            break
        b = Browser(server)
    if b.status != 101:
        check(f"a browser is let in after {what}", False, b.status)
        return
    b.say("play")
    first = b.until("positions")["step"]
    check(f"steps go on after {what}", b.until("positions", lambda m: m["step"] > first))
    b.close()


def send(data, wait=False):
    s = server.connect()
    try:
        s.sendall(data)
        if wait:
            s.settimeout(0.05)
            s.recv(1000)
    except OSError:
        pass
    return s


# ---- no HTTP
noise = bytes((i * 7919 + (i >> 3) * 31) & 255 for i in range(5000))
for data in (b"", noise, b"\0" * 3000, b"GET", b"GET / HTTP/1.1\r\n", b"\r\n" * 500,
             b"GET /" + b"a" * 20000 + b" HTTP/1.1\r\n" + host.encode() + b"\r\n\r\n",
             b"GET / HTTP/1.1\r\n" + b"X: " + b"y" * 60000 + b"\r\n\r\n",
             b"GET / HTTP/1.1\r\n" + b"".join(b"H%d: v\r\n" % i for i in range(3000)) + b"\r\n",
             b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + noise,
             b"\x16\x03\x01\x02\x00\x01\x00" + noise,
             f"GET /ws HTTP/1.1\r\n{host}\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n".encode(),
             f"GET /ws HTTP/1.1\r\n{host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n".encode(),
             f"POST / HTTP/1.1\r\n{host}\r\nContent-Length: 99999999999999\r\n\r\nx".encode(),
             f"GET / HTTP/1.1\r\n{host}\r\n{host}\r\n\r\n".encode()):
    send(data, wait=True).close()
lives("noise")

# ---- a client that says it has asked all, and waits
s = server.connect()
s.sendall(f"GET / HTTP/1.1\r\n{host}\r\n\r\n".encode())
s.shutdown(socket.SHUT_WR)
answer = b""
while piece := s.recv(65536):
    answer += piece
head, _, body = answer.partition(b"\r\n\r\n")
check("the whole page comes", f"content-length: {len(body)}\r\n".encode() in head, (head, len(body)))
s.close()

# ---- no WebSocket
for data in (noise, b"\xff" * 100, b"\x81\x05hello", b"\x81\xff" + b"\xff" * 8 + b"abcd",
             b"\x81\xfe\xff\xff" + b"mask" + b"x" * 70000, b"\x83\x80mask", b"\x80\x80mask",
             b"\x89\xfe\x10\x00mask" + b"x" * 4096, b"\x88\x81mask\x00", b"\x81\x84mask\xff\xff\xff\xff",
             b"\x01\x81mask\x00" * 3000, b"\xf1\x80mask", b"\x09\x80mask", b"\x82\x84maskabcd"):
    b = Browser(server)
    try:
        b.socket.sendall(data)
        b.socket.settimeout(0.05)
        while b.socket.recv(65536):
            pass
    except OSError:
        pass
    b.close()
lives("frames that are none")

# ---- frames that break a rule close the connection with the code of that rule (RFC 6455, 5 and 7.4)
def closes(what, data, code):
    b = Browser(server)
    b.until("positions")
    b.socket.sendall(data)
    got = None
    try:
        while True:
            b.receive()
    except ConnectionError as error:
        got = str(error)
    except OSError as error:
        got = repr(error)
    check(f"{what} closes with {code}", got == f"closed by the server: {code:04x}", got)
    b.close()


text = b'{"type":"pause"}'
closes("a frame without a mask", bytes([0x81, len(text)]) + text, 1002)
closes("a ping without a mask", b"\x89\x00", 1002)
closes("a close without a mask", b"\x88\x00", 1002)
closes("a reserved bit", b"\xc1\x80mask", 1002)
closes("an unknown opcode", b"\x83\x80mask", 1002)
closes("a ping in pieces", b"\x09\x80mask", 1002)
closes("a long ping", b"\x89\xfe\x00\x7emask" + b"x" * 126, 1002)
closes("a piece of nothing", b"\x80\x80mask", 1002)
closes("a message within another", b"\x01\x81mask\x00\x81\x81mask\x00", 1002)
closes("a binary message", b"\x82\x84maskabcd", 1003)
closes("a length of 2^63", b"\x81\xff" + b"\xff" * 8 + b"mask", 1002)
closes("a length of 1 GB", b"\x81\xff\0\0\0\0\x40\0\0\0mask", 1009)
closes("pieces of more than 64 kB", (b"\x01\xfe\xf0\x00mask" + b" " * 61440)
       + (b"\x00\xfe\xf0\x00mask" + b" " * 61440), 1009)
closes("a close frame", b"\x88\x82\0\0\0\0\x03\xe8", 1000)
closes("half a code", b"\x88\x81\0\0\0\0\x03", 1002)
b = Browser(server)
b.until("positions")
b.frame(b"are you there", opcode=9)
while True:  # between all that is sent
    first, second = b.take(2)
    size = second & 127
    if size > 125:
        size = int.from_bytes(b.take(2 if size == 126 else 8), "big")
    payload = b.take(size)
    if first & 15 == 10:
        break
    if first & 15 == 2 and payload[4] == 2:
        b.say("ack", sequence=int.from_bytes(payload[8:12], "little"))
check("a ping is answered", payload == b"are you there")
b.close()
lives("frames that break rules")

# ---- data behind a close frame
b, other = Browser(server), Browser(server)
other.until("positions")
other.say("play")
other.until("state", lambda m: m["playing"])
text = b'{"type":"pause"}'
b.socket.sendall(b"\x88\x80mask" + bytes([0x81, 0x80 | len(text)]) + b"\0\0\0\0" + text)
try:
    while True:
        b.receive()
except (ConnectionError, OSError):
    pass
other.say("jump")  # answered behind all that came before
check("data behind a close frame are not obeyed",
      other.until(("error", "state"), lambda m: m["type"] == "error" or not m["playing"])["type"] == "error")
b.close()
other.close()

# ---- messages
b = Browser(server)
b.until("positions")
for text in (b"{", b"[]", b"nonsense", b'{"type":"jump"}', b'{"type":"set","path":"x","value":1}'):
    b.frame(text)
    check("an error comes back", b.until("error"))
b.frame(b'{"type":', final=False)
b.frame(b'"pause"}', opcode=0)
check("a message in two pieces", not b.until("state", lambda m: not m["playing"])["playing"])
b.frame(b" " * 60000 + b'{"type":"play"}')
check("a long message", b.until("state", lambda m: m["playing"]))
try:
    b.frame(b" " * 70000 + b'{"type":"play"}')
    b.until("stop", lambda m: False, seconds=20)
    check("a message that is too long closes", False)
except (ConnectionError, OSError):
    pass
lives("messages")

# ---- many
alone = Browser(server)
alone.until("state", lambda m: m["clients"] == 1)
open_sockets = [alone] + [Browser(server) for i in range(31)]
check("32 browsers", all(b.status == 101 for b in open_sockets))
check("the 33rd is refused", Browser(server).status == 503)
for b in open_sockets:
    b.close()
lives("32 browsers")
before = memory()
open_sockets = []
for i in range(connections):
    try:
        open_sockets.append(send(b"GET / HTTP/1.1\r\n" if i % 2 else b""))
    except OSError:
        pass
lives(f"{connections} connections that are open still")
open_sockets[0].settimeout(30)
try:
    gone = open_sockets[0].recv(1) == b""
except ConnectionError:
    gone = True
check("the oldest of them was closed for others", gone)
for s in open_sockets:
    s.close()
lives(f"{connections} connections")

# ---- browsers that never read, while the solver goes on
idle = [Browser(server, ack=False) for i in range(8)]
b = Browser(server)
b.say("rate", value=0)
for i in idle:
    for k in range(200):
        i.say("ack", sequence=4294967295 if k % 2 else k)  # asks for more and more
step = b.until("positions")["step"]
check("the solver goes on", b.until("positions", lambda m: m["step"] > step + 300))
check("memory stays", memory() - before < 100e6, f"{before} -> {memory()}")
for i in idle:
    i.close()
lives("browsers that never read")
code, err = server.end()
check("it ends well", code == 0 and err == "", (code, err[-2000:]))
finish()
