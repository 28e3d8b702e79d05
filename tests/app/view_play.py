# pliant view as a browser sees it: live, parameters, hand, failure, replay, gallery, tokens.
import shutil, signal, subprocess, sys, tempfile
from view_client import *

program, source = sys.argv[1:3]
bar = f"{source}/scenes/bar.json"


def near(a, b, tolerance):
    return abs(a - b) <= tolerance


def live():
    server = Server(program, bar)
    b = Browser(server)
    hello = b.receive()
    check("hello comes first", hello["type"] == "hello" and hello["mode"] == "live", hello)
    scene = b.receive()
    check("the scene follows", scene["type"] == "scene" and scene["name"] == "bar", scene["type"])
    topology = b.receive()
    triangles = scene["bodies"][0]["triangles"]
    check("topology follows", topology["type"] == "topology" and topology["count"] == triangles[1])
    first = b.until("positions")
    check("the first positions are all", first["flags"] == 0 and first["count"] == 189, first["count"])
    b.until("positions", lambda m: m["step"] > 5)
    stats = b.until("stats")
    check("stats have energies", len(stats["energies"]) == len(scene["energies"]))
    b.say("pause")
    step = b.until("state", lambda m: not m["playing"])["step"]
    b.say("step")
    check("one step", b.until("state", lambda m: m["step"] > step)["step"] == step + 1)

    # parameters
    b.say("set", path="gravity[1]", value=-3)
    values = {p["path"]: p["value"] for p in b.until("parameters")["parameters"]}
    check("gravity is set", values["gravity[1]"] == -3 and values["gravity[0]"] == 0, values)
    state = b.until("state")
    check("the state was carried over", state["step"] == step + 1, state)
    for path, value in (("bodies[0].density", -1), ("gravity[1]", "x"), ("gravity[7]", 1),
                        ("time.steps", 3), ("solver.on_failure", "explode"), ("time.step", -1),
                        ("bodies[0].energies[0].young", -1)):
        b.say("set", path=path, value=value)
        told = {m["type"]: m for m in (b.until(("error", "parameters")) for _ in range(2))}
        check(f"{path} = {value} is refused", "message" in told["error"], told)
        values = {p["path"]: p["value"] for p in told["parameters"]["parameters"]}
        check("and what holds is told", values["gravity[1]"] == -3 and values["bodies[0].density"] > 0, values)
    b.say("set", path="solver.on_failure", value="accept")
    values = {p["path"]: p["value"] for p in b.until("parameters")["parameters"]}
    check("others stay", values["gravity[1]"] == -3 and values["solver.on_failure"] == "accept")

    young = 1.5 * values["bodies[0].energies[0].young"]
    b.say("set", path="bodies[0].energies[0].young", value=young)
    values = {p["path"]: p["value"] for p in b.until("parameters")["parameters"]}
    check("and so they do when one is set at once", values["bodies[0].energies[0].young"] == young
          and values["gravity[1]"] == -3 and values["solver.on_failure"] == "accept", values)
    check("the scene was sent once", b.counts["scene"] == 1, b.counts)

    # fields and contacts
    b.say("show", field="stress", contacts=True)
    field = b.until("field")
    check("a field has a number per vertex", len(field["payload"]) == 4 * 189)
    check("and is the one asked for", scene["fields"][field["extra"]]["key"] == "stress")
    contacts = b.until("contacts")
    check("contacts are lines", len(contacts["payload"]) == 28 * contacts["count"])
    b.say("show", field="nothing", contacts=False)
    check("no such field", "nothing" in b.until("error")["message"])

    # by hand: pulled up by 1 m it goes there, against gravity
    tip = 188
    x, y, z = b.positions[3 * tip:3 * tip + 3]
    b.say("grab", vertex=tip, target=[x, y + 1, z], body=False)
    check("grabbed", b.until("state")["grabbed"] == tip)
    for path, value in (("gravity[1]", -2), ("solver.tolerance", 1e-4), ("gravity[1]", -3)):
        b.say("set", path=path, value=value)
        check("still grabbed", b.until("state")["grabbed"] == tip)
    other = Browser(server)
    other.until("positions")
    other.say("release")  # not its business
    b.say("play")
    b.until("positions", lambda m: m["step"] > step + 25)
    check("the vertex was pulled", b.positions[3 * tip + 1] > y + 0.5, b.positions[3 * tip + 1])
    b.say("release")
    check("released", b.until("state", lambda m: m["grabbed"] < 0))
    b.say("grab", vertex=tip, target=[x, y, z + 1], body=True)
    b.until("state", lambda m: m["grabbed"] == tip)
    at = b.until("positions")["step"]
    b.until("positions", lambda m: m["step"] > at + 20)
    check("all of the body was pulled", b.positions[3 * 94 + 2] > 0.1, b.positions[3 * 94 + 2])
    b.say("release")
    b.until("state", lambda m: m["grabbed"] < 0)
    b.say("grab", vertex=0, target=[0, 0, 0], body=False)
    check("a fixed vertex cannot be grabbed", b.until("error"))
    b.say("grab", vertex=10 ** 6, target=[0, 0, 0], body=False)
    check("nor one that is not there", b.until("error"))
    check("both browsers are counted", b.until("state", lambda m: m["clients"] == 2))
    other.close()

    # rate, restart, the end
    b.say("rate", value=0)
    b.say("restart")
    b.until("positions", lambda m: m["step"] == 0)
    check("it runs to its end", b.until("stop")["over"])
    b.say("play")
    check("and beyond", b.until("positions", lambda m: m["step"] > 100))
    again = Browser(server)
    check("who comes later gets all", again.until("positions")["flags"] == 0)
    code, err = server.end()
    check("it ends well", code == 0 and err == "", (code, err))


