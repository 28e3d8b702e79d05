"""Energies in Python: the same results as the built-in ones, checks that find mistakes, failures."""
import numpy as np
import pytest

import pliant


class Spring(pliant.Energy):
    """k/2 (|d| - l)^2 for each segment."""

    name, elements = "python-spring", "segment"
    parameters = {"stiffness": {"min": 0, "unit": "N/m", "help": "k"}}

    def parts(self, x, rest):
        d = x[:, 1] - x[:, 0]
        return d, np.linalg.norm(d, axis=1), np.linalg.norm(rest[:, 1] - rest[:, 0], axis=1)

    def value(self, x, rest, p):
        _, length, start = self.parts(x, rest)
        return p["stiffness"] / 2 * (length - start) ** 2

    def gradient(self, x, rest, p):
        d, length, start = self.parts(x, rest)
        pull = (p["stiffness"] * (1 - start / length))[:, None] * d
        return np.stack([-pull, pull], axis=1)


class ExactSpring(Spring):
    """The same with its Hessian."""

    name = "exact-spring"

    def hessian(self, x, rest, p):
        d, length, start = self.parts(x, rest)
        n, dim = d.shape
        u = d / length[:, None]
        outer = np.einsum("ni,nj->nij", u, u)
        k, r = p["stiffness"][:, None, None], (start / length)[:, None, None]
        block = k * (outer + (1 - r) * (np.eye(dim) - outer))
        signs = np.array([[1, -1], [-1, 1]])
        return np.einsum("ab,nij->naibj", signs, block)


class Weight(pliant.Energy):
    """-F x for each vertex; linear."""

    name, elements = "push", "vertex"
    parameters = {"force": {"default": 1.0, "unit": "N"}}

    def value(self, x, rest, p):
        return -p["force"] * x[:, 0, 0]

    def gradient(self, x, rest, p):
        g = np.zeros_like(x)
        g[:, 0, 0] = -p["force"]
        return g


def net(energy, threads=1, **keys):
    """A hanging net of springs, of the built-in `hooke` or of one in Python."""
    own = isinstance(energy, pliant.Energy)
    world = pliant.World(gravity=[0, -9.81], dimension=2, threads=threads, solver={"tolerance": 1e-6},
                         energies=[energy] if own else [], **keys)
    mesh = pliant.Mesh("rectangle", size=[1, 1], segments=[4, 4], pattern="springs")
    body = world.add_body(mesh, vertex_mass=0.1, contact_bodies=False)
    body.add_energy(energy, stiffness=200.0)
    body.fix("top")
    world.run(10)
    return body.positions.copy()


def test_it_moves_as_the_built_in_one():
    expected = net("hooke")
    assert np.allclose(net(ExactSpring()), expected, atol=1e-6)
    assert np.allclose(net(Spring()), expected, atol=1e-6)  # Hessian by differences


def test_same_bits_for_any_number_of_threads():
    assert (net(ExactSpring(), 1) == net(ExactSpring(), 3)).all()


def test_check_accepts_what_is_right():
    ExactSpring().check(stiffness=10.0)
    Spring().check(stiffness=10.0)
    Weight().check()


@pytest.mark.parametrize("what, factor", [("gradient", 1.01), ("hessian", 1.01), ("gradient", -1)])
def test_check_finds_mistakes(what, factor):
    class Wrong(ExactSpring):
        name = "wrong"

    right = getattr(ExactSpring, what)
    setattr(Wrong, what, lambda self, x, rest, p: factor * right(self, x, rest, p))
    with pytest.raises(pliant.ArgumentError, match=f"wrong: {what} differs .* axis"):
        Wrong().check(stiffness=10.0)


def test_check_of_all_elements():
    """An energy over each kind of element: springs from vertex 0."""
    for kind in ("vertex", "segment", "triangle", "tetrahedron", "triangle6", "tetrahedron10"):
        class Bunch(pliant.Energy):
            name, elements = "bunch", kind
            dimensions = (3,)

            def value(self, x, rest, p):
                return ((x - rest) ** 4).sum(axis=(1, 2))

            def gradient(self, x, rest, p):
                return 4 * (x - rest) ** 3

        Bunch().check()


