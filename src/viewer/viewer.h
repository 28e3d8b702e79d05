// The viewer, pliant view: declarations shared by its files. Two threads: the player owns the world
// (or the replayed result) and never waits for a browser; the server owns the browsers and never
// touches the world. Between them is one mailbox with the newest state, and a queue of requests
// (mailbox.h). The protocol is in docs/VIEWER.md.
#ifndef PLI_VIEWER_VIEWER_H
#define PLI_VIEWER_VIEWER_H

#include "base/text.h"
#include "pliant/pliant.h"
#include "viewer/message.h"
#include <jansson.h>
#include <math.h>

enum {
    PLI_VIEW_CLIENTS = 32,
    PLI_VIEW_ENERGIES = 32,    // parts of the energy shown
    PLI_VIEW_FIELDS = 24,      // at most
    PLI_VIEW_CONTACTS = 50000, // lines shown at most
    PLI_VIEW_HIGHLIGHT = 256,  // vertices of a failed step shown at most
    PLI_VIEW_NAME_SIZE = 128,
};

// ---- binary messages, little endian

enum { PLI_VIEW_HEADER = 32, PLI_VIEW_MAGIC = 0x31494C50 };
enum {
    PLI_VIEW_TOPOLOGY = 1,
    PLI_VIEW_POSITIONS = 2,
    PLI_VIEW_FIELD = 3,
    PLI_VIEW_CONTACT = 4,
    PLI_VIEW_WHERE = 5,
};
enum { PLI_VIEW_PARTIAL = 1 }; // flag of positions: only vertices that moved
enum { PLI_VIEW_SOLIDS = 1 };  // of topology: masses of vertices and tetrahedra follow
enum {
    PLI_VIEW_CONTACT_NUMBERS = 9
}; // both closest points, the force, both bodies (NaN: not known)

typedef struct pli_view_header {
    uint16_t kind, flags;
    uint32_t sequence, step;
    double time; // [s]
    uint32_t count, extra;
} pli_view_header;

void pli_view_write_header(unsigned char* out, const pli_view_header* header);

// ---- what is shown

// Properties of a field, as pli_view_field_at lists them.
typedef struct pli_view_field {
    const char *key, *label, *unit;
    int components; // 1 or 3
} pli_view_field;

// Data that do not change from step to step. Created by the player, then owned by the server.
typedef struct pli_view_model {
    uint32_t generation; // changed: browsers restart
    int vertex_count, field_count;
    pli_view_field fields[PLI_VIEW_FIELDS];
    char* scene;             // the message; malloc, as the others
    char* parameters;        // the message
    unsigned char* topology; // the message
    size_t topology_size;
} pli_view_model;

void pli_view_model_destroy(pli_view_model* model); // NULL is allowed

// Data requested by browsers in addition to positions.
typedef struct pli_view_want {
    unsigned fields; // bit i: field i
    bool contacts;
} pli_view_want;

// A state to be drawn.
typedef struct pli_view_frame {
    uint32_t generation, sequence, step;
    double time; // [s]
    int vertex_count;
    float* positions;               // 3 per vertex [m]
    pli_view_want has;              // which of the following are filled
    float* fields[PLI_VIEW_FIELDS]; // per vertex `components` each; NULL: never requested
    int contact_count, contact_room;
    float* contacts; // PLI_VIEW_CONTACT_NUMBERS each
} pli_view_frame;

typedef struct pli_view_stats {
    pli_step_info info;
    int energy_count;
    double energies[PLI_VIEW_ENERGIES], total; // [J]
} pli_view_stats;

typedef struct pli_view_status {
    bool playing;
    int step;
    double time; // [s]
    int frame, frames;
    double rate; // [1/s]; 0: as fast as possible
    int grabbed; // vertex; -1: none
} pli_view_status;

// Where a step failed.
typedef struct pli_view_where {
    int vertex; // of the world; -1: not known
    double point[3];
    char body[PLI_VIEW_NAME_SIZE];
    char other[PLI_VIEW_NAME_SIZE]; // the other contact partner; "": none
    double pair[2][3];              // the closest points of the two, if there is one [m]
    int vertex_count;
    uint32_t vertices[PLI_VIEW_HIGHLIGHT];
} pli_view_where;

typedef struct pli_view_stop {
    bool over; // the run has reached its planned end; otherwise a step failed
    char reason[64], remedy[256], message[512];
    pli_view_where where;
} pli_view_stop;

static inline pli_view_stop pli_view_end(void) { // the planned end of the run
    return (pli_view_stop){.over = true, .message = "the run is complete", .where.vertex = -1};
}

// For a rejected step; `unit` is that of its residual. `where` is not filled.
pli_view_stop pli_view_failure(const pli_step_info* info, const char* unit);

double pli_view_seconds(void); // wall time (mailbox.c) [s]

typedef enum pli_view_mode { PLI_VIEW_GALLERY, PLI_VIEW_LIVE, PLI_VIEW_REPLAY } pli_view_mode;

// ---- text messages (scene.c): malloc, NULL without memory

char* pli_view_hello(pli_view_mode mode, bool gallery);
char* pli_view_stats_text(const pli_view_stats* stats);
char* pli_view_status_text(const pli_view_status* status, int clients);
char* pli_view_stop_text(const pli_view_stop* stop);
char* pli_view_error_text(const char* message);

// ---- sources (live.c, replay.c)

