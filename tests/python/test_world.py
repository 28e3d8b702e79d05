"""Worlds built in code: keys, arrays, control, errors, threads of life."""
import ctypes
import gc
import subprocess
import sys
import threading

import numpy as np
import pytest

import pliant


def block(world, name="block", **keys):
    mesh = pliant.Mesh("rectangle", size=[1, 0.3], segments=[6, 2])
    body = world.add_body(mesh, name=name, **keys)
    body.add_energy("neo-hookean", young=5e4, poisson=0.4)
    return body


def falling(**keys):
    return pliant.World(gravity=[0, -9.81], dimension=2, **keys)


def test_free_fall_is_that_of_backward_euler():
    world = falling(time={"step": 0.01})
    body = block(world)
    start = body.positions.copy()
    for n in range(1, 11):
        assert world.step()
        # x_n - x_0 = g h^2 n (n + 1) / 2
        assert np.allclose(body.positions - start, [0, -9.81e-4 * n * (n + 1) / 2], atol=1e-12)
    assert world.time == pytest.approx(0.1) and world.step_count == 10
    assert body.summary().mass == pytest.approx(300)


def test_every_key_of_the_library_is_accepted_by_name():
    """With its default; unknown ones are refused with the nearest."""
    from pliant import _abi, _defs
    parts = {"time": _abi.PLI_OBJECT_TIME, "solver": _abi.PLI_OBJECT_SOLVER,
             "contact": _abi.PLI_OBJECT_CONTACT}
    values = {}
    for part, object in parts.items():
        values[part] = {}
        for name, row in _defs.rows(object).items():
            value = row.choices[0] if row.choices else row.default
            kinds = {"integer": int, "bool": bool}
            values[part][name] = kinds.get(row.type, lambda v: v)(value)
            if row.flags & _abi.PLI_PARAM_AUTO:
                values[part][name] = "auto"
    values["time"]["step"] = 0.01  # "auto" needs none of the others
    world = pliant.World(thickness=2.0, **values)
    assert world.time_step == 0.01
    with pytest.raises(pliant.ArgumentError, match='did you mean "friction"?'):
        pliant.World(contact={"fricton": 0.1})
    with pytest.raises(pliant.ArgumentError, match='did you mean "gravity"?'):
        pliant.World(gravty=[0, 1])
    for wrong in ("step", "time_step"):
        with pytest.raises(pliant.ArgumentError, match='it is part of time: time={"step": 0.1}'):
            pliant.World(**{wrong: 0.1})
    with pytest.raises(pliant.ArgumentError, match="must be a dict"):
        pliant.World(contact=0.3)
    for bad in ("fast", None, [1]):
        with pytest.raises(pliant.ArgumentError, match="must be a number"):
            pliant.World(solver={"tolerance": bad})


@pytest.mark.parametrize("keys, object, key", [
    ({"density": -5.0}, "body", "density"), ({"mass": "heavy"}, "body", "mass"),
    ({"kinematics": "free-ish"}, "body", "kinematics"), ({"order": 7}, "body", "order")])
def test_errors_name_object_number_and_key(keys, object, key):
    world = falling()
    block(world)
    with pytest.raises(pliant.ArgumentError) as caught:
        block(world, **keys)
    error = caught.value
    assert (error.object, error.index, error.key) == (object, 1, key)
    assert isinstance(error, ValueError) and isinstance(error, pliant.Error)
    assert world.body_count == 1 and world.step()  # nothing was added


def test_mistakes_are_refused_and_never_crash():
    world = falling()
    body = block(world)
    for call in (lambda: body.add_energy("neo-hokean"),
                 lambda: body.add_energy("neo-hookean", yong=1e5),
                 lambda: body.add_energy("neo-hookean", young=-1),
                 lambda: body.add_energy("neo-hookean", young="soft"),
                 lambda: body.fix("lefft"), lambda: body.fix([999]), lambda: body.fix([-1]),
                 lambda: body.fix([0, 0]), lambda: body.fix(axes="xw"), lambda: body.fix([0.5]),
                 lambda: body.fix(np.zeros(3, bool)), lambda: body.fix([]),
                 lambda: body.add_load("wind", [0, 1]), lambda: body.add_load("force", [1, 2, 3, 4]),
                 lambda: body.prescribe(keyframes=[(0, [0, 0]), (0, [1, 1])]),
                 lambda: body.set_velocities(np.zeros((2, 2))),
                 lambda: world.add_body("mesh"), lambda: world.add_body(pliant.Mesh(), initial=[[0, 0]]),
                 lambda: world.add_half_space(normal=[0, 0]), lambda: world.add_half_space(colour=1),
                 lambda: world.add_contact_rule("ab"), lambda: world.body("blck"),
                 lambda: world.element_field("strain", "triangle"), lambda: world.elements("cube"),
                 lambda: world.set_state(positions=np.zeros((3, 2))), lambda: world.restore(b"nonsense"),
                 lambda: world.add_stencils("spring", [[(body, 0), (body, 12345)]]),
                 lambda: world.add_joint("glue", body, at=[0, 0]), lambda: world.run(),
                 lambda: pliant.Mesh("disc", radius=1), lambda: pliant.Mesh("disk", radius=-1),
                 lambda: pliant.Mesh(vertices=[[0, 0]], triangles=[[0, 1]]),
                 lambda: pliant.Mesh(vertices=[[0, 0]], triangles=[[0, 1, 5]]),
                 lambda: pliant.Mesh.read("absent.obj"), lambda: pliant.Mesh(size=[1, 1]),
                 lambda: pliant.energies["neo-hokean"], lambda: pliant.material("ruber"),
                 lambda: pliant.World(dimension=4), lambda: pliant.World(memory=1)):
        with pytest.raises(pliant.Error):
            call()
    assert world.step()


