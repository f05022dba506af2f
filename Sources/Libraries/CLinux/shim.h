// Linux calls missing from Swift's Glibc module, which is built without _GNU_SOURCE.
#include <sched.h>
#include <semaphore.h>
#include <sys/types.h>
#include <time.h>

// From linux/fs.h.
enum { WF_RENAME_NOREPLACE = 1, WF_RENAME_EXCHANGE = 2 };

// From linux/mman.h.
enum { WF_LARGE_PAGES = 14 };

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned int flags);
int sched_getaffinity(pid_t process, size_t size, cpu_set_t *mask);
int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until);
