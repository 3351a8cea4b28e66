#include "simulated_disk.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum {
  files_max = 8,
  name_bytes_max = 256,
  // What a disk writes whole or not at all.
  sector_bytes = 512,
};

// A file's bytes; beyond `count` there are none.
typedef struct content {
  uint8_t *bytes;
  size_t count;
  size_t room;
} content;

// Something that was written and not synced: bytes at an offset, or a new length.
typedef struct pending {
  struct pending *next;
  size_t offset;
  size_t count;
  int is_truncation;
  uint8_t bytes[];
} pending;

typedef struct file {
  char name[name_bytes_max];
  int exists;
  // Whether the file would be there after the power went.
  int is_durable;
  // As processes see it.
  content current;
  // As it is on the disk for certain.
  content durable;
  pending *first;
  pending *last;
} file;

struct simulated_disk {
  sqlite3_vfs vfs;
  char *name;
  uint64_t chance;
  // Grows when a process dies: handles of before are dead.
  uint64_t process;
  uint64_t operations;
  int fault;
  uint32_t countdown;
  int has_failed;
  file files[files_max];
};

struct simulated_disk_image {
  file files[files_max];
};

// What SQLite holds for an open file.
typedef struct handle {
  sqlite3_file base;
  simulated_disk *disk;
  file *file;
  uint64_t process;
} handle;

// SplitMix64: Steele, Lea, Flood, OOPSLA 2014, https://doi.org/10.1145/2660193.2660195
static uint64_t draw(simulated_disk *disk) {
  disk->chance += 0x9E3779B97F4A7C15;
  uint64_t mixed = disk->chance;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
  return mixed ^ (mixed >> 31);
}

// Contents.

static int reserve(content *content, size_t count) {
  if (count <= content->room) return 1;
  size_t room = content->room ? content->room : 4096;
  while (room < count) room *= 2;
  uint8_t *bytes = realloc(content->bytes, room);
  if (!bytes) return 0;
  content->bytes = bytes;
  content->room = room;
  return 1;
}

static int resize(content *content, size_t count) {
  if (!reserve(content, count)) return 0;
  if (count > content->count) memset(content->bytes + content->count, 0, count - content->count);
  content->count = count;
  return 1;
}

static int put(content *content, const uint8_t *bytes, size_t count, size_t offset) {
  if (offset + count > content->count && !resize(content, offset + count)) return 0;
  if (count) memcpy(content->bytes + offset, bytes, count);
  return 1;
}

static int assign(content *to, const content *from) {
  if (!reserve(to, from->count)) return 0;
  if (from->count) memcpy(to->bytes, from->bytes, from->count);
  to->count = from->count;
  return 1;
}

static void forget_pending(file *file) {
  while (file->first) {
    pending *next = file->first->next;
    free(file->first);
    file->first = next;
  }
  file->last = NULL;
}

static int remember(file *file, const uint8_t *bytes, size_t count, size_t offset, int truncates) {
  pending *entry = malloc(sizeof(pending) + (truncates ? 0 : count));
  if (!entry) return 0;
  *entry = (pending){.offset = offset, .count = count, .is_truncation = truncates};
  if (!truncates) memcpy(entry->bytes, bytes, count);
  if (file->last) file->last->next = entry;
  else file->first = entry;
  file->last = entry;
  return 1;
}

static void empty(file *file) {
  forget_pending(file);
  free(file->current.bytes);
  free(file->durable.bytes);
  memset(file, 0, sizeof *file);
}

// Faults.

// What becomes of the next operation: 0 for nothing unusual.
static int fate(simulated_disk *disk) {
  disk->operations += 1;
  if (disk->fault == simulated_disk_no_fault) return 0;
  if (disk->countdown > 1) {
    disk->countdown -= 1;
    return 0;
  }
  disk->has_failed = 1;
  return disk->fault;
}

// After the first failure nothing works any more, as far as this process is concerned.
static void is_over(simulated_disk *disk) { disk->process += 1; }

static int is_dead(const handle *handle) { return handle->process != handle->disk->process; }

