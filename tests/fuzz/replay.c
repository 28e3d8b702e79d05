// NAME FILE_OR_FOLDER...: gives each file to the target, as libFuzzer would. A target that finds
// something aborts; so does a file named valid... that is refused.
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz/fuzz.h"

static int give_file(const char* path) {
    FILE* file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    size_t size = (size_t)ftell(file);
    rewind(file);
    uint8_t* data =
        malloc(size > 0 ? size : 1); // no byte more: sanitizers see what is read behind it
    HOLDS(data && fread(data, 1, size, file) == size && fclose(file) == 0);
    printf("%s\n", path);
    fflush(stdout);
    pli_fuzz_accepted = false;
    LLVMFuzzerTestOneInput(data, size);
    const char* name = strrchr(path, '/');
    HOLDS(pli_fuzz_accepted || strncmp(name ? name + 1 : path, "valid", 5) != 0);
    free(data);
    return 1;
}

// Files in the order of their names.
static int give(const char* path) {
    struct stat info;
    HOLDS(stat(path, &info) == 0);
    if (!S_ISDIR(info.st_mode)) return give_file(path);
    struct dirent** names = NULL;
    int entries = scandir(path, &names, NULL, alphasort), given = 0;
    HOLDS(entries >= 0);
    for (int i = 0; i < entries; ++i) {
        char full[2000];
        snprintf(full, sizeof full, "%s/%s", path, names[i]->d_name);
        if (names[i]->d_name[0] != '.') given += give_file(full);
        free(names[i]);
    }
    free(names);
    return given;
}

int main(int count, char** arguments) {
    int given = 0;
    for (int i = 1; i < count; ++i) given += give(arguments[i]);
    printf("%d inputs\n", given);
    return given > 0 ? 0 : 1;
}