def test_views_are_not_copies_and_follow_the_steps():
    world = falling()
    body = block(world)
    x, all_ = body.positions, world.positions
    assert np.shares_memory(x, all_) and not x.flags.writeable and x.shape == (21, 2)
    before = x.copy()
    world.step()
    assert (x[:, 1] < before[:, 1]).all() and np.shares_memory(x, body.positions)
    with pytest.raises(ValueError):
        x[0, 0] = 1


def test_memory_of_a_view_outlives_changes_and_the_world():
    world = falling()
    body = block(world)
    world.step()
    views = [world.positions, world.velocities, world.rest_positions, world.reactions, world.masses,
             world.elements("triangle")]
    values = [v.copy() for v in views]
    for i in range(5):
        ball = world.add_body(pliant.Mesh("disk", radius=0.1, rings=8).translate([0, 1 + i]))
        ball.add_energy("neo-hookean", young=1e4)
        world.step()
    body.remove()
    world.step()
    assert world.body_count == 5
    with pytest.raises(pliant.ArgumentError, match="removed"):
        body.positions
    # The world has moved its arrays; these keep the contents of then (the first step after the view
    # may have written to some).
    assert all(v.shape == w.shape and np.isfinite(v).all() for v, w in zip(views, values))
    assert (views[2] == values[2]).all() and (views[5] == values[5]).all()
    memory = world.memory
    del views
    world._h.drop()
    assert world.memory < memory  # what only views kept was freed
    x = world.positions
    del world, ball, body
    gc.collect()
    assert np.isfinite(x.sum())


def test_control_between_steps():
    world = falling()
    body = block(world)
    corner = body.fix("left")
    energy_ = body.add_energy("anchor", stiffness=1.0)
    load = body.add_load("force", [0, 1.0], "right")
    world.step()
    world.gravity = [0, 0]
    assert (world.gravity == 0).all()
    energy_.set(stiffness=7.0)
    assert energy_["stiffness"] == 7 and energy_.type == "anchor"
    load.set([0, 2.0])
    world.time_step = 0.02
    world.set_friction(0.3)
    t = world.time
    world.step()
    assert world.time == pytest.approx(t + 0.02)
    load.remove(), energy_.remove(), corner.remove()
    assert world.step()


def test_targets_move_a_support_and_its_force_is_read():
    world = pliant.World(dimension=2)
    body = block(world)
    body.fix("left")
    hand = body.prescribe("right")
    for i in range(1, 6):
        hand.set_target([0.01 * i, 0])
        world.step()
    assert body.positions[body.groups["right"]][:, 0] == pytest.approx(0.55, abs=1e-9)
    assert hand.force[0] > 0 and hand.blocked == 0 and hand.centre[0] == pytest.approx(0.55)


def test_statics_hang_as_the_closed_form():
    """A mass on a spring: m g = k (l - l0)."""
    world = pliant.World(gravity=[0, -10], dimension=2, time={"scheme": "static"})
    rope = world.add_body(pliant.Mesh(vertices=[[0, 0], [0, -1]], segments=[[0, 1]]), vertex_mass=2.0)
    rope.add_energy("hooke", stiffness=100.0)
    held = rope.fix([0])
    world.step()
    assert rope.positions[1, 1] == pytest.approx(-1.2, abs=1e-6)
    assert held.force == pytest.approx([0, 40], abs=1e-3)  # both ends weigh
    assert world.energies["hooke"] == pytest.approx(100 / 2 * 0.2**2, rel=1e-4)


