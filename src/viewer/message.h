// Messages of browsers to the viewer: text, untrusted (docs/VIEWER.md). No network and no world
// here: a message becomes a request or an error message.
#ifndef PLI_VIEWER_MESSAGE_H
#define PLI_VIEWER_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "viewer/view.h"

enum {
    PLI_VIEW_MESSAGE_MAX = 65536, // bytes
    PLI_VIEW_PATH_SIZE = 160,
    PLI_VIEW_WORD_SIZE = 128,
};

typedef enum pli_view_kind {
    PLI_VIEW_PLAY,
    PLI_VIEW_PAUSE,
    PLI_VIEW_STEP,
    PLI_VIEW_RESTART,
    PLI_VIEW_SEEK,
    PLI_VIEW_RATE,
    PLI_VIEW_SHOW,
    PLI_VIEW_GRAB,
    PLI_VIEW_DRAG,
    PLI_VIEW_RELEASE,
    PLI_VIEW_SET,
    PLI_VIEW_OPEN,
    PLI_VIEW_ACK,
} pli_view_kind;

// A value for a parameter.
typedef struct pli_view_value {
    enum { PLI_VIEW_NUMBER, PLI_VIEW_BOOL, PLI_VIEW_WORD } type;
    double number; // finite
    bool flag;
    char word[PLI_VIEW_WORD_SIZE]; // printable
} pli_view_value;

typedef struct pli_view_request {
    pli_view_kind kind;
    int frame;                      // seek, >= 0
    double rate;                    // [1/s], 0 .. 1e6
    int vertex;                     // grab, >= 0
    double target[3];               // grab, drag [m], finite
    bool body;                      // grab: the whole body of the vertex
    bool contacts;                  // show
    char field[PLI_VIEW_WORD_SIZE]; // show; "": none
    char path[PLI_VIEW_PATH_SIZE];  // set: only keys, dots and indices
    pli_view_value value;           // set
    char scene[PLI_VIEW_WORD_SIZE]; // open; "": the gallery
    uint32_t sequence;              // ack
} pli_view_request;

// False: *request is undefined and `why` is the error, in one line.
bool pli_view_message_read(const char* text, size_t length, pli_view_request* request,
                           char why[PLI_VIEW_WHY_SIZE]);

#endif
