// The text files inside the program.
#pragma once

/// Returns the text of the file with a name, which ends with a line break, or a null pointer for an unknown name.
const char *_Nullable wf_text(const char *_Nonnull name);
