#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast that Swift does not import; it makes SQLite copy the text.
static inline int wf_bind_text(sqlite3_stmt *statement, int place, const char *text, int length) {
  return sqlite3_bind_text(statement, place, text, length, SQLITE_TRANSIENT);
}