typedef enum pli_view_outcome {
    PLI_VIEW_WENT_ON,
    PLI_VIEW_STOPPED, // *stop has the reason
    PLI_VIEW_WAITING, // nothing more yet
} pli_view_outcome;

typedef enum pli_view_change {
    PLI_VIEW_UNCHANGED,
    PLI_VIEW_RELOADED,
    PLI_VIEW_INVALID, // it cannot run: `why`; what was there stays
} pli_view_change;

typedef struct pli_view_source_ops {
    pli_view_mode mode;
    pli_view_outcome (*advance)(void* self, pli_view_stop* stop); // one step or frame
    // The next record of a completed step; false: no more.
    bool (*stats)(void* self, pli_view_stats* stats);
    // Other requests: restart, seek, grab, drag, release, set. False: `why` is the error.
    bool (*handle)(void* self, const pli_view_request* request, char why[PLI_VIEW_WHY_SIZE]);
    // Fills all of a status except `playing` and `rate`.
    void (*status)(void* self, pli_view_status* status);
    // Step, time and the requested data, into allocated arrays; out->has tells what was filled.
    // Returns the positions, 3 per vertex [m], valid until the next call.
    const double* (*fill)(void* self, pli_view_want want, pli_view_frame* out);
    // Whether the planned run ends here. The player stops there once.
    bool (*is_over)(void* self);
    // A new model, for `generation`; NULL: out of memory.
    pli_view_model* (*model)(void* self, uint32_t generation);
    // Changes when bodies, vertices or elements have changed, and a new model is needed.
    uint64_t (*epoch)(void* self);
    // Looks now and then whether the source has changed where it comes from, and takes it over.
    // NULL: it cannot change.
    pli_view_change (*refresh)(void* self, char why[PLI_VIEW_WHY_SIZE]);
    void (*destroy)(void* self);
} pli_view_source_ops;

typedef struct pli_view_source {
    const pli_view_source_ops* ops; // NULL: no source, the gallery is shown
    void* self;
    double rate; // initial rate [1/s]
} pli_view_source;

// How scenes are opened; it must outlive the sources.
typedef struct pli_view_setup {
    pli_scene_def scene;        // except its path
    pli_cancel_fn* interrupted; // also ends a step; called with NULL
} pli_view_setup;

// Simulates the scene of this file, or of the text of the setup if it has one. False: `why` is the
// error.
bool pli_view_live_open(const pli_view_setup* setup, const char* path, pli_view_source* source,
                        char why[PLI_VIEW_WHY_SIZE]);

// Replays a result folder; `allocator` must outlive it. False: `why` is the error.
bool pli_view_replay_open(const pli_allocator* allocator, const char* folder,
                          pli_view_source* source, char why[PLI_VIEW_WHY_SIZE]);

// ---- shipped scenes (gallery.c)

typedef struct pli_view_gallery pli_view_gallery;
pli_view_gallery* pli_view_gallery_create(void); // NULL: out of memory
void pli_view_gallery_destroy(pli_view_gallery* gallery);
int pli_view_gallery_count(const pli_view_gallery* gallery);        // scenes
const char* pli_view_gallery_json(const pli_view_gallery* gallery); // all of them
// The file of the scene; NULL: no scene of this name.
const char* pli_view_gallery_find(const pli_view_gallery* gallery, const char* name);
// The picture of a scene, "" if there is none; `name` is compared with the list and never used as a
// path.
const char* pli_view_gallery_picture(const pli_view_gallery* gallery, const char* name);

// ---- the player (player.c)

struct pli_view_mailbox;

typedef struct pli_view_player {
    struct pli_view_mailbox* box;
    const pli_view_setup* setup;
    const pli_view_gallery* gallery; // NULL: scenes cannot be opened
    pli_view_source source;
} pli_view_player;

// The thread: runs until the mailbox is told to quit. Destroys the source.
void* pli_view_play(void* player);

// ---- the server (server.c)

typedef struct pli_view_server_def {
    struct pli_view_mailbox* box;
    const pli_view_gallery* gallery;                   // NULL: no gallery
    const char* host;                                  // address to bind to
    int port;                                          // 0: a free one
    const char* token;                                 // "": not required
    bool embed;                                        // pages of this machine may frame it
    void (*ready)(void* context, const char* address); // listens at "http://127.0.0.1:8080/"
    pli_cancel_fn* interrupted;                        // called with NULL: whether to end
    void* context;
} pli_view_server_def;

bool pli_view_is_loopback(const char* host); // numeric: "127.0.0.1", "::1"

// Serves until interrupted. False: it cannot listen, `why` is the error.
bool pli_view_serve(const pli_view_server_def* def, char why[PLI_VIEW_WHY_SIZE]);

// ---- values of text messages

static inline json_t* pli_json_number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

static inline json_t* pli_json_vector(const double v[3]) {
    return json_pack("[o, o, o]", pli_json_number(v[0]), pli_json_number(v[1]),
                     pli_json_number(v[2]));
}

static inline json_t* pli_json_text(const char* value) {
    char printable[4096];
    return json_string(pli_printable(value, printable, sizeof printable));
}

// The message as text, malloc; takes ownership of `root`. NULL: out of memory.
static inline char* pli_json_dump(json_t* root) {
    if (!root) return NULL;
    char* out = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(9));
    json_decref(root);
    return out;
}

#endif
