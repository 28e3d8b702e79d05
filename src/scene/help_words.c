// Everyday words: see help_words.h.
#include "scene/help_words.h"

#include <stddef.h>
#include <string.h>

static const pli_help_word rows[] = {
    {"cloth fabric textile garment sheet membrane",
     "A mesh of triangles in space is a sheet. \"material\": \"cotton\" is enough; or the energy "
     "shell with young, poisson and thickness. strain-limit keeps it from stretching too far.",
     "materials shell orthotropic strain-limit hinge seam wind"},
    {"string yarn cord wire",
     "A mesh of segments is a thread: energy thread bends without twist, rod also twists, cable "
     "only pulls.",
     "line thread rod cable polyline"},
    {"hair fur strand", "Meshes of type strands grow threads from a surface.",
     "strands thread rod"},
    {"stiff rigidbody rigid_body",
     "\"kinematics\": \"rigid\" in a body: 12 unknowns, no material needed.",
     "kinematics allowed_strain joints"},
    {"soft elastic elasticity",
     "A mesh of tetrahedra (triangles in the plane) with an energy, as neo-hookean, or with a "
     "\"material\".",
     "neo-hookean materials mesh"},
    {"dt timestep time_step step_size h fps frequency frame frames",
     "time.step is the size of a step [s], time.steps their number; output.every how many of them "
     "lie between frames.",
     "time output"},
    {"floor ground wall table",
     "An obstacle of type half-space is a floor or a wall; box, sphere, capsule and mesh are "
     "others.",
     "obstacles half-space"},
    {"mu coulomb friction_coefficient slip stick",
     "contact.friction is the coefficient of all, friction of an obstacle its own, friction_pairs "
     "those of pairs.",
     "friction friction_pairs contact"},
    {"pin dirichlet clamp fixed support constraint",
     "\"fix\" holds selected vertices of a body, \"prescribe\" moves them.", "fix prescribe"},
    {"animate keyframe moving rotate_over_time",
     "\"prescribe\" moves vertices of a body along expressions of t; obstacles have the same keys.",
     "prescribe expressions obstacles"},
    {"push pull weight", "\"loads\" of a body: forces, tractions, pressure, moments.",
     "loads gravity"},
    {"collision collide intersection penetration",
     "Contact is on by default, between bodies and of a body with itself; dhat is the distance at "
     "which it begins.",
     "contact dhat"},
    {"convergence converge newton iterations slow stalled",
     "solver.tolerance is the speed [m/s] below which a step is done; pliant run --profile shows "
     "where time goes.",
     "solver"},
    {"plastic permanent crease", "slider and plastic-bending keep what they were bent to.",
     "slider plastic-bending"},
    {"dissipation damper internal_friction",
     "Dissipation is one of the energies of a body: viscosity, drag, dashpot.",
     "viscosity drag dashpot"},
    {"copy copies array many instances", "\"repeat\" makes copies of a body.", "repeat"},
    {"video film movie picture png render",
     "pliant export results/NAME --to mp4 (or png); pliant view shows a run in the browser.",
     "output"},
    {"units si millimetre millimeter", "All numbers are in SI: m, kg, s, N, Pa.",
     "scene expressions"},
};

enum { ROW_COUNT = sizeof rows / sizeof *rows };

const pli_help_word* pli_help_word_at(int i) { return i >= 0 && i < ROW_COUNT ? &rows[i] : NULL; }

const pli_help_word* pli_help_word_find(const char* word) {
    size_t length = strlen(word);
    for (int i = 0; i < ROW_COUNT && length > 0; ++i)
        for (const char* c = rows[i].words; *c;) {
            size_t n = strcspn(c, " ");
            if (n == length && strncmp(c, word, n) == 0) return &rows[i];
            c += c[n] ? n + 1 : n;
        }
    return NULL;
}
