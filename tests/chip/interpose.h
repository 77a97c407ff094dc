/* What every stand-in in LD_PRELOAD needs: to be called before the C library, and to call it.
 *
 * A stand-in is one source file that includes this and defines the four functions below. They may call next_open,
 * next_close and next_ioctl: those of the C library, or of the stand-in that comes after this one in LD_PRELOAD.
 */
#ifndef INTERPOSE_H
#define INTERPOSE_H

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <sys/types.h>

static int (*next_open)(const char *, int, ...);
static int (*next_close)(int);
static int (*next_ioctl)(int, unsigned long, ...);

static void on_start(void); /* once, before anything else; must call next_open() and its like, not open() */
static int on_open(const char *path, int flags, mode_t mode);
static int on_close(int fd);
static int on_ioctl(int fd, unsigned long request, void *argument);

static void interpose(void)
{
	next_open = dlsym(RTLD_NEXT, "open");
	next_close = dlsym(RTLD_NEXT, "close");
	next_ioctl = dlsym(RTLD_NEXT, "ioctl");
	on_start();
}

/* Every other entry point of a stand-in must call this first. */
static void be_ready(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, interpose);
}

int open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list rest;
	be_ready();
	va_start(rest, flags);
	if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE)
		mode = va_arg(rest, mode_t);
	va_end(rest);
	return on_open(path, flags, mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));

int close(int fd)
{
	be_ready();
	return on_close(fd);
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list rest;
	be_ready();
	va_start(rest, request);
	void *argument = va_arg(rest, void *);
	va_end(rest);
	return on_ioctl(fd, request, argument);
}

#endif
