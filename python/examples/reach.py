"""A soft arm that reaches for a target: the reset/step pattern of Gymnasium, without needing it.

The action is a force on the tip; the observation is tip, velocity of the tip and target; the reward is
less the distance. `python3 reach.py` lets a proportional controller try.
"""
import numpy as np

import pliant


class Reach:
    """A beam fixed at the left; two numbers from -1 to 1 push its tip."""

    strength = 15.0  # largest force [N]
    length = 60      # steps of an episode

    def __init__(self):
        self.world = pliant.World(dimension=2, time={"step": 0.02})
        self.arm = self.world.add_body(pliant.Mesh("rectangle", size=[1, 0.1], segments=[12, 2]),
                                       name="arm", density=200, mass_damping=2.0)
        self.arm.add_energy("neo-hookean", young=1e5, poisson=0.4)
        self.arm.fix("left")
        self.motor = self.arm.add_load("force", [0, 0], "right")
        self.tip = self.arm.groups["right"]
        self.world.prepare()
        self.start = self.world.save()  # restoring it is exact: every episode starts with the same bits

    def reset(self, *, seed=None):
        random = np.random.default_rng(seed)
        self.world.restore(self.start)
        self.motor.set([0, 0])
        angle = random.uniform(-0.5, 0.5)
        self.target = np.array([-0.5 + 0.97 * np.cos(angle), 0.97 * np.sin(angle)])
        self.count = 0
        return self.observe(), {}

    def observe(self):
        tip = self.arm.positions[self.tip].mean(axis=0)
        return np.concatenate([tip, self.arm.velocities[self.tip].mean(axis=0), self.target])

    def step(self, action):
        self.motor.set(self.strength * np.clip(action, -1, 1))
        info = self.world.step()
        self.count += 1
        seen = self.observe()
        reward = -float(np.linalg.norm(seen[:2] - self.target))
        return seen, reward, not info.kept, self.count >= self.length, {"reason": info.reason}


def main():
    task = Reach()
    for seed in range(3):
        seen, _ = task.reset(seed=seed)
        push, done = np.zeros(2), False
        while not done:
            push += 0.3 * (seen[4:6] - seen[:2]) - 0.05 * seen[2:4]  # integrates the error, damps
            seen, reward, failed, over, _ = task.step(push)
            done = failed or over
        print(f"seed {seed}: the tip ends {-reward:.3f} m from the target")


if __name__ == "__main__":
    main()
