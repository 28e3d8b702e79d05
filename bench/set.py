# How soon a changed parameter shows: python3 bench/set.py PROGRAM [SEGMENTS]. A block of (SEGMENTS + 1)^3
# vertices (59,319), paused after some explicit steps. For each parameter: the time from the request to the
# frame that answers it, the median of five. The last one needs another world.
import os, statistics, sys, tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tests/app"))
from view_client import *

program = sys.argv[1]
n = int(sys.argv[2]) if len(sys.argv) > 2 else 38
scene = {"dimension": 3, "time": {"step": 1e-4, "steps": 10 ** 6, "scheme": "symplectic-euler"},
         "gravity": [0, -9.81, 0],
         "contact": {"bodies": False},
         "bodies": [{"name": "block", "material": "foam", "translate": [0, 2, 0],
                     "mesh": {"type": "box", "size": [1, 1, 1], "segments": [n, n, n]},
                     "loads": [{"type": "force", "group": "top", "value": [1, 0, 0]}]}]}
changes = [("gravity[1]", lambda i: -5 - i), ("time.step", lambda i: 1e-4 / (i + 2)),
           ("bodies[0].energies[0].young", lambda i: 1e6 + i),
           ("bodies[0].energies[0].poisson", lambda i: 0.2 + 0.01 * i),
           ("bodies[0].loads[0].value[0]", lambda i: 2 + i),
           ("bodies[0].mass_damping", lambda i: 0.1 * (i + 1))]

path = os.path.join(tempfile.mkdtemp(), "block.json")
json.dump(scene, open(path, "w"))
server = Server(program, path)
b = Browser(server)
b.socket.settimeout(600)
b.until("positions", lambda m: m["step"] > 0)
b.say("pause")
b.until("state", lambda m: not m["playing"])
for name, value in changes:
    times = []
    for i in range(5):
        start = time.perf_counter()
        b.say("set", path=name, value=value(i))
        b.until("parameters")
        b.until("positions")
        times.append(time.perf_counter() - start)
    print(f"set {name} {1e3 * statistics.median(times):.1f} ms", flush=True)
server.end()