def fields(folder):
    """Every field of a bar that has swung, at rest in one state."""
    server = Server(program, bar)
    b = Browser(server)
    scene = b.until("scene")
    b.say("pause")
    b.until("state", lambda m: not m["playing"])
    b.say("restart")
    b.until("positions", lambda m: m["step"] == 0)
    rest = list(b.positions)
    for i in range(5):
        b.say("step")
        b.until("positions", lambda m: m["step"] == i + 1)
    values = {}
    for number, field in enumerate(scene["fields"]):
        b.say("show", field=field["key"], contacts=False)
        payload = b.until("field", lambda m: m["extra"] == number)["payload"]
        size = 189 * field["components"]
        check(f"{field['key']} has its components", len(payload) == 4 * size, len(payload))
        values[field["key"]] = struct.unpack(f"<{size}f", payload)
    held = [v for v in range(189) if rest[3 * v] < 0.001]
    loose = [v for v in range(189) if rest[3 * v] > 0.15]  # farther than one element
    size = lambda key, v: max(abs(c) for c in values[key][3 * v:3 * v + 3])
    check("nine vertices are held", len(held) == 9, len(held))
    check("displacements are from rest", all(near(d, x - r, 1e-6) for d, x, r in
                                             zip(values["displacement"], b.positions, rest)))
    check("what is held stands still", all(size("velocity", v) == 0 for v in held))
    check("the rest falls", values["velocity"][3 * 188 + 1] < -0.5)
    weight = 9.81 * 1000 * 2 * 0.2 * 0.2
    up = sum(values["reaction"][3 * v + 1] for v in range(189))
    check("supports carry a part of the weight", 0 < up < weight, up)
    check("and act where it is held", all(size("reaction", v) == 0 for v in loose))
    check("nothing touches", not any(values["contact_force"]) and not any(values["friction_force"]))
    check("energy density is positive", min(values["energy_density"]) >= 0 < max(values["energy_density"]))
    check("bent: stretched above", 1 < max(values["stretch"]) < 1.5, max(values["stretch"]))
    check("and pulled above, pressed below", min(values["pressure"]) < 0 < max(values["pressure"]))
    check("von Mises", min(values["stress"]) >= 0 < max(values["stress"]))
    b.say("open", scene="bar")
    check("there is no gallery here", "gallery" in b.until("error")["message"])
    b.say("drag", target=[0, 0, 0])  # nothing is held: no harm
    b.say("seek", frame=3)
    check("live cannot seek", "cannot" in b.until("error")["message"])
    check("it ends well", server.end() == (0, ""))


