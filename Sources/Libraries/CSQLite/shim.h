#include <sqlite3.h>

// Binds a text that SQLite copies: SQLITE_TRANSIENT is a cast that Swift does not import.
static inline int wf_bind_text(sqlite3_stmt *statement, int place, const char *text, int length) {
  return sqlite3_bind_text(statement, place, text, length, SQLITE_TRANSIENT);
}
