#include <sqlite3.h>

// sqlite3_db_config takes variable arguments, which Swift cannot call. This is its form for the
// options that are an on/off switch (c3ref/c_dbconfig_defensive.html); the answer is the setting
// that holds afterwards.
static inline int wristwire_sqlite3_db_switch(sqlite3 *database, int option, int on, int *now) {
  return sqlite3_db_config(database, option, on, now);
}
