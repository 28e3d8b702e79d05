// Global state of the libraries that the direct solver stands on, kept in order for the whole
// process: OpenBLAS has one thread count for everybody, OpenMP one nesting depth per thread, METIS
// draws from the random numbers of the C library. Several worlds may run on several threads.
#ifndef PLI_SPARSE_FOREIGN_H
#define PLI_SPARSE_FOREIGN_H

// Between enter and leave BLAS runs on the calling thread alone and OpenMP starts no threads, so
// that results have the same bits on every machine of one kind and no library spins. Enter gives
// what leave needs to restore.
int pli_single_threaded_enter(void);
void pli_single_threaded_leave(int token);

// METIS sets the seed itself; the lock keeps other users of ours out while it draws, and what
// rand() and random() give the caller goes on behind it as if nobody had drawn.
void pli_metis_lock(void);
void pli_metis_unlock(void);

#endif
