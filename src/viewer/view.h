// The viewer's interface to the command: the only viewer header that others include.
#ifndef PLI_VIEWER_VIEW_H
#define PLI_VIEWER_VIEW_H

#include "pliant/pliant.h"

enum { PLI_VIEW_WHY_SIZE = 256 }; // of an error message

typedef struct pli_view_def {
    const char* path;    // a scene or a result folder; NULL: the gallery
    pli_scene_def scene; // how scenes are opened, without the path; its text, if any, is the scene
    const char* host;    // address to bind to
    int port;            // 0: a free one
    bool embed;          // pages that this machine serves may frame it
    void (*serving)(void);                             // called before serving starts
    void (*ready)(void* context, const char* address); // listening at "http://127.0.0.1:8080/"
    pli_cancel_fn* interrupted;                        // called with NULL; also ends a step
    void* context;
} pli_view_def;

typedef enum pli_view_result {
    PLI_VIEW_DONE,      // interrupted
    PLI_VIEW_BAD_SCENE, // the scene has errors
    PLI_VIEW_REFUSED,   // no such result or gallery, or the address is not available
    PLI_VIEW_FAILED,    // out of memory, threads or random numbers
} pli_view_result;

// Shows it in browsers until interrupted. Unless it returns PLI_VIEW_DONE, `why` is the error.
pli_view_result pli_view_run(const pli_view_def* def, char why[PLI_VIEW_WHY_SIZE]);

#endif
