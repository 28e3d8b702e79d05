// A scene in many sizes: soft cubes, each turned a little, fall together onto a plate; the higher the
// faster, so that all touch within two steps. A step ends after four iterations, so that work is in
// proportion to the size.
#ifndef BENCH_HEAP_H
#define BENCH_HEAP_H

// As text, to be freed; side^3 (segments + 1)^3 + 8 vertices.
char* bench_heap(int side, int segments);

#endif
