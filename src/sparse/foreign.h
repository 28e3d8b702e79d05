// Guards for the global state of foreign libraries: OpenBLAS has one thread count per process,
// OpenMP one nesting depth per thread, and METIS uses the random numbers of the C library. Several
// worlds may run on several threads.
#ifndef PLI_SPARSE_FOREIGN_H
#define PLI_SPARSE_FOREIGN_H

// Between enter and leave, BLAS runs only on the calling thread and OpenMP starts no threads. So
// results have the same bits on every machine of one kind and no library spins. Enter returns what
// leave needs to restore.
int pli_single_threaded_enter(void);
void pli_single_threaded_leave(int token);

// METIS seeds the generator of the C library itself. The lock keeps our other threads out of METIS
// and restores the caller's rand() and random() sequence afterwards.
void pli_metis_lock(void);
void pli_metis_unlock(void);

#endif
