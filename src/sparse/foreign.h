// Guards for the global state of foreign libraries: OpenBLAS has one thread count per process,
// OpenMP one nesting depth per thread, and METIS uses the random numbers of the C library. Several
// worlds may run on several threads.
#ifndef PLI_SPARSE_FOREIGN_H
#define PLI_SPARSE_FOREIGN_H

// Between enter and leave BLAS runs on the calling thread alone and OpenMP starts no threads, so
// that results have the same bits on every machine of one kind and no library spins. Enter gives
// what leave needs to restore.
int pli_single_threaded_enter(void);
void pli_single_threaded_leave(int token);

// METIS seeds the generator of the C library itself. The lock keeps our other threads out of METIS
// and restores the caller's sequence of rand() and random() afterwards.
void pli_metis_lock(void);
void pli_metis_unlock(void);

#endif
