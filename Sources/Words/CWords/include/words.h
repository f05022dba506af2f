// The text files embedded in the program.
#pragma once

/// Returns the text of the file with the given name, which ends with a line break; a null pointer for an unknown name.
const char *_Nullable wf_text(const char *_Nonnull name);
