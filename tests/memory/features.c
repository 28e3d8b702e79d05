// The rows, and how each runs.
#define _GNU_SOURCE // mkdtemp, nftw
#include "memory/features.h"

#include "mesh/samples.h"

#include <ftw.h>

enum { PATH_SIZE = 256 };
static char folder[64]; // set by features_begin

static const char* path_of(const char* name, char path[PATH_SIZE]) {
    snprintf(path, PATH_SIZE, "%s/%s", folder, name);
    return path;
}

static const char* sample_path(int i, char path[PATH_SIZE]) {
    char name[64];
    snprintf(name, sizeof name, "sample_%d%s", i, recipes[i].extension);
    return path_of(name, path);
}

// The first failure counts; later calls are not made.
#define THEN(status, call)                                                                         \
    do {                                                                                           \
        if ((status) == PLI_OK) (status) = (call);                                                 \
    } while (0)

// ---- scenes

static pli_scene_def scene_def(const feature* self, const pli_allocator* allocator,
                               char path[PATH_SIZE]) {
    pli_scene_def def = pli_default_scene_def();
    snprintf(path, PATH_SIZE, "%s/tests/memory/scenes/%s.json", PLIANT_SOURCE_DIR, self->scene);
    def.path = path;
    def.overrides = self->overrides;
    while (def.override_count < FEATURE_OVERRIDES && self->overrides[def.override_count])
        def.override_count++;
    def.thread_count = 1;
    def.allocator = allocator;
    return def;
}

pli_status feature_scene(const feature* self, const pli_allocator* allocator, pli_scene** scene,
                         pli_error* error) {
    char path[PATH_SIZE];
    pli_scene_def def = scene_def(self, allocator, path);
    pli_status status = pli_scene_create(&def, scene, error);
    if (status != PLI_OK || pli_scene_world(*scene)) return status;
    pli_scene_finding_text(*scene, 0, error->message, sizeof error->message);
    pli_scene_destroy(*scene);
    *scene = NULL;
    return PLI_E_SCENE;
}

static pli_status take_steps(pli_scene* scene, pli_error* error) {
    enum { MOST = 4 }; // where a duration is given
    pli_status status = PLI_OK;
    pli_world* world = pli_scene_world(scene);
    for (int n = 0; n < pli_scene_run(scene)->steps && n < MOST; ++n) {
        THEN(status, pli_world_step(world, NULL, error));
        THEN(status, pli_scene_update(scene, pli_world_time(world), NULL, error));
    }
    return status;
}

static pli_status run_scene(const feature* self, const pli_allocator* allocator, pli_error* error) {
    pli_scene* scene = NULL;
    pli_status status = feature_scene(self, allocator, &scene, error);
    THEN(status, take_steps(scene, error));
    THEN(status, pli_world_verify(pli_scene_world(scene), error));
    pli_scene_destroy(scene);
    return status;
}

// What is asked of a world beside steps.
static pli_status run_reading(const feature* self, const pli_allocator* allocator,
                              pli_error* error) {
    pli_scene* scene = NULL;
    pli_status status = feature_scene(self, allocator, &scene, error);
    THEN(status, take_steps(scene, error));
    pli_world* world = scene ? pli_scene_world(scene) : NULL;
    int count;
    pli_crossing_info crossings[4];
    THEN(status, pli_world_body_triangles(world, 0, NULL, &count, error));
    THEN(status, pli_world_crossings(world, 4, crossings, &count, error));
    pli_scene_destroy(scene);
    return status;
}

