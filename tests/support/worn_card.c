/* A worn card under a program: reads of chosen byte ranges of files fail with EIO. `worn_card.py` says what it
 * stands for. Build it as a library, and preload it; the program itself harms files and moves the clock, in
 * `worn_card`, which forked children share. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST 4096
#define PAGE 4096 /* bytes that the kernel reads at least */
enum { DEAD = 1, FREED = 2, CACHED = 4 }; /* CACHED: in the kernel's memory, so reads do not reach the card */

struct card {
    double now;
    int32_t heals, caches, reuses, count;
    struct block { uint64_t device, inode; int64_t from, to; double until; int64_t state; } blocks[MOST];
} *worn_card;

#define REAL(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

__attribute__((constructor)) static void start(void)
{
    worn_card = mmap(0, sizeof *worn_card, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static int in(const struct block *block, const struct stat *file, int state)
{
    return (block->state & (DEAD | FREED)) == state && block->device == file->st_dev
        && (state == FREED || block->inode == file->st_ino) && worn_card->now < block->until;
}

/* Return how many bytes can be read, as the kernel does: those before a dead block; -1 if there are none. */
static ssize_t readable(int fd, off_t at, size_t size)
{
    struct stat file;
    if (!worn_card->count || fstat(fd, &file) || at >= file.st_size) return size;
    for (int i = 0; i < worn_card->count; i++) {
        struct block *block = &worn_card->blocks[i];
        if (!in(block, &file, DEAD) || block->state & CACHED) continue;
        off_t from = block->from / PAGE * PAGE, to = (block->to + PAGE - 1) / PAGE * PAGE;
        if (at >= to || at + (off_t)size <= from) continue;
        if (at >= from) { errno = EIO; return -1; }
        size = from - at;
    }
    return size;
}

/* The same for a write, which must read what it leaves of a block; a file that grows may get a freed one. */
static ssize_t writable(int fd, off_t at, size_t size)
{
    struct stat file;
    if (!worn_card->count || fstat(fd, &file)) return size;
    for (int i = 0; i < worn_card->count; i++) {
        struct block *block = &worn_card->blocks[i];
        if (in(block, &file, DEAD) && file.st_size <= block->from) block->state = FREED; /* it was cut off */
        int64_t next = (file.st_size + PAGE - 1) / PAGE * PAGE;
        if (worn_card->reuses && in(block, &file, FREED) && size > 1 && next < at + (off_t)size && next >= at) {
            *block = (struct block){file.st_dev, file.st_ino, next, next + PAGE, block->until, DEAD | CACHED};
        }
        if (!in(block, &file, DEAD) || block->state & CACHED) continue;
        if (at >= block->to || at + (off_t)size <= block->from) continue;
        if (at <= block->from && at + (off_t)size >= block->to) {
            if (worn_card->heals) block->state = 0;
            else if (worn_card->caches) block->state |= CACHED;
        } else if (at < block->from) {
            size = block->from - at;
        } else {
            errno = EIO;
            return -1;
        }
    }
    return size;
}

static void freed(const char *path)
{
    struct stat file;
    if (!worn_card->count || lstat(path, &file) || file.st_nlink > 1) return;
    for (int i = 0; i < worn_card->count; i++) {
        if (in(&worn_card->blocks[i], &file, DEAD)) worn_card->blocks[i].state = FREED;
    }
}

#define GUARDED(type, name, guard, at, ...) \
    ssize_t name(int fd, type *data, size_t size __VA_OPT__(, off_t place)) \
    { \
        REAL(ssize_t, #name, int, type *, size_t __VA_OPT__(, off_t)); \
        ssize_t most = guard(fd, at, size); \
        return most < 0 ? -1 : real(fd, data, most __VA_OPT__(, place)); \
    }
GUARDED(void, read, readable, lseek(fd, 0, SEEK_CUR))
GUARDED(void, pread, readable, place, 1)
GUARDED(void, pread64, readable, place, 1)
GUARDED(const void, write, writable, lseek(fd, 0, SEEK_CUR))
GUARDED(const void, pwrite, writable, place, 1)
GUARDED(const void, pwrite64, writable, place, 1)

/* Python copies files by these: without them it reads and writes. */
ssize_t sendfile(int to, int from, off_t *at, size_t size)
{
    (void)to, (void)from, (void)at, (void)size;
    errno = EINVAL;
    return -1;
}

ssize_t sendfile64(int to, int from, off_t *at, size_t size) { return sendfile(to, from, at, size); }

ssize_t copy_file_range(int from, off_t *at, int to, off_t *there, size_t size, unsigned flags)
{
    (void)from, (void)at, (void)to, (void)there, (void)size, (void)flags;
    errno = ENOSYS;
    return -1;
}

int unlink(const char *path)
{
    REAL(int, "unlink", const char *);
    freed(path);
    return real(path);
}

int rename(const char *from, const char *to)
{
    REAL(int, "rename", const char *, const char *);
    freed(to);
    return real(from, to);
}
