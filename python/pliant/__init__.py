"""Pliant for Python: solids that bend, swing, collide and rub, simulated by minimizing energy.

    import pliant
    result = pliant.run("scene.json")            # a scene of the command `pliant run`
    world = pliant.World(gravity=[0, -9.81])     # or a world built in code

Energies, schemes, meshes, joints, materials, ... are listed by pliant.energies, pliant.schemes and so
on, with their parameters; pliant.help("contact") is the text of `pliant help contact`. All quantities
are in SI units. See docs/PYTHON.md.
"""
from . import lists as _lists
from ._library import (ArgumentError, BusyError, Cancelled, Error, FileError, OutOfMemory,
                       SceneError, StepFailed, lib as _lib, text as _text)
from .body import Body
from .energy import Energy
from .lists import help, material
from .mesh import Mesh
from .plot import plot
from .record import Recorder, frame_fields
from .result import Frame, Result
from .scene import Finding, Scene, check, resume, run
from .sweep import Sweep, sweep
from .viewer import View
from .world import StepInfo, World

globals().update(_lists.CATALOGS)  # energies, schemes, meshes, ...

__version__ = _text(_lib.version())
__all__ = ["ArgumentError", "Body", "BusyError", "Cancelled", "Energy", "Error", "FileError", "Finding",
           "Frame", "Mesh", "OutOfMemory", "Recorder", "Result", "Scene", "SceneError", "StepFailed",
           "StepInfo", "Sweep", "View", "World", "check", "frame_fields", "help", "material", "plot", "resume",
           "run", "sweep", *_lists.CATALOGS]