static pli_status run_hand(const feature* self, const pli_allocator* allocator, pli_error* error) {
    char path[PATH_SIZE];
    pli_scene_def def = scene_def(self, allocator, path);
    def.interactive = true;
    pli_scene* scene = NULL;
    const double place[3] = {0.5, 1.5, 0};
    pli_status status = pli_scene_create(&def, &scene, error);
    pli_world* world = scene ? pli_scene_world(scene) : NULL;
    pli_world_state state = {.time = 0};
    THEN(status, pli_world_grab(world, 1, place, 0, error));
    THEN(status, pli_world_step(world, NULL, error));
    THEN(status, pli_world_grab_body(world, 0, place, 0, error));
    THEN(status, pli_world_step(world, NULL, error));
    if (status == PLI_OK) pli_world_release(world);
    THEN(status, pli_world_set_state(world, &state, error));
    THEN(status, pli_world_step(world, NULL, error));
    pli_scene_destroy(scene);
    return status;
}

typedef struct state_bytes {
    size_t size;
    char bytes[1 << 20];
} state_bytes;

static bool keep_bytes(void* context, const void* bytes, size_t size) {
    state_bytes* state = context;
    assert_true(state->size + size <= sizeof state->bytes);
    memcpy(state->bytes + state->size, bytes, size);
    state->size += size;
    return true;
}

// Saved after some steps, restored in a world made anew, which goes on.
static pli_status run_restore(const feature* self, const pli_allocator* allocator,
                              pli_error* error) {
    static state_bytes state;
    pli_scene *scene = NULL, *other = NULL;
    state.size = 0;
    pli_status status = feature_scene(self, allocator, &scene, error);
    THEN(status, take_steps(scene, error));
    THEN(status, pli_world_save(pli_scene_world(scene), keep_bytes, &state, error));
    THEN(status, feature_scene(self, allocator, &other, error));
    THEN(status, pli_world_restore(pli_scene_world(other), state.bytes, state.size, error));
    THEN(status, pli_world_step(pli_scene_world(other), NULL, error));
    pli_scene_destroy(scene);
    pli_scene_destroy(other);
    return status;
}

// A start that intersects: found and reported, then pushed apart.
static pli_status run_crossed(const feature* self, const pli_allocator* allocator,
                              pli_error* error) {
    char path[PATH_SIZE];
    pli_scene_def def = scene_def(self, allocator, path);
    pli_scene* scene = NULL;
    pli_status status = pli_scene_create(&def, &scene, error);
    if (status == PLI_OK && pli_scene_crossing_count(scene) == 0) status = PLI_E_SCENE;
    THEN(status,
         pli_write_crossings(pli_scene_crossed_world(scene), pli_scene_crossings(scene),
                             pli_scene_crossing_count(scene), path_of("crossed.vtu", path), error));
    pli_scene_destroy(scene);
    return status;
}

static pli_status run_separate(const feature* self, const pli_allocator* allocator,
                               pli_error* error) {
    char path[PATH_SIZE];
    pli_scene_def def = scene_def(self, allocator, path);
    pli_separation* separation = NULL;
    pli_status status = pli_scene_separate(&def, &separation, error);
    if (status == PLI_OK && pli_separation_reason(separation)[0]) status = PLI_E_SCENE;
    pli_separation_destroy(separation);
    return status;
}

// ---- worlds that no scene makes

static pli_status run_modes(const feature* self, const pli_allocator* allocator, pli_error* error) {
    (void)self;
    pli_world_def def = pli_default_world_def();
    def.allocator = allocator;
    def.thread_count = 2; // the others have one
    def.gravity[1] = -9.81;
    pli_world* world = NULL;
    pli_mesh mesh;
    pli_mesh_init(&mesh, allocator);
    pli_status status = pli_world_create(&def, &world, error);
    THEN(status, pli_mesh_add_rectangle(&mesh, 1, 1, 2, 2, PLI_TRIANGLES, error));
    double modes[2 * 27] = {0};
    for (int v = 0; v < 9; ++v) modes[3 * v] = modes[27 + 3 * v + 1] = 1;
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.modes = modes;
    body.mode_count = 2;
    const char* tags[2] = {"a", "b"};
    body.tags = tags;
    body.tag_count = 2;
    pli_body_id id;
    pli_setting young = {"young", 1e5};
    THEN(status, pli_world_add_body(world, &body, &id, error));
    THEN(status, pli_world_add_energy(world, id, "neo-hookean", &young, 1, NULL, error));
    pli_contact_rule_def rule = pli_default_contact_rule_def();
    rule.between[0] = "a";
    THEN(status, pli_world_add_contact_rule(world, &rule, NULL, error));
    for (int n = 0; n < 2; ++n) THEN(status, pli_world_step(world, NULL, error));
    pli_mesh_free(&mesh);
    pli_world_destroy(world);
    return status;
}

