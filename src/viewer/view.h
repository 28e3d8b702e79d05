// The viewer as the command sees it: the only header of the viewer that others include.
#ifndef PLI_VIEWER_VIEW_H
#define PLI_VIEWER_VIEW_H

#include "pliant/pliant.h"

enum { PLI_VIEW_WHY_SIZE = 256 }; // of a message that says what is wrong

typedef struct pli_view_def {
    const char* path;    // a scene or a result folder; NULL: the gallery
    pli_scene_def scene; // how scenes are opened, without the path; its text, if any, is the scene
    const char* host;    // address to bind to
    int port;            // 0: a free one
    void (*serving)(void);                             // called before it begins to serve
    void (*ready)(void* context, const char* address); // listens at "http://127.0.0.1:8080/"
    pli_cancel_fn* interrupted;                        // called with NULL; also ends a step
    void* context;
} pli_view_def;

typedef enum pli_view_result {
    PLI_VIEW_DONE,      // it was interrupted
    PLI_VIEW_BAD_SCENE, // the scene has errors
    PLI_VIEW_REFUSED,   // no such result or gallery, or it cannot listen there
    PLI_VIEW_FAILED,    // no memory, thread or randomness
} pli_view_result;

// Shows it in browsers until it is interrupted. Unless it is done, `why` says what is wrong.
pli_view_result pli_view_run(const pli_view_def* def, char why[PLI_VIEW_WHY_SIZE]);

#endif
