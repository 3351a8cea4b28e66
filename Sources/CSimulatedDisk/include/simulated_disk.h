// A disk in memory under SQLite, as a file system (VFS) of its own, that does what real disks do to
// a database when the power goes or a write fails: what was not synced is there, or not, or in part,
// sector by sector, in any order (https://www.sqlite.org/testing.html, 3.3 Crash Testing).
//
// One thread at a time uses a disk. Names of files are kept whole; directories do not exist.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct simulated_disk simulated_disk;

// What goes wrong. One fault is planned at a time; it happens to the nth write, sync or truncation
// from now on, and whatever comes after it in the same process fails too, but for a disk that is
// full, which takes nothing until it is told that it has room again.
enum {
  simulated_disk_no_fault = 0,
  // A write fails, and nothing of it is there: SQLITE_IOERR_WRITE.
  simulated_disk_write_fails = 1,
  // A sync fails; what it should have made durable is in memory and may never reach the disk, whatever
  // later syncs say: SQLITE_IOERR_FSYNC (https://wiki.postgresql.org/wiki/Fsync_Errors).
  simulated_disk_sync_fails = 2,
  // There is no room to write: SQLITE_FULL.
  simulated_disk_is_full = 3,
  // The process dies in the middle of a write, of which the first half is there.
  simulated_disk_dies = 4,
};

// A new disk without files, known to SQLite by `name` until it is freed; NULL: out of memory, or
// SQLite refuses. `seed` decides what chance decides.
simulated_disk *simulated_disk_new(const char *name, uint64_t seed);
// Forgets a disk; no connection may use it any more.
void simulated_disk_free(simulated_disk *disk);

// Plans a fault for the `nth` operation from now on, from 1.
void simulated_disk_plan(simulated_disk *disk, int fault, uint32_t nth);
// Whether the planned fault has happened.
int simulated_disk_has_failed(const simulated_disk *disk);

// The process is gone: what it wrote is in the page cache and stays. Its connections get errors.
void simulated_disk_process_died(simulated_disk *disk);
// The power is gone: what was not synced is there, or not, or in part.
void simulated_disk_lost_power(simulated_disk *disk);

// A copy of all files as a process would see them, which no process has open; NULL: out of memory.
typedef struct simulated_disk_image simulated_disk_image;
simulated_disk_image *simulated_disk_copy(const simulated_disk *disk);
// Puts a copy's files in place of the disk's; the process must be gone. Zero: out of memory.
int simulated_disk_put_back(simulated_disk *disk, const simulated_disk_image *image);
void simulated_disk_image_free(simulated_disk_image *image);

// Operations so far that may fail: writes, syncs and truncations.
uint64_t simulated_disk_operations(const simulated_disk *disk);