def test_callbacks_move_load_and_fail():
    world = pliant.World(dimension=2)
    body = block(world)
    body.prescribe("left", motion=lambda t, x: [0.5 * t, 0])
    body.add_load("force", vertices="right", field=lambda t, x: [0, 3 * t])
    world.run(10)
    assert body.positions[body.groups["left"]][:, 0] == pytest.approx(-0.5 + 0.05, abs=1e-9)
    state = world.save()

    class Boom(Exception):
        pass

    def fail(t, x):
        raise Boom("in a load")

    load = body.add_load("force", field=fail)
    with pytest.raises(Boom):
        world.step()
    load.remove()
    assert world.step_count == 10  # the step was undone
    world.add_half_space(point=[0, -9])
    for wrong in (lambda t, x: [1], lambda t, x: "up", lambda t, x: None):
        load = body.add_load("force", field=wrong)
        with pytest.raises(pliant.ArgumentError, match="function of time and place"):
            world.step()
        load.remove()
    assert world.step()
    assert len(state) > 100


def test_save_restore_and_clone_have_the_same_bits():
    world = falling(contact={"friction": 0.3})
    block(world)
    world.add_half_space(point=[0, -0.2])
    world.run(15)
    state, copy = world.save(), world.clone()
    world.run(5)
    end = world.positions.copy()
    copy.run(5)
    world.restore(state)
    world.run(5)
    assert (world.positions == end).all() and (copy.positions == end).all()


def test_contacts_and_queries():
    world = falling(time={"step": 0.01})
    body = block(world)
    world.add_half_space(name="ground", point=[0, -0.2], friction=0.5)
    world.run(60)
    sums = world.body_contacts[0]
    assert (sums.a, sums.b) == ("block", "ground")
    weight = 300 * 9.81
    # The pressure still swings a little around the weight.
    assert sums.force[1] == pytest.approx(weight, rel=0.2)
    assert body.contact_forces[:, 1].sum() == pytest.approx(sums.force[1])
    contacts = world.contacts
    assert contacts["force"].sum() == pytest.approx(sums.force[1])
    assert (contacts["distance"] < world.dhat).all()
    hit = world.cast_ray([0, 5], [0, -1])
    assert hit.body == body.number and hit.point[1] == pytest.approx(body.positions[:, 1].max(), abs=0.01)
    assert world.cast_ray([5, 5], [0, 1]) is None
    assert world.closest_point([0, 3]).distance > 2
    world.verify()


def test_derivatives_agree_with_the_world():
    world = pliant.World(dimension=2)
    body = block(world)
    body.add_energy("anchor", stiffness=3.0)
    world.prepare()
    x = body.rest_positions * 1.01
    world.set_state(x)
    n = world.unknown_count
    H, g, h = world.hessian().toarray(), world.gradient(), 1e-6
    assert H.shape == (n, n) and np.allclose(H, H.T)
    d = np.random.default_rng(1).standard_normal(x.shape)
    world.set_state(x + h * d)
    more = world.gradient()
    world.set_state(x - h * d)
    found = (more - world.gradient()) / (2 * h)
    q = d.reshape(-1) if n == d.size else None
    assert q is not None and np.allclose(H @ q, found, atol=1e-4 * abs(found).max())
    assert world.mass_matrix().toarray().sum() == pytest.approx(2 * 300)
    W = world.map().toarray()
    assert W.shape == (3 * len(x), n) and set(np.unique(W)) == {0, 1} and g.shape == (n,)


def test_replacing_a_mesh():
    world = pliant.World(dimension=2)
    rope = world.add_body(pliant.Mesh("line", **{"from": [0, 0], "to": [1, 0], "segments": 1}),
                          vertex_mass=1.0)
    rope.add_energy("hooke", stiffness=10.0)
    world.step()
    fine = pliant.Mesh("line", **{"from": [0, 0], "to": [1, 0], "segments": 2})
    info = rope.replace_mesh(fine, ([0, 1, 3, 4], [0, 0, 1, 1], [1, 0.5, 0.5, 1]))
    assert list(info.mass) == [2, 3] and len(rope.positions) == 3
    assert rope.positions[1] == pytest.approx([0.5, 0])
    with pytest.raises(pliant.ArgumentError, match="transfer"):
        rope.replace_mesh(fine, ([0, 1, 3, 9], [0, 0, 1, 1], [1, 0.5, 0.5, 1]))
    assert world.step()


def test_joints_and_stencils():
    world = pliant.World(gravity=[0, -9.81], dimension=2)
    a = block(world, "a")
    pin = world.add_joint("ball", (a, "left"), at=[-0.5, 0])
    b = world.add_body(pliant.Mesh("point").translate([2, 0]), vertex_mass=1.0)
    world.add_stencils("hooke", [[(a, 20), (b, 0)]], stiffness=50.0)
    world.run(5)
    assert pin.info.type == "ball" and pin.info.gap < 1e-12 and pin.info.force[1] > 0
    assert b.velocities[0, 0] < 0 or b.velocities[0, 1] < 0
    assert set(pliant.joints) >= {"ball", "hinge", "weld"}


