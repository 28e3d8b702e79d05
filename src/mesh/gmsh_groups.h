// Physical groups of Gmsh files: their names and, in version 4, their entities.
#ifndef PLI_MESH_GMSH_GROUPS_H
#define PLI_MESH_GMSH_GROUPS_H

#include "base/collections.h"
#include "mesh/reader.h"

typedef struct pli_gmsh_entities {
    pli_memory* memory;
    pli_ids numbers; // dimension and tag -> entity
    int count, end_capacity;
    int* ends; // end of the groups of each entity in `groups`
    int group_count, group_capacity;
    int64_t* groups; // physical tags
} pli_gmsh_entities;

void pli_gmsh_entities_init(pli_gmsh_entities* entities, pli_memory* memory);
void pli_gmsh_entities_free(pli_gmsh_entities* entities);

// Contents of $PhysicalNames, $Entities and $PartitionedEntities. `word` is the size of a size_t of
// the file [bytes]; `early`: version 4.0, where points have boxes.
pli_status pli_gmsh_read_names(pli_reader* reader);
pli_status pli_gmsh_read_entities(pli_gmsh_entities* entities, pli_reader* reader, int word,
                                  bool early);
pli_status pli_gmsh_read_partitions(pli_gmsh_entities* entities, pli_reader* reader, int word,
                                    bool early);

// Whether the entity is in a group; adds the vertices to all its groups.
bool pli_gmsh_has_groups(const pli_gmsh_entities* entities, int dim, int64_t entity);
pli_status pli_gmsh_mark(const pli_gmsh_entities* entities, pli_reader* reader, int dim,
                         int64_t entity, int count, const int32_t* vertices);

#endif
