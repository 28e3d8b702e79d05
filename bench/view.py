# What looking costs: python3 bench/view.py PROGRAM [SECONDS]. A sheet of 50,176 vertices with springs,
# explicit steps as fast as they go, on one thread; in turn nobody looks and a browser takes 60 frames
# per second. The solver's CPU time per step is what a busy machine disturbs least.
import os, sys, tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tests/app"))
from view_client import *

program = sys.argv[1]
seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 5
scene = {"dimension": 2, "time": {"step": 1e-4, "steps": 10 ** 8, "scheme": "symplectic-euler"},
         "gravity": [0, -9.81], "contact": {"bodies": False},
         "bodies": [{"mesh": {"type": "rectangle", "size": [1, 1], "segments": [223, 223],
                              "pattern": "springs"}, "vertex_mass": 1e-4,
                     "energies": [{"type": "spring", "stiffness": 10}], "fix": [{"group": "top"}]}]}


class Viewer(Browser):
    def place(self, message):  # counts frames and does not look at them
        pass


def solver_time():
    """CPU time of all threads but the server's [s]."""
    tasks = f"/proc/{server.process.pid}/task"
    return sum(int(open(f"{tasks}/{t}/schedstat").read().split()[0]) for t in os.listdir(tasks)
               if int(t) != server.process.pid) * 1e-9


def server_time():
    pid = server.process.pid
    return int(open(f"/proc/{pid}/task/{pid}/schedstat").read().split()[0]) * 1e-9


def glance():
    """A step, and when it came."""
    b = Viewer(server)
    first = b.until("positions")["step"]
    step = b.until("positions", lambda m: m["step"] > first)["step"]
    now = time.perf_counter(), solver_time()
    b.close()
    return step, *now


def nobody():
    first, began, before = glance()
    time.sleep(seconds)
    last, ended, after = glance()
    return (last - first) / (ended - began), 1e3 * (after - before) / (last - first)


def somebody():
    b = Viewer(server)
    b.until("positions")
    first = b.until("positions")["step"]
    b.ack = False
    frames, got = 0, b.bytes
    began, before, served = time.perf_counter(), solver_time(), server_time()
    due = began
    while time.perf_counter() - began < seconds:
        m = b.receive()
        if m["type"] != "positions":
            continue
        frames, last = frames + 1, m["step"]
        due = max(due + 1 / 60, time.perf_counter() - 0.05)
        time.sleep(max(0, due - time.perf_counter()))
        b.say("ack", sequence=m["sequence"])
    took = time.perf_counter() - began
    spent, served = solver_time() - before, server_time() - served
    b.close()
    return ((last - first) / took, 1e3 * spent / (last - first), frames / took,
            (b.bytes - got) / took / 1e6, 100 * served / took)


with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
    json.dump(scene, file)
    file.flush()
    server = Server(program, file.name, "--threads", "1")
    b = Viewer(server)
    b.say("rate", value=0)
    b.until("positions")
    b.close()
    print("      nobody             a browser")
    print("   steps/s  ms/step   steps/s  ms/step  frames/s  MB/s  server [% of a core]")
    for i in range(4):
        print("  %8.1f %8.3f  %8.1f %8.3f  %8.1f %5.1f %8.1f" % (*nobody(), *somebody()), flush=True)
    server.end()
