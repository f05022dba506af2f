// The place where a reader for YAML registers itself, so that targets can be built without libyaml.
#ifndef WIDGETFLEET_YAML_EVENTS_H
#define WIDGETFLEET_YAML_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  wf_yaml_other,
  wf_yaml_document_start,
  wf_yaml_document_end,
  wf_yaml_alias,
  wf_yaml_scalar,
  wf_yaml_list_start,
  wf_yaml_list_end,
  wf_yaml_mapping_start,
  wf_yaml_mapping_end,
  wf_yaml_stream_end,
};

// An event, with lines and columns counted from 0; `text` is UTF-8 and is valid until the visitor returns.
typedef struct {
  int32_t kind;
  bool is_plain, has_anchor, has_tag, has_tag_directives;
  const uint8_t *text;
  size_t length, line, column, end_line, end_column;
} wf_yaml_event;

// The reason why reading stopped; the texts are constants, and `context` is NULL if there is none.
typedef struct {
  const char *problem, *context;
  size_t line, column, context_line;
} wf_yaml_failure;

// Returns whether to continue.
typedef bool (*wf_yaml_visitor)(void *context, const wf_yaml_event *event);

// Passes each event to the visitor; returns false if the text is not YAML.
typedef bool (*wf_yaml_reader)(
    const uint8_t *bytes, size_t count, void *context, wf_yaml_visitor visitor, wf_yaml_failure *failure);

// Registers the reader; called before `main` by programs linked with CYAMLReader.
void wf_yaml_register(wf_yaml_reader reader);

// Returns the reader; NULL if the program is not linked with CYAMLReader.
wf_yaml_reader wf_yaml_registered(void);

#endif