def contact(folder):
    """A mass of 2 kg on the ground: contacts, a failure in contact, and both replayed."""
    scene = {"name": "mass", "time": {"step": "auto", "step_max": 0.01, "duration": 0.3}, "gravity": [0, -10],
             "contact": {"dhat": 0.01},
             "bodies": [{"name": "mass", "mesh": {"type": "point"}, "vertex_mass": 2,
                         "contact_area": 1, "translate": [0, 0.008]}],
             "obstacles": [{"type": "half-space", "name": "ground"}]}
    path = f"{folder}/mass.json"
    json.dump(scene, open(path, "w"))

    def lines(b):
        m = b.until("contacts", lambda m: m["count"] > 0)
        return [struct.unpack_from("<7f", m["payload"], 28 * i) for i in range(m["count"])]

    def check_line(c, who):
        check(f"{who}: one contact", len(c) == 1, c)
        check(f"{who}: from the mass", 0 < c[0][1] < 0.01, c)
        check(f"{who}: to the ground", c[0][4] == 0, c)
        check(f"{who}: that pushes", c[0][6] > 0, c)

    server = Server(program, path)
    b = Browser(server)
    b.say("pause")
    b.until("state", lambda m: not m["playing"])
    b.say("show", field="", contacts=True)
    b.say("restart")
    b.say("step")
    check_line(lines(b), "live")
    b.say("play")
    check("it ends with its duration", b.until("stop")["over"])
    b.say("play")
    check("and does not go beyond", b.until("stop")["over"])
    b.say("restart")
    b.until("positions", lambda m: m["step"] == 0)
    b.say("set", path="solver.tolerance", value=1e-9)
    b.say("set", path="solver.max_iterations", value=1)
    b.say("play")
    stop = b.until("stop", lambda m: not m["over"])
    check("a failure in contact names both", stop["where"]["body"] == "mass"
          and stop["where"]["other"] == "ground" and stop["where"]["pair"][1][1] == 0, stop)
    check("it ends well", server.end() == (0, ""))

    result = f"{folder}/mass"
    subprocess.run([program, "run", path, "-o", result, "-q"], check=True)
    server = Server(program, result)
    b = Browser(server)
    b.say("pause")
    b.until("state", lambda m: not m["playing"])
    b.say("seek", frame=0)
    b.say("show", field="", contacts=True)
    check_line(lines(b), "replay")
    with open(f"{result}/frame_000002.vtu", "w") as file:
        file.write("no frame")
    b.say("seek", frame=2)
    check("a frame that is spoilt is told", "frame_000002" in b.until("error")["message"])
    b.say("seek", frame=0)
    b.until("positions", lambda m: m["step"] == 0)
    b.say("play")
    stop = b.until("stop")
    check("and ends a replay that comes to it", stop["reason"] == "a frame cannot be read", stop)
    check("it ends well", server.end() == (0, ""))