// The file's methods (https://www.sqlite.org/c3ref/io_methods.html).

static int file_close(sqlite3_file *base) {
  ((handle *)base)->file = NULL;
  return SQLITE_OK;
}

static int file_read(sqlite3_file *base, void *into, int count, sqlite3_int64 offset) {
  handle *handle = (struct handle *)base;
  if (is_dead(handle)) return SQLITE_IOERR_READ;
  const content *content = &handle->file->current;
  size_t start = (size_t)offset;
  size_t there = start < content->count ? content->count - start : 0;
  if (there >= (size_t)count) {
    memcpy(into, content->bytes + start, (size_t)count);
    return SQLITE_OK;
  }
  if (there) memcpy(into, content->bytes + start, there);
  memset((uint8_t *)into + there, 0, (size_t)count - there);
  return SQLITE_IOERR_SHORT_READ;
}

static int write_part(handle *handle, const void *bytes, size_t count, size_t offset) {
  file *file = handle->file;
  if (!put(&file->current, bytes, count, offset) || !remember(file, bytes, count, offset, 0)) {
    return SQLITE_IOERR_NOMEM;
  }
  return SQLITE_OK;
}

static int file_write(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
  handle *handle = (struct handle *)base;
  if (is_dead(handle)) return SQLITE_IOERR_WRITE;
  switch (fate(handle->disk)) {
  case simulated_disk_is_full: return SQLITE_FULL;
  case simulated_disk_dies:
    write_part(handle, bytes, (size_t)count / 2, (size_t)offset);
    is_over(handle->disk);
    return SQLITE_IOERR_WRITE;
  case simulated_disk_write_fails:
    is_over(handle->disk);
    return SQLITE_IOERR_WRITE;
  default: return write_part(handle, bytes, (size_t)count, (size_t)offset);
  }
}

static int file_truncate(sqlite3_file *base, sqlite3_int64 size) {
  handle *handle = (struct handle *)base;
  if (is_dead(handle)) return SQLITE_IOERR_TRUNCATE;
  int unusual = fate(handle->disk);
  if (unusual == simulated_disk_dies || unusual == simulated_disk_write_fails) {
    is_over(handle->disk);
    return SQLITE_IOERR_TRUNCATE;
  }
  file *file = handle->file;
  if ((size_t)size > file->current.count) return SQLITE_OK;
  if (!resize(&file->current, (size_t)size)) return SQLITE_IOERR_NOMEM;
  return remember(file, NULL, (size_t)size, 0, 1) ? SQLITE_OK : SQLITE_IOERR_NOMEM;
}

static int file_sync(sqlite3_file *base, int flags) {
  (void)flags;
  handle *handle = (struct handle *)base;
  if (is_dead(handle)) return SQLITE_IOERR_FSYNC;
  file *file = handle->file;
  switch (fate(handle->disk)) {
  case simulated_disk_sync_fails:
    // The kernel counts the pages as clean: no later sync writes them, only another write.
    forget_pending(file);
    is_over(handle->disk);
    return SQLITE_IOERR_FSYNC;
  case simulated_disk_dies:
    is_over(handle->disk);
    return SQLITE_IOERR_FSYNC;
  default: break;
  }
  // Only what was written since: pages of a failed sync stay as they are on the disk.
  for (pending *entry = file->first; entry; entry = entry->next) {
    int done = entry->is_truncation ? resize(&file->durable, entry->count)
                                    : put(&file->durable, entry->bytes, entry->count, entry->offset);
    if (!done) return SQLITE_IOERR_NOMEM;
  }
  forget_pending(file);
  file->is_durable = 1;
  return SQLITE_OK;
}

static int file_size(sqlite3_file *base, sqlite3_int64 *size) {
  handle *handle = (struct handle *)base;
  if (is_dead(handle)) return SQLITE_IOERR_FSTAT;
  *size = (sqlite3_int64)handle->file->current.count;
  return SQLITE_OK;
}

static int file_lock(sqlite3_file *base, int level) {
  (void)level;
  return is_dead((handle *)base) ? SQLITE_IOERR_LOCK : SQLITE_OK;
}