// ---- meshes

static pli_status add_shapes(pli_mesh* mesh, pli_error* error) {
    pli_status status = PLI_OK;
    const double size[3] = {1, 1, 1};
    const int segments[3] = {1, 2, 1};
    THEN(status, pli_mesh_add_disk(mesh, 1, 2, error));
    THEN(status, pli_mesh_add_rectangle(mesh, 1, 1, 2, 2, PLI_SPRINGS, error));
    THEN(status, pli_mesh_add_line(mesh, (const double[]){0, 0, 0}, size, 3, error));
    THEN(status, pli_mesh_add_box(mesh, size, segments, error));
    THEN(status, pli_mesh_add_ball(mesh, 1, 1, error));
    THEN(status, pli_mesh_add_cylinder(mesh, 1, 1, 1, 1, error));
    THEN(status, pli_mesh_add_cone(mesh, 1, 1, 1, 2, error));
    THEN(status, pli_mesh_add_torus(mesh, 1, 0.2, 1, 6, error));
    return status;
}

static void ignore_defect(void* context, bool grave, const char* message) {
    (void)context, (void)grave, (void)message;
}

static pli_status run_shapes(const feature* self, const pli_allocator* allocator,
                             pli_error* error) {
    (void)self;
    pli_mesh mesh;
    pli_mesh_summary summary;
    char path[PATH_SIZE];
    pli_mesh_init(&mesh, allocator);
    pli_status status = add_shapes(&mesh, error);
    THEN(status, pli_mesh_summarize(&mesh, &summary, error));
    THEN(status, pli_mesh_find_defects(&mesh, 3, ignore_defect, NULL, error));
    THEN(status, pli_mesh_make_quadratic(&mesh, error));
    THEN(status, pli_mesh_write(&mesh, path_of("shapes.vtu", path), error));
    THEN(status, pli_mesh_write(&mesh, path_of("shapes.msh", path), error));
    pli_mesh_free(&mesh);
    return status;
}

// A file of every format.
static pli_status run_readers(const feature* self, const pli_allocator* allocator,
                              pli_error* error) {
    (void)self;
    pli_status status = PLI_OK;
    for (int i = 0; i < RECIPE_COUNT && status == PLI_OK; ++i) {
        pli_mesh mesh;
        char path[PATH_SIZE];
        pli_mesh_init(&mesh, allocator);
        status = pli_mesh_read(&mesh, sample_path(i, path), error);
        pli_mesh_free(&mesh);
    }
    return status;
}

// ---- results

static pli_status record(const feature* self, const pli_allocator* allocator, const char* into,
                         pli_error* error) {
    pli_scene* scene = NULL;
    pli_recorder* recorder = NULL;
    pli_recorder_def def = pli_default_recorder_def();
    char path[PATH_SIZE];
    def.folder = path_of(into, path);
    def.title = "a title";
    def.preview_frames = 2;
    def.allocator = allocator;
    pli_status status = feature_scene(self, allocator, &scene, error);
    THEN(status, pli_recorder_create(&def, pli_scene_world(scene), &recorder, error));
    for (int n = 0; n < 2; ++n) {
        pli_step_info info = {0};
        THEN(status, pli_recorder_frame(recorder, error));
        THEN(status, pli_world_step(pli_scene_world(scene), &info, error));
        THEN(status, pli_recorder_step(recorder, &info, error));
        THEN(status, pli_recorder_checkpoint(recorder, scene, error));
    }
    THEN(status, pli_recorder_frame(recorder, error));
    THEN(status, pli_recorder_finish(recorder, error));
    pli_recorder_destroy(recorder);
    pli_scene_destroy(scene);
    return status;
}