def failure(folder):
    # Two Newton iterations are not enough for a stiff bar in free fall with a large step.
    with open(f"{folder}/fails.json", "w") as file:
        scene = json.load(open(bar))
        scene["solver"] = {"tolerance": 1e-9, "max_iterations": 1}
        json.dump(scene, file)
    server = Server(program, f"{folder}/fails.json")
    b = Browser(server)
    stop = b.until("stop")
    check("a failed step is no end", not stop["over"] and stop["reason"] and stop["remedy"], stop)
    check("it says where", stop["where"]["body"] == "bar" and stop["where"]["vertices"], stop)
    light = b.until("highlight")
    check("and shows it", light["count"] == len(stop["where"]["vertices"]))
    b.say("show", field="residual", contacts=False)
    left = struct.unpack("<189f", b.until("field")["payload"])
    worst = stop["where"]["vertex"]
    check("and how much is left where", left[worst] == max(left) > 0, (worst, left[worst], max(left)))
    b.say("set", path="solver.max_iterations", value=100)
    b.until("parameters")
    b.say("play")
    check("and goes on when that is mended", b.until("positions", lambda m: m["step"] > 3))
    server.end()
    # A run that failed, replayed: it says so at its end.
    run = subprocess.run([program, "run", f"{folder}/fails.json", "-o", f"{folder}/failed", "-q"],
                         capture_output=True)
    check("the run fails too", run.returncode == 1, run.returncode)
    server = Server(program, f"{folder}/failed")
    stop = Browser(server).until("stop")
    check("a replay ends with it", stop["reason"] == "iteration cap" and stop["remedy"]
          and stop["where"]["body"] == "bar" and stop["where"]["vertices"], stop)
    server.end()


def replay(folder):
    result = f"{folder}/result"
    subprocess.run([program, "run", bar, "-o", result, "-n", "6", "-q",
                    "--set", 'output.fields=["stress"]'], check=True)
    server = Server(program, result)
    b = Browser(server)
    check("a folder is replayed", b.until("hello")["mode"] == "replay")
    scene = b.until("scene")
    check("with its bodies", scene["bodies"][0]["name"] == "bar", scene["bodies"])
    b.until("positions", lambda m: m["step"] == 6)
    last = list(b.positions)
    b.say("pause")
    paused = b.until("state", lambda m: not m["playing"])
    check("to its last frame", paused["frame"] == 6 and paused["frames"] == 7, paused)
    b.say("seek", frame=2)
    m = b.until("positions", lambda m: m["step"] == 2)
    check("seeks", near(m["time"], 0.04, 1e-9), m["time"])
    check("another frame is another state", b.positions != last)
    b.say("show", field="stress", contacts=False)
    check("with fields", len(b.until("field")["payload"]) == 4 * 189)
    b.say("show", field="", contacts=True)
    check("without contacts there are none", b.until("contacts")["count"] == 0)
    # A run that goes on: another frame appears.
    shutil.copy(f"{result}/frame_000006.vtu", f"{result}/frame_000007.vtu")
    b.say("seek", frame=99)
    check("it grows", b.until("state", lambda m: m["frame"] == 7)["frames"] == 8)
    b.say("set", path="gravity[1]", value=1)
    check("it cannot be changed", b.until("error"))
    check("it ends well", server.end() == (0, ""))
    # A folder of somebody else: a pipe in the place of the records, and more than memory allows.
    os.remove(f"{result}/stats.jsonl")
    os.mkfifo(f"{result}/stats.jsonl")
    server = Server(program, result)
    check("a pipe is not waited for", Browser(server).until("positions")["count"] == 189)
    check("it ends well", server.end() == (0, ""))
    with open(f"{result}/run.json", "r+b") as file:
        file.truncate(90_000_000)
    run = subprocess.run([program, "view", result, "--no-open", "--memory", "60M"],
                         capture_output=True, text=True, timeout=60)
    check("the limit holds", run.returncode == 2 and "out of memory" in run.stderr, (run.returncode, run.stderr))