def test_step_that_fails_is_an_info_and_run_raises():
    world = falling(solver={"max_iterations": 1, "on_failure": "stop"})
    body = block(world)
    body.set_velocities(np.random.default_rng(0).standard_normal((21, 2)) * 5)
    info = world.step()
    assert not info and not info.converged and info.reason == "iteration cap" and info.remedy
    with pytest.raises(pliant.StepFailed, match="iteration cap") as caught:
        world.run(3)
    assert caught.value.info.remedy in str(caught.value)
    assert "kept" in pliant.StepInfo.__doc__


def test_another_thread_and_two_worlds():
    worlds = [falling() for _ in range(2)]
    for world in worlds:
        block(world)
    threads = [threading.Thread(target=w.run, args=(20,)) for w in worlds]
    [t.start() for t in threads], [t.join() for t in threads]
    assert (worlds[0].positions == worlds[1].positions).all() and worlds[0].step_count == 20


def test_a_callback_may_read_but_not_change_its_world():
    world = pliant.World(dimension=2)
    body = block(world)
    seen = []

    def field(t, x):
        seen.append(len(world.positions))
        assert body.velocities.shape == (21, 2)
        world.gravity = [0, 1]  # refused
        return [0, 0]

    body.add_load("force", field=field)
    with pytest.raises(pliant.BusyError):
        world.step()
    assert seen[0] == 21


def test_limit_of_memory():
    world = pliant.World(dimension=3, memory=3_000_000)
    body = world.add_body(pliant.Mesh("box", size=[1, 1, 1], segments=[16, 16, 16]))
    body.add_energy("neo-hookean", young=1e5)
    with pytest.raises(pliant.OutOfMemory, match="limit"):
        world.step()


def test_meshes():
    mesh = pliant.Mesh("box", size=[1, 2, 3], segments=[1, 1, 1])
    assert len(mesh.tetrahedra) == 6 and "left" in mesh.groups and mesh.groups["left"].dtype == np.int32
    assert len(mesh.surface().triangles) == 12 and len(mesh.quadratic().elements("tetrahedron10")) == 6
    turned = mesh.copy().rotate(90, axis=[0, 0, 1]).translate([1, 0, 0]).scale([1, 1, 2])
    assert turned.positions.min(axis=0) == pytest.approx([0, -0.5, -3])
    assert list(turned.groups["left"]) == list(mesh.groups["left"])
    ball = pliant.Mesh("sphere", radius=1, rings=6).fill(0.4)
    assert len(ball.tetrahedra) > 50 and not ball.defects()
    mesh.add_group("tips", [0, 7])
    body = pliant.World(dimension=3).add_body(mesh)
    body.fix("tips")
    body.fix(lambda x: x[:, 0] > 0.4, "z")
    flat = pliant.Mesh(vertices=[[0, 0], [1, 0], [0, 1]], triangles=[[0, 2, 1]])
    assert "counter-clockwise" in flat.defects(2)[0]


def test_mesh_files(tmp_path):
    mesh = pliant.Mesh("disk", radius=1, rings=2)
    for name in ("a.vtu", "a.msh", "a.obj"):
        mesh.write(tmp_path / name)
        again = pliant.Mesh.read(tmp_path / name)
        assert np.allclose(again.positions, mesh.positions) and (again.triangles == mesh.triangles).all()


def test_lists_and_help_are_those_of_the_library():
    from pliant._library import lib, text
    for i in range(lib.list_count(0)):
        name = text(lib.list_name(0, i))
        entry = pliant.energies[name]
        assert entry.help == text(lib.list_help(0, i)) and entry.help in pliant.energies.__doc__
    assert pliant.energies["neo-hookean"].parameters["poisson"].max == 0.5
    assert "young: number [Pa]" in str(pliant.energies)
    assert pliant.material("rubber")["young"] > 0
    assert "ParaView" not in pliant.help("contact") and "dhat" in pliant.help("contact")
    with pytest.raises(pliant.Error):
        pliant.help("nonsense")


def test_overhead_of_a_step(tmp_path):
    """A step of a world with one point costs less than 20 microseconds more from Python than from C.
    Not by time: the interpreter runs few instructions. They are counted as bytecodes per step; each takes
    far less than 100 ns."""
    world = pliant.World(dimension=2, threads=1)
    world.add_body(pliant.Mesh("point"), vertex_mass=1.0)
    world.step()
    count = 0

    def trace(frame, event, argument):
        nonlocal count
        frame.f_trace_opcodes = True
        count += event == "opcode"
        return trace

    sys.settrace(trace)
    try:
        for _ in range(10):
            world.step()
    finally:
        sys.settrace(None)
    assert 0 < count / 10 < 100
