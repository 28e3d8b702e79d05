# What looking costs: python3 bench/view.py PROGRAM [ROUNDS]. A sheet of 50,176 vertices with springs,
# explicit steps as fast as they go, on one thread. In turn nobody looks and a browser takes 60 frames
# per second, a second or two each. The solver's thread has a processor of its own, the server's thread
# and the browser share another. Compared is the processor time of the solver's thread per step in
# neighbouring seconds: others on the machine disturb both alike. Where `perf` is there its samples say
# what part of that thread's time goes into leaving frames for the server, which nobody disturbs.
import os, shutil, statistics, sys, tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tests/app"))
from view_client import *

program = sys.argv[1]
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 15
seconds = 1.5
scene = {"dimension": 2, "time": {"step": 1e-4, "steps": 10 ** 8, "scheme": "symplectic-euler"},
         "gravity": [0, -9.81], "contact": {"bodies": False},
         "bodies": [{"mesh": {"type": "rectangle", "size": [1, 1], "segments": [223, 223],
                              "pattern": "springs"}, "vertex_mass": 1e-4,
                     "energies": [{"type": "spring", "stiffness": 10}], "fix": [{"group": "top"}]}]}


class Viewer(Browser):
    def place(self, message):  # counts frames and does not look at them
        pass


def used(thread, column=0):
    """Processor time of a thread [s]; column 1: how long it has waited for a processor."""
    path = f"/proc/{server.process.pid}/task/{thread}/schedstat"
    return int(open(path).read().split()[column]) * 1e-9


def pin():
    """The solver's thread on one processor, all else on another."""
    main = server.process.pid
    solver = max((int(t) for t in os.listdir(f"/proc/{main}/task") if int(t) != main), key=used)
    first, *rest = sorted(os.sched_getaffinity(0))
    if rest:
        os.sched_setaffinity(solver, [first])
        os.sched_setaffinity(main, rest[:1])
        os.sched_setaffinity(0, rest[:1])
    return main, solver


def glance():
    """A step, and when it came: time, processor time of solver and server, waiting of the solver."""
    b = Viewer(server)
    first = b.until("positions")["step"]
    step = b.until("positions", lambda m: m["step"] > first)["step"]
    now = time.perf_counter(), used(solver), used(main), used(solver, 1)
    b.close()
    return step, *now


def nobody():
    first = glance()
    time.sleep(seconds)
    last = glance()
    steps, took, spent, served, waited = (b - a for a, b in zip(first, last))
    return steps / took, 1e3 * spent / steps, 100 * served / took, 100 * waited / took


def somebody():
    b = Viewer(server)
    b.until("positions")
    first = b.until("positions")["step"]
    b.ack = False
    frames, got = 0, b.bytes
    due = began = time.perf_counter()
    before, served, waited = used(solver), used(main), used(solver, 1)
    while time.perf_counter() - began < seconds:
        m = b.receive()
        if m["type"] != "positions":
            continue
        frames, last = frames + 1, m["step"]
        due = max(due + 1 / 60, time.perf_counter() - 0.05)
        time.sleep(max(0, due - time.perf_counter()))
        b.say("ack", sequence=m["sequence"])
    took = time.perf_counter() - began
    spent, served = used(solver) - before, used(main) - served
    waited = used(solver, 1) - waited
    b.close()
    steps = last - first
    return (steps / took, 1e3 * spent / steps, 100 * served / took, 100 * waited / took,
            frames / took, (b.bytes - got) / took / 1e6)


def share():
    """Part of the solver's thread outside the library, with a browser [%]; None without perf."""
    if not shutil.which("perf"):
        return None
    global seconds
    seconds = 6
    with tempfile.TemporaryDirectory() as folder:
        samples = f"{folder}/samples"
        command = ["perf", "record", "-q", "-e", "cpu-clock", "-F", "4000", "-t", str(solver), "-o"]
        perf = subprocess.Popen([*command, samples, "--", "sleep", str(seconds)],
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        somebody()
        perf.wait()
        report = subprocess.run(["perf", "report", "-i", samples, "--stdio", "--sort", "dso"],
                                capture_output=True, text=True).stdout
    rows = [line.split() for line in report.splitlines() if line.strip() and line[0] != "#"]
    ours = os.path.basename(program)
    return sum(float(row[0].rstrip("%")) for row in rows if row[1].startswith(ours))


def middle(rows, column):
    values = sorted(row[column] for row in rows)
    quarter = len(values) // 4
    return statistics.median(values), values[quarter], values[-1 - quarter]


with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
    json.dump(scene, file)
    file.flush()
    server = Server(program, file.name, "--threads", "1")
    b = Viewer(server)
    b.say("rate", value=0)
    b.until("positions", lambda m: m["step"] > 20)
    main, solver = pin()
    b.close()
    without, looked, ratios = [], [], []
    for i in range(rounds):
        without.append(nobody())
        looked.append(somebody())
        ratios.append((looked[-1][1] / without[-1][1] - 1, 1 - looked[-1][0] / without[-1][0]))
    part = share()
    server.end()
print("                                   nobody   a browser      medians of %d" % rounds)
print("steps per second                 %8.1f    %8.1f" % (middle(without, 0)[0], middle(looked, 0)[0]))
print("solver, processor ms per step    %8.3f    %8.3f" % (middle(without, 1)[0], middle(looked, 1)[0]))
print("server, %% of a processor         %8.1f    %8.1f" % (middle(without, 2)[0], middle(looked, 2)[0]))
print("solver waits for its processor %% %8.1f    %8.1f" % (middle(without, 3)[0], middle(looked, 3)[0]))
print("frames per second, MB/s                      %8.1f, %.1f"
      % (middle(looked, 4)[0], middle(looked, 5)[0]))
for name, column in (("more processor time per step", 0), ("fewer steps per second", 1)):
    m, low, high = middle(ratios, column)
    print("%-32s %+.1f %%, half of the rounds between %+.1f and %+.1f %%"
          % (name, 100 * m, 100 * low, 100 * high))
if part is not None:
    print("leaving frames for the server    %.2f %% of the solver's thread" % part)