def gallery():
    server = Server(program, environment={"PLIANT_SCENES": f"{source}/scenes"})
    status, _, body = server.get("/gallery.json")
    scenes = {s["name"]: s for s in json.loads(body)["scenes"]}
    check("all scenes are there", "bar" in scenes and "tutorial/1_mass_spring" in scenes)
    bare = [s["name"] for s in scenes.values() if not s["thumbnail"]]
    check("each with a picture: tools/thumbnails.sh makes them", not bare, bare)
    for picture in ("bar", "tutorial/1_mass_spring", "schemes/bdf2"):
        status, fields, body = server.get(f"/thumbnail/{picture}.png")
        check(f"which is one of {picture}", status == 200 and body[:8] == b"\x89PNG\r\n\x1a\n"
              and fields["content-type"] == "image/png", (status, fields))
    for path in ("/thumbnail/../../../etc/passwd.png", "/thumbnail/%2e%2e/x.png", "/etc/passwd",
                 "/thumbnail/.png", "/thumbnail/bar", "/ws", "/gallery.json/", "/index.html"):
        check(f"{path} is not served", server.get(path)[0] in (400, 403, 404), server.get(path)[0])
    b = Browser(server)
    check("the gallery is open", b.until("hello")["mode"] == "gallery")
    b.say("play")
    check("nothing to play yet", b.until("error"))
    b.say("open", scene="../scenes/bar")
    check("only scenes of the list", b.until("error"))
    b.say("open", scene="tutorial/1_mass_spring")
    check("opened", b.until("hello")["mode"] == "live" and b.until("scene")["dimension"] == 2)
    b.until("positions", lambda m: m["step"] > 2)
    b.say("open", scene="")
    check("and closed", b.until("hello")["mode"] == "gallery")
    b.say("open", scene="bar")
    b.until("positions", lambda m: m["count"] == 189)
    check("it ends well", server.end() == (0, ""))


def ports():
    # Without a word on where they are, scenes are found beside the program or in the present folder.
    server = Server(program, environment={"PLIANT_SCENES": ""}, folder=source)
    scenes = json.loads(server.get("/gallery.json")[2])["scenes"]
    check("scenes are found", any(s["name"] == "bar" for s in scenes))
    # A port that is taken is told.
    run = subprocess.run([program, "view", bar, "--no-open", "--port", str(server.port)],
                         capture_output=True, text=True, timeout=60)
    check("a port that is taken", run.returncode == 2 and f"port {server.port}: Address already in use" in run.stderr,
          (run.returncode, run.stderr))
    for host, why in (("192.0.2.1", "Cannot assign requested address"), ("nowhere", "must be")):
        run = subprocess.run([program, "view", bar, "--no-open", "--host", host],
                             capture_output=True, text=True, timeout=60)
        check("an address that is not here", run.returncode == 2 and f"{host}, port 0: {why}" in run.stderr,
              (run.returncode, run.stderr))
    port = server.port
    server.end()
    again = Server(program, bar, "--port", str(port))
    check("a port that is free", again.port == port, again.port)
    again.end()
    run = subprocess.run([program, "view"], capture_output=True, text=True, timeout=60,
                         env={**os.environ, "PLIANT_SCENES": "/nowhere"})
    check("no gallery", run.returncode == 2 and "PLIANT_SCENES" in run.stderr, run)