static int file_unlock(sqlite3_file *base, int level) {
  (void)base;
  (void)level;
  return SQLITE_OK;
}

static int file_check_lock(sqlite3_file *base, int *is_reserved) {
  (void)base;
  *is_reserved = 0;
  return SQLITE_OK;
}

static int file_control(sqlite3_file *base, int operation, void *argument) {
  (void)base;
  if (operation != SQLITE_FCNTL_HAS_MOVED) return SQLITE_NOTFOUND;
  *(int *)argument = 0;
  return SQLITE_OK;
}

static int file_sector_size(sqlite3_file *base) {
  (void)base;
  return 4096;
}

static int file_characteristics(sqlite3_file *base) {
  (void)base;
  return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

// Version 1 has no shared memory: there is one connection, in exclusive mode.
static const sqlite3_io_methods methods = {
    .iVersion = 1,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_check_lock,
    .xFileControl = file_control,
    .xSectorSize = file_sector_size,
    .xDeviceCharacteristics = file_characteristics,
};

// The disk's methods (https://www.sqlite.org/c3ref/vfs.html).

static file *find(simulated_disk *disk, const char *name) {
  for (int index = 0; index < files_max; index++) {
    file *file = &disk->files[index];
    if (file->exists && strcmp(file->name, name) == 0) return file;
  }
  return NULL;
}

static file *make(simulated_disk *disk, const char *name) {
  if (strlen(name) >= name_bytes_max) return NULL;
  for (int index = 0; index < files_max; index++) {
    file *file = &disk->files[index];
    if (file->exists) continue;
    empty(file);
    strcpy(file->name, name);
    file->exists = 1;
    return file;
  }
  return NULL;
}

static int disk_open(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags, int *given) {
  simulated_disk *disk = vfs->pAppData;
  handle *handle = (struct handle *)base;
  memset(handle, 0, sizeof *handle);
  // Temporary files are not used: statements need none.
  if (!name) return SQLITE_CANTOPEN;
  file *file = find(disk, name);
  if (!file) file = make(disk, name);
  if (!file) return SQLITE_CANTOPEN;
  *handle = (struct handle){
      .base.pMethods = &methods, .disk = disk, .file = file, .process = disk->process};
  if (given) *given = flags;
  return SQLITE_OK;
}

static int disk_delete(sqlite3_vfs *vfs, const char *name, int syncs) {
  (void)syncs;
  file *file = find(vfs->pAppData, name);
  if (!file) return SQLITE_IOERR_DELETE_NOENT;
  empty(file);
  return SQLITE_OK;
}

static int disk_access(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
  (void)flags;
  file *file = find(vfs->pAppData, name);
  *result = file && file->current.count > 0;
  return SQLITE_OK;
}

static int disk_full_name(sqlite3_vfs *vfs, const char *name, int count, char *into) {
  (void)vfs;
  if ((int)strlen(name) >= count) return SQLITE_CANTOPEN;
  strcpy(into, name);
  return SQLITE_OK;
}

static int disk_randomness(sqlite3_vfs *vfs, int count, char *into) {
  for (int index = 0; index < count; index++) into[index] = (char)draw(vfs->pAppData);
  return count;
}

static int disk_sleep(sqlite3_vfs *vfs, int microseconds) {
  (void)vfs;
  return microseconds;
}

static int disk_time(sqlite3_vfs *vfs, double *days) {
  (void)vfs;
  // Julian day of 15 June 2026; nothing that is checked depends on it.
  *days = 2461206.5;
  return SQLITE_OK;
}

static int disk_last_error(sqlite3_vfs *vfs, int count, char *into) {
  (void)vfs;
  if (count > 0) into[0] = 0;
  return 0;
}

simulated_disk *simulated_disk_new(const char *name, uint64_t seed) {
  simulated_disk *disk = calloc(1, sizeof *disk);
  if (!disk) return NULL;
  disk->name = strdup(name);
  disk->chance = seed;
  disk->vfs = (sqlite3_vfs){
      .iVersion = 1,
      .szOsFile = sizeof(handle),
      .mxPathname = name_bytes_max,
      .zName = disk->name,
      .pAppData = disk,
      .xOpen = disk_open,
      .xDelete = disk_delete,
      .xAccess = disk_access,
      .xFullPathname = disk_full_name,
      .xRandomness = disk_randomness,
      .xSleep = disk_sleep,
      .xCurrentTime = disk_time,
      .xGetLastError = disk_last_error,
  };
  if (disk->name && sqlite3_vfs_register(&disk->vfs, 0) == SQLITE_OK) return disk;
  free(disk->name);
  free(disk);
  return NULL;
}

void simulated_disk_free(simulated_disk *disk) {
  sqlite3_vfs_unregister(&disk->vfs);
  for (int index = 0; index < files_max; index++) empty(&disk->files[index]);
  free(disk->name);
  free(disk);
}

void simulated_disk_plan(simulated_disk *disk, int fault, uint32_t nth) {
  disk->fault = fault;
  disk->countdown = nth;
  disk->has_failed = 0;
}

int simulated_disk_has_failed(const simulated_disk *disk) { return disk->has_failed; }

uint64_t simulated_disk_operations(const simulated_disk *disk) { return disk->operations; }

void simulated_disk_process_died(simulated_disk *disk) {
  is_over(disk);
  disk->fault = simulated_disk_no_fault;
}

// Writes some of an entry's sectors onto what is durable.
static void tear(simulated_disk *disk, file *file, const pending *entry) {
  if (entry->is_truncation) {
    if (draw(disk) & 1) resize(&file->durable, entry->count);
    return;
  }
  size_t done = 0;
  while (done < entry->count) {
    size_t offset = entry->offset + done;
    size_t count = sector_bytes - offset % sector_bytes;
    if (count > entry->count - done) count = entry->count - done;
    if (draw(disk) & 1) put(&file->durable, entry->bytes + done, count, offset);
    done += count;
  }
}

void simulated_disk_lost_power(simulated_disk *disk) {
  simulated_disk_process_died(disk);
  for (int index = 0; index < files_max; index++) {
    file *file = &disk->files[index];
    if (!file->exists) continue;
    // Now and then everything was just written, or nothing.
    uint64_t luck = draw(disk) % 8;
    for (pending *entry = file->first; entry; entry = entry->next) {
      if (luck == 0) continue;
      if (luck > 1) tear(disk, file, entry);
      else if (entry->is_truncation) resize(&file->durable, entry->count);
      else put(&file->durable, entry->bytes, entry->count, entry->offset);
    }
    forget_pending(file);
    if (!file->is_durable && draw(disk) & 1) {
      empty(file);
      continue;
    }
    file->is_durable = 1;
    assign(&file->current, &file->durable);
  }
}

simulated_disk_image *simulated_disk_copy(const simulated_disk *disk) {
  simulated_disk_image *image = calloc(1, sizeof *image);
  if (!image) return NULL;
  for (int index = 0; index < files_max; index++) {
    const file *from = &disk->files[index];
    file *to = &image->files[index];
    if (!from->exists) continue;
    strcpy(to->name, from->name);
    to->exists = 1;
    if (assign(&to->current, &from->current)) continue;
    simulated_disk_image_free(image);
    return NULL;
  }
  return image;
}

int simulated_disk_put_back(simulated_disk *disk, const simulated_disk_image *image) {
  simulated_disk_process_died(disk);
  for (int index = 0; index < files_max; index++) {
    file *to = &disk->files[index];
    const file *from = &image->files[index];
    empty(to);
    if (!from->exists) continue;
    strcpy(to->name, from->name);
    to->exists = 1;
    to->is_durable = 1;
    if (!assign(&to->current, &from->current) || !assign(&to->durable, &from->current)) return 0;
  }
  return 1;
}

void simulated_disk_image_free(simulated_disk_image *image) {
  for (int index = 0; index < files_max; index++) empty(&image->files[index]);
  free(image);
}