def test_projection_makes_every_hessian_positive_semi_definite():
    from pliant.energy import project
    H = np.random.default_rng(0).standard_normal((50, 6, 6))
    H = H + H.transpose(0, 2, 1)
    P = project(H)
    assert np.linalg.eigvalsh(P).min() > -1e-12
    assert np.linalg.eigvalsh(P - H).min() > -1e-12
    good = H @ H
    assert np.allclose(project(good), good)


def test_forbidden_states_hold():
    """An energy that is infinite beyond a wall keeps every step on this side."""
    class Wall(pliant.Energy):
        """-k ln(1 - x) for each vertex."""

        name, elements = "wall", "vertex"

        def value(self, x, rest, p):
            gap = 1 - x[:, 0, 0]
            return np.where(gap > 0, -np.log(np.where(gap > 0, gap, 1)), np.inf)

        def gradient(self, x, rest, p):
            g = np.zeros_like(x)
            g[:, 0, 0] = 1 / (1 - x[:, 0, 0])
            return g

    wall = Wall()
    world = pliant.World(dimension=2, energies=[wall])
    point = world.add_body(pliant.Mesh("point"), vertex_mass=1.0, velocity=[50, 0])
    point.add_energy(wall)
    for _ in range(20):
        assert world.step()
        assert point.positions[0, 0] < 1
    assert point.positions[0, 0] > -50


def test_an_exception_ends_the_step_and_leaves_the_world():
    class Fails(Weight):
        name = "fails"
        bad = False

        def gradient(self, x, rest, p):
            if self.bad:
                raise RuntimeError("in an energy")
            return super().gradient(x, rest, p)

    energy = Fails()
    world, other = [pliant.World(dimension=2, energies=[energy]) for _ in range(2)]
    point = world.add_body(pliant.Mesh("point"), vertex_mass=1.0)
    point.add_energy(energy, force=3.0)
    world.step()
    before = world.save()
    energy.bad = True
    with pytest.raises(RuntimeError, match="in an energy"):
        world.step()
    assert world.step_count == 1
    energy.bad = False
    other.add_body(pliant.Mesh("point"), vertex_mass=1.0).add_energy(energy)
    assert other.step()  # it has nothing to do with the failure
    world.restore(before)
    world.step()
    # Two steps of backward Euler with the acceleration 3: v = a t
    assert point.velocities[0, 0] == pytest.approx(3 * 0.02)


def test_wrong_shapes_and_tables_are_refused():
    class Flat(Weight):
        name = "flat"

        def gradient(self, x, rest, p):
            return np.zeros(len(x))

    energy = Flat()
    world = pliant.World(dimension=2, energies=[energy])
    world.add_body(pliant.Mesh("point"), vertex_mass=1.0).add_energy(energy)
    with pytest.raises(pliant.ArgumentError, match=r"gradient has the shape \(1,\), must be \(1, 1, 2\)"):
        world.step()

    class Nameless(Weight):
        name = ""

    class Cube(Weight):
        elements = "cube"

    class Odd(Weight):
        parameters = {"force": {"colour": "red"}}

    for make in (Nameless, Cube, lambda: pliant.World(energies=[Odd()])):
        with pytest.raises(pliant.ArgumentError):
            make()
    with pytest.raises(pliant.ArgumentError, match='check needs a value of "stiffness"'):
        Spring().check()
    twin = Weight()
    with pytest.raises(pliant.Error):
        pliant.World(energies=[twin]).add_body(pliant.Mesh("point"), vertex_mass=1.0).add_energy(
            twin, colour=1)


def test_a_scene_names_it():
    spring = ExactSpring()
    data = {"bodies": [{"name": "net", "vertex_mass": 0.1, "mesh": {
        "type": "rectangle", "size": [1, 1], "segments": [2, 2], "pattern": "springs"},
        "energies": [{"type": "exact-spring", "stiffness": 10}]}]}
    scene = pliant.Scene(data, energies=[spring])
    assert scene.step() and "exact-spring" in scene.world.energies
    with pytest.raises(pliant.SceneError, match="stiffness is missing"):
        data["bodies"][0]["energies"] = [{"type": "exact-spring"}]
        pliant.Scene(data, energies=[spring])
