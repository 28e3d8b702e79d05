"""Many runs of one scene with other values, on all cores."""
from __future__ import annotations

import csv
import itertools
import math
import os
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping, Optional, Sequence, Union

import numpy as np

from ._library import ArgumentError, Error, call, encode, lib
from .mesh import to_json
from .result import Result
from .scene import Scene, Source, free_folder, run

Measure = Union[str, Callable[[Result], float]]


class Sweep:
    """The table of a sweep: one row for each run, in the order of the values.

    sweep["contact.friction"] and sweep["max(total)"] are columns; sweep.results the runs, None where one
    failed; sweep.problems why, "" where none did. sweep.csv and the runs are in `folder`.
    """

    def __init__(self, folder: Path, keys: list[str], measures: list[str]):
        self.folder, self.keys, self.measures = folder, keys, measures
        self.rows: list[dict[str, Any]] = []
        self.results: list[Optional[Result]] = []
        self.problems: list[str] = []

    def __getitem__(self, column: str) -> np.ndarray:
        if column not in self.keys + self.measures:
            raise ArgumentError(f'the sweep has no column "{column}"; it has '
                                + ", ".join(self.keys + self.measures), key=column)
        return np.array([row[column] for row in self.rows])

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    def write(self) -> Path:
        """sweep.csv: values, measures, the folder of the run, and the problem if there was one."""
        path = self.folder / "sweep.csv"
        with open(path, "w", newline="") as file:
            table = csv.writer(file)
            table.writerow([*self.keys, *self.measures, "folder", "problem"])
            for row, problem in zip(self.rows, self.problems):
                table.writerow([*(to_json(row[k]) if isinstance(row[k], (list, dict)) else row[k]
                                  for k in self.keys),
                                *("" if math.isnan(row[m]) else repr(row[m]) for m in self.measures),
                                row["folder"], problem])
        return path

    def plot(self, x: Optional[str] = None, y: Optional[str] = None, *, ax: Any = None) -> Any:
        """A measure over a value (default: the first ones), one curve for each value of the others."""
        import matplotlib.pyplot as plt
        x, y = x or self.keys[0], y or self.measures[0]
        ax = ax or plt.figure().add_subplot()
        others = [k for k in self.keys if k != x]
        curves: dict[tuple, list] = {}
        for row in self.rows:
            curves.setdefault(tuple(str(row[k]) for k in others), []).append((row[x], row[y]))
        for values, points in curves.items():
            ax.plot(*zip(*points), marker="o",
                    label=", ".join(f"{k} = {v}" for k, v in zip(others, values)))
        if others:
            ax.legend()
        ax.set_xlabel(x)
        ax.set_ylabel(y)
        ax.grid(alpha=0.3)
        return ax

    def __repr__(self) -> str:
        return f'Sweep("{self.folder}", {len(self)} runs of {", ".join(self.keys)})'


def sweep(scene: Source, set: Mapping[str, Sequence[Any]],
          measure: Union[Measure, Sequence[Measure]] = (), *,
          out: Union[None, str, os.PathLike] = None, jobs: int = 0,
          fixed: Optional[Mapping[str, Any]] = None, overwrite: bool = False,
          each: Optional[Callable[[dict[str, Any]], Any]] = None, **keys: Any) -> Sweep:
    """Runs a scene with all combinations of values and measures each run.

    set: values by path, {"contact.friction": [0, 0.1, 0.2]}. measure: names (Result.measure), or functions
    of a Result. out: the folder, default results/NAME_sweep; each run has one in it. jobs: runs at a
    time, 0: one on each processor. fixed: values for all runs. each: called with the row of each run
    that has ended. A run that fails has NaN, and its reason is in `problems`. Other keys are those of
    Scene.
    """
    if isinstance(scene, Scene):
        raise ArgumentError("a sweep makes its scenes itself: give it the path or the dict", key="scene")
    if not set or not all(len(values) for values in set.values()):
        raise ArgumentError("a sweep needs values: set={\"contact.friction\": [0, 0.1]}", key="set")
    measures = [measure] if isinstance(measure, str) or callable(measure) else list(measure)
    names = [m if isinstance(m, str) else m.__name__ for m in measures]
    for name, m in zip(names, measures):
        if isinstance(m, str):
            call(lib.measure_check, encode(name))
    plain = {k: [v.tolist() if isinstance(v, (np.ndarray, np.generic)) else v for v in values]
             for k, values in set.items()}
    combinations = [dict(zip(plain, values)) for values in itertools.product(*plain.values())]
    # Mistakes in the scene end it before anything runs.
    name = Scene(scene, set={**(fixed or {}), **combinations[0]}, threads=1, **keys).name
    folder = Path(out) if out is not None else free_folder(f"{name}_sweep")
    folder.mkdir(parents=True, exist_ok=True)
    if (folder / "sweep.csv").exists() and not overwrite:
        raise ArgumentError(f"{folder} has the results of an earlier sweep: overwrite=True replaces them",
                            key="out")
    table = Sweep(folder, list(set), names)

    def one(values: dict[str, Any]) -> tuple[dict[str, Any], Optional[Result], str]:
        part = folder / run_name(values)
        row = {**values, **dict.fromkeys(names, math.nan), "folder": part.name}
        result, problem = None, ""
        try:
            result = run(scene, part, overwrite=overwrite, threads=1,
                         set={**(fixed or {}), **values}, **keys)
            for name, m in zip(names, measures):
                row[name] = result.measure(m) if isinstance(m, str) else float(m(result))
        except Error as error:
            problem = " ".join(str(error).split())
        if each is not None:
            each(row)
        return row, result, problem

    # Threads suffice: steps run in the library, outside of Python's lock.
    with ThreadPoolExecutor(jobs or os.cpu_count()) as pool:
        for row, result, problem in pool.map(one, combinations):
            table.rows.append(row)
            table.results.append(result)
            table.problems.append(problem)
    table.write()
    return table


def run_name(values: Mapping[str, Any]) -> str:
    """The folder of a run: friction=0.1,density=500."""
    parts = [f"{key.rpartition('.')[2]}={value if isinstance(value, str) else to_json(value)}"
             for key, value in values.items()]
    return re.sub(r"[^\w.,=+\[\]-]", "_", ",".join(parts))[:200]