static pli_status run_record(const feature* self, const pli_allocator* allocator,
                             pli_error* error) {
    return record(self, allocator, "recorded", error);
}

// Every number of a scene that runs, a little larger.
static pli_status run_parameters(const feature* self, const pli_allocator* allocator,
                                 pli_error* error) {
    pli_scene* scene = NULL;
    pli_status status = feature_scene(self, allocator, &scene, error);
    for (int i = 0; status == PLI_OK && i < pli_scene_parameter_count(scene); ++i) {
        const pli_scene_parameter* p = pli_scene_parameter_at(scene, i);
        const double value[3] = {1.01 * p->value[0], 1.01 * p->value[1], 1.01 * p->value[2]};
        bool applied;
        if (p->row->type == PLI_PARAM_VECTOR || p->row->type == PLI_PARAM_NUMBER)
            status = pli_scene_set_parameter(scene, i, value, &applied, error);
    }
    pli_scene_destroy(scene);
    return status;
}

static void ignore_difference(void* context, const char* line) { (void)context, (void)line; }

// A run that was stopped, made without the allocator, goes on.
static pli_status run_resume(const feature* self, const pli_allocator* allocator,
                             pli_error* error) {
    char path[PATH_SIZE];
    pli_checkpoint* checkpoint = NULL;
    pli_scene* scene = NULL;
    pli_recorder* recorder = NULL;
    pli_step_info info = {0};
    int differences = 0;
    pli_status status = record(self, NULL, "resumed", error);
    pli_recorder_def def = pli_default_recorder_def();
    def.folder = path_of("resumed", path);
    def.allocator = allocator;
    THEN(status, pli_checkpoint_read(path, allocator, &checkpoint, error));
    THEN(status, feature_scene(self, allocator, &scene, error));
    THEN(status,
         pli_checkpoint_compare(checkpoint, scene, ignore_difference, NULL, &differences, error));
    THEN(status, pli_checkpoint_restore(checkpoint, pli_scene_world(scene), error));
    def.resume = checkpoint;
    THEN(status, pli_recorder_create(&def, pli_scene_world(scene), &recorder, error));
    THEN(status, pli_world_step(pli_scene_world(scene), &info, error));
    THEN(status, pli_recorder_step(recorder, &info, error));
    THEN(status, pli_recorder_finish(recorder, error));
    pli_recorder_destroy(recorder);
    pli_scene_destroy(scene);
    pli_checkpoint_destroy(checkpoint);
    return status;
}

// self->scene: the format
static pli_status run_export(const feature* self, const pli_allocator* allocator,
                             pli_error* error) {
    pli_export_def def = pli_default_export_def();
    char run[PATH_SIZE], out[PATH_SIZE], name[64];
    snprintf(name, sizeof name, "exported.%s", self->scene);
    def.folder = path_of("result", run);
    def.format = self->scene;
    def.out = path_of(name, out);
    def.width = 64;
    def.height = 48;
    def.allocator = allocator;
    return pli_export(&def, NULL, error);
}

static pli_status run_report(const feature* self, const pli_allocator* allocator,
                             pli_error* error) {
    (void)self;
    pli_report_def def = pli_default_report_def();
    char run[PATH_SIZE];
    def.folder = path_of("result", run);
    def.allocator = allocator;
    return pli_report(&def, NULL, error);
}

