// Calls of Linux that Swift's Glibc module leaves out, since it is built without _GNU_SOURCE.
#include <sched.h>
#include <semaphore.h>
#include <sys/types.h>
#include <time.h>

// linux/fs.h
enum { WF_RENAME_NOREPLACE = 1, WF_RENAME_EXCHANGE = 2 };

// linux/mman.h
enum { WF_LARGE_PAGES = 14 };

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned int flags);
int sched_getaffinity(pid_t process, size_t size, cpu_set_t *mask);
int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until);
