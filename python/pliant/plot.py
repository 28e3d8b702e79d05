"""Plots by Matplotlib, where it is installed."""
from __future__ import annotations

import ctypes
from typing import Any, Optional, Union

import numpy as np

from ._library import ArgumentError, byref, lib
from .result import Frame
from .world import World

_COLOURS = ("#4c78a8", "#f58518", "#54a24b", "#e45756", "#72b7b2", "#b279a2", "#eeca3b", "#9d755d")


def _parts(thing: Union[World, Frame]) -> list[tuple[str, bool, np.ndarray, np.ndarray]]:
    """Of each body: name, obstacle, triangles and segments to draw."""
    if isinstance(thing, Frame):
        return [(b.name, b.obstacle, b.triangles, b.segments) for b in thing.bodies]
    parts, w = [], thing._h.pointer
    for body in thing.bodies:
        number, count = body.number, ctypes.c_int()
        thing._call(lib.world_body_triangles, number, None, byref(count))
        triangles = np.zeros((count.value, 3), np.int32)
        if count.value:
            thing._call(lib.world_body_triangles, number, triangles.ctypes.data, byref(count))
        segments = thing.elements("segment")[body._elements("segment")]
        if not lib.world_body_is_cage(w, number):
            parts.append((body.name, lib.world_body_is_obstacle(w, number), triangles, segments))
    return parts


def plot(thing: Union[World, Frame], *, ax: Any = None, color: Optional[np.ndarray] = None,
         cmap: str = "viridis", label: str = "") -> Any:
    """Draws a world or a frame of a result; returns the Matplotlib axes.

    color: one number per vertex, shown as colours with a bar that has this label; else each body has its
    own colour. `plot(result[-1], color=result[-1]["von_mises"])`.
    """
    try:
        import matplotlib.pyplot as plt
        from matplotlib.collections import LineCollection, PolyCollection
    except ImportError:
        raise ImportError("plots need Matplotlib: apt-get install python3-matplotlib") from None
    x = np.asarray(thing.positions)
    if color is not None and np.shape(color) != (len(x),):
        raise ArgumentError(f"color has the shape {np.shape(color)}, must be ({len(x)},)", key="color")
    space = x.shape[1] == 3
    if ax is None:
        ax = plt.figure().add_subplot(projection="3d") if space else plt.figure().add_subplot()
    if space:
        from mpl_toolkits.mplot3d.art3d import Line3DCollection as LineCollection  # noqa: F811
        from mpl_toolkits.mplot3d.art3d import Poly3DCollection as PolyCollection  # noqa: F811
    shown = None
    for i, (name, obstacle, triangles, segments) in enumerate(_parts(thing)):
        colour = "#bbbbbb" if obstacle else _COLOURS[i % len(_COLOURS)]
        for collection, elements in ((PolyCollection, triangles), (LineCollection, segments)):
            if len(elements) == 0:
                continue
            faces = collection is PolyCollection
            drawn = collection(x[elements], linewidths=0.3 if faces else 1)
            if color is not None:
                drawn.set_array(np.asarray(color)[elements].mean(axis=1))
                drawn.set_cmap(cmap)
                drawn.set_clim(np.nanmin(color), np.nanmax(color))
                drawn.set_edgecolor("face")
                shown = drawn
            elif faces:
                drawn.set_facecolor(colour)
                drawn.set_edgecolor("white")
            else:
                drawn.set_color(colour)
            ax.add_collection(drawn)
    low, high = x.min(axis=0), x.max(axis=0)
    margin = 0.05 * max((high - low).max(), 1e-12)
    for axis, a, b in zip("xyz", low - margin, high + margin):
        getattr(ax, f"set_{axis}lim")(a, b)
        getattr(ax, f"set_{axis}label")(f"{axis} [m]")
    ax.set_aspect("equal")
    if shown is not None:
        ax.figure.colorbar(shown, ax=ax, label=label)
    return ax