static pli_status run_replay(const feature* self, const pli_allocator* allocator,
                             pli_error* error) {
    (void)self;
    pli_replay* replay = NULL;
    char run[PATH_SIZE];
    pli_status status = pli_replay_open(path_of("result", run), allocator, &replay, error);
    for (int i = 0; status == PLI_OK && i < pli_replay_frame_count(replay); ++i)
        THEN(status, pli_replay_read(replay, i, error));
    pli_replay_close(replay);
    return status;
}

// ---- the table

// Steps after which nothing new happens: free bodies at once, contact when it has come to rest.
enum { FREE = 12, REST = 150 };

#define SCENE(title, file, warm, ...)                                                              \
    {                                                                                              \
        .name = (title), .run = run_scene, .scene = (file), .warm_up = (warm), .overrides = {      \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define SCHEME(word, ...) SCENE(word, "beam", FREE, "time.scheme=" word, __VA_ARGS__)
#define EXPLICIT(word) SCHEME(word, "time.step=1e-4")
#define LINEAR(word, ...) SCENE(word, "solid", FREE, "solver.linear=" word, __VA_ARGS__)
#define PCG(word)                                                                                  \
    SCENE("pcg, " word, "solid", FREE, "solver.linear=pcg", "solver.preconditioner=" word)
#define EXPORT(format)                                                                             \
    { .name = "export " format, .run = run_export, .scene = (format) }

static const feature features[] = {
    SCHEME("backward-euler", NULL),
    SCHEME("bdf2", NULL),
    SCHEME("bdf3", NULL),
    SCHEME("bdf4", NULL),
    SCHEME("bdf5", NULL),
    SCHEME("bdf6", NULL),
    SCHEME("newmark", NULL),
    SCHEME("implicit-midpoint", NULL),
    SCHEME("averaged-vector-field", NULL),
    SCHEME("quasi-static", NULL),
    SCHEME("static", NULL),
    EXPLICIT("forward-euler"),
    EXPLICIT("symplectic-euler"),
    EXPLICIT("leapfrog"),
    EXPLICIT("rk4"),
    EXPLICIT("exponential"),
    LINEAR("multifrontal", NULL),
#ifdef PLIANT_CHOLMOD
    LINEAR("cholesky", NULL),
#endif
    LINEAR("auto", NULL),
    PCG("incomplete-cholesky"),
    PCG("block-jacobi"),
    PCG("multilevel"),
    SCENE("multilevel, several levels", "solid", FREE, "solver.linear=pcg",
          "solver.preconditioner=multilevel", "bodies[0].mesh.segments=[20,4,4]"),
    SCENE("newton", "solid", FREE, "solver.method=newton", "solver.line_search=armijo"),
    SCENE("gradient-descent", "beam", FREE, "solver.method=gradient-descent"),
    SCENE("l-bfgs", "beam", FREE, "solver.method=l-bfgs"),
    SCENE("quadratic tetrahedra", "solid", FREE, "bodies[0].mesh.order=2"),
    SCENE("step by error", "beam", FREE, "time.step=auto", "time.duration=1"),
    SCENE("step by effort", "beam", FREE, "time.step=auto", "time.duration=1",
          "time.step_control=effort"),
    SCENE("substeps", "beam", FREE, "solver.on_failure=substep", "solver.max_iterations=1"),
    SCENE("materials, loads, damping", "mixed", FREE, NULL),
    SCENE("gas", "balloon", FREE, "gravity=[0,0,0]", "bodies[0].translate=[0,5,0]"),
    SCENE("gas, pcg", "balloon", FREE, "gravity=[0,0,0]", "bodies[0].translate=[0,5,0]",
          "solver.linear=pcg"),
    SCENE("gas, auto", "balloon", FREE, "gravity=[0,0,0]", "bodies[0].translate=[0,5,0]",
          "solver.linear=auto"),
    SCENE("gas in contact", "balloon", 0, NULL),
    SCENE("prescribed motion", "moved", REST, NULL),
    SCENE("contact in the plane", "pile", REST, NULL),
    SCENE("contact, ipc", "pile", REST, "contact.barrier=ipc", "contact.stiffness=auto"),
    SCENE("contact, newmark", "pile", REST, "time.scheme=newmark", "time.newmark_gamma=0.8",
          "time.newmark_beta=0.45"),
    SCENE("contact, quasi-static", "moved", REST, "time.scheme=quasi-static"),
    SCENE("contact, pcg", "pile", REST, "solver.linear=pcg"),
#ifdef PLIANT_CHOLMOD
    SCENE("contact, cholesky", "pile", REST, "solver.linear=cholesky"),
#endif
    SCENE("contact in space", "cubes", REST, NULL),
    SCENE("rigid bodies", "rigid", REST, NULL),
    SCENE("contact, multilevel", "cubes", REST, "solver.linear=pcg",
          "solver.preconditioner=multilevel"),
    SCENE("contact, auto", "cubes", REST, "solver.linear=auto"),
    SCENE("obstacles", "obstacles", 0, NULL),
    SCENE("obstacles in the plane", "flat_obstacles", 0, NULL),
    SCENE("intersecting at the start", "crossed", 0, "contact.allow_initial=[[\"*\",\"*\"]]"),
    {.name = "crossings", .run = run_crossed, .scene = "crossed"},
    {.name = "separation", .run = run_separate, .scene = "crossed"},
    {.name = "reading a world", .run = run_reading, .scene = "cubes"},
    {.name = "save and restore in the plane", .run = run_restore, .scene = "pile"},
    {.name = "save and restore in space", .run = run_restore, .scene = "cubes"},
    {.name = "save and restore, bdf4",
     .run = run_restore,
     .scene = "beam",
     .overrides = {"time.scheme=bdf4"}},
    {.name = "save and restore, auto",
     .run = run_restore,
     .scene = "cubes",
     .overrides = {"solver.linear=auto"}},
    SCENE("bodies that appear and vanish", "events", 0, NULL),
    {.name = "hand", .run = run_hand, .scene = "pile"},
    {.name = "modes, tags, threads", .run = run_modes},
    {.name = "changes", .run = run_changes},
    {.name = "shapes", .run = run_shapes},
    {.name = "mesh readers", .run = run_readers},
    {.name = "recorder", .run = run_record, .scene = "pile"},
    {.name = "recorder in space", .run = run_record, .scene = "cubes"},
    {.name = "resume", .run = run_resume, .scene = "pile"},
    {.name = "resume in space", .run = run_resume, .scene = "cubes"},
    {.name = "parameters", .run = run_parameters, .scene = "pile"},
    {.name = "replay", .run = run_replay},
    {.name = "report", .run = run_report},
    EXPORT("csv"),
    EXPORT("gltf"),
    EXPORT("html"),
    EXPORT("obj"),
    EXPORT("png"),
    EXPORT("usd"),
    EXPORT("vtk"),
    EXPORT("ply"),
    EXPORT("pc2"),
    EXPORT("mdd"),
};

const feature* feature_at(int i) {
    return (size_t)i < sizeof features / sizeof *features ? &features[i] : NULL;
}

// ---- the folder

void features_begin(void) {
    static sample s;
    char path[PATH_SIZE];
    pli_error error = {0};
    strcpy(folder, "/tmp/pliant_memory_XXXXXX");
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < RECIPE_COUNT; ++i) {
        make_sample(i, &s);
        FILE* file = fopen(sample_path(i, path), "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(s.bytes, 1, s.size, file), s.size);
        assert_int_equal(fclose(file), 0);
    }
    const feature run = {.scene = "pile"};
    ASSERT_OK(record(&run, NULL, "result", &error));
}

static int remove_entry(const char* path, const struct stat* info, int type, struct FTW* walk) {
    (void)info, (void)type, (void)walk;
    return remove(path);
}

void features_end(void) { assert_int_equal(nftw(folder, remove_entry, 8, FTW_DEPTH), 0); }