def doors():
    server = Server(program, bar)
    port = server.port
    status, fields, body = server.get("/")
    check("the page", status == 200 and fields["content-encoding"] == "gzip" and body[:2] == b"\x1f\x8b")
    check("may not be framed", fields["x-frame-options"] == "deny"
          and fields["content-security-policy"].endswith("frame-ancestors 'none'"))
    framed = Server(program, bar, "--embed")
    fields = framed.get("/")[1]
    check("may be framed here", "x-frame-options" not in fields and fields["content-security-policy"]
          .endswith("frame-ancestors http://127.0.0.1:* http://localhost:*"))
    framed.end()
    check("localhost is fine", server.get("/", host=f"localhost:{port}")[0] == 200)
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}"):
        check(f"Host {host}", server.get("/", host=host)[0] == 403)
        check(f"Host {host}, WebSocket", Browser(server, host=host).status == 403)
    for origin in ("http://evil.example", "null", f"https://127.0.0.1:{port}",
                   f"http://127.0.0.1:{port}.evil.example"):
        check(f"Origin {origin}", server.get("/", headers=[f"Origin: {origin}"])[0] == 403)
        check(f"Origin {origin}, WebSocket", Browser(server, origin=origin).status == 403)
    check("an empty origin", server.get("/", headers=["Origin:"])[0] == 403)
    check("own origin", Browser(server, origin=f"http://127.0.0.1:{port}").status == 101)
    check("no subprotocol", Browser(server, protocol=None).status != 101)
    check("another path", Browser(server, path="/socket").status == 404)
    check("POST", server.get("/", method="POST")[0] in (404, 405))
    server.end()
    server = Server(program, bar, "--host", "0.0.0.0")
    check("a token is in the address", server.token)
    check("without it", server.get("/")[0] == 403 and Browser(server).status == 403)
    check("with another", server.get("/?token=" + "0" * 32)[0] == 403)
    check("with it", server.get(f"/?token={server.token}")[0] == 200)
    check("and WebSocket", Browser(server, path=f"/ws?token={server.token}").status == 101)
    check("the printed name", server.get(f"/?token={server.token}", host=server.address.split("/")[2])[0] == 200)
    for host in ("evil.example", f"evil.example:{server.port}", f"127.0.0.2:{server.port}", "*"):
        check(f"Host {host} at 0.0.0.0", server.get(f"/?token={server.token}", host=host)[0] in (400, 403))
    server.end()
    try:
        with socket.socket(socket.AF_INET6) as trial:
            trial.bind(("::1", 0))
    except OSError:
        return
    server = Server(program, bar, "--host", "::")
    for place, host in (("127.0.0.1", "127.0.0.1"), ("::1", "[::1]")):
        server.place = place
        check(f"{host} at ::", server.get(f"/?token={server.token}", host=f"{host}:{server.port}")[0] == 200)
        check(f"evil.example at ::, {host}", server.get(f"/?token={server.token}", host="evil.example")[0] == 403)
    server.end()


def port_of_http():
    """Browsers leave port 80 out. Not everybody may listen there."""
    for place, name in (("127.0.0.80", "127.0.0.80"), ("::1", "[::1]")):
        try:
            with socket.socket(socket.AF_INET6 if ":" in place else socket.AF_INET) as trial:
                trial.bind((place, 80))
        except OSError:
            continue
        server = Server(program, bar, "--host", place, "--port", "80")
        server.place = place
        for host in (name, f"{name}:80", "localhost", "localhost:80"):
            check(f"Host {host}", server.get("/", host=host)[0] == 200)
            check(f"{host}, WebSocket", Browser(server, host=host, origin=f"http://{host}").status == 101)
        for host in ("evil.example", f"{name}:81", "127.0.0.1", "::1", "[]", "*"):
            check(f"Host {host} at {place}", server.get("/", host=host)[0] in (400, 403))
        check("it ends well", server.end() == (0, ""))


def desktop(folder):
    # A program xdg-open that notes what it is asked to open.
    with open(f"{folder}/xdg-open", "w") as file:
        file.write(f'#!/bin/sh\necho "$1" > {folder}/note.part\nmv {folder}/note.part {folder}/note\n')
    os.chmod(f"{folder}/xdg-open", 0o755)
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "DISPLAY": ":0"}
    process = subprocess.Popen([program, "view", bar], stdout=subprocess.PIPE, text=True,
                               env=environment)
    address = process.stdout.readline().strip()
    for i in range(3000):
        if os.path.exists(f"{folder}/note"):
            break
        time.sleep(0.01)
    check("the browser is opened", open(f"{folder}/note").read().strip() == address)
    process.send_signal(signal.SIGINT)
    check("Ctrl-C ends it", process.wait(60) == 0, process.returncode)


with tempfile.TemporaryDirectory() as folder:
    desktop(folder)
    live()
    fields(folder)
    contact(folder)
    failure(folder)
    replay(folder)
gallery()
ports()
doors()
port_of_http()
finish()
