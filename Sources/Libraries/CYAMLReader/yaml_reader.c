#include "yaml_reader.h"

#include <yaml.h>

#include "yaml_events.h"

static wf_yaml_event converted(const yaml_event_t *raw) {
  wf_yaml_event event = {
      .kind = wf_yaml_other,
      .line = raw->start_mark.line,
      .column = raw->start_mark.column,
      .end_line = raw->end_mark.line,
      .end_column = raw->end_mark.column,
  };
  switch (raw->type) {
    case YAML_SCALAR_EVENT:
      event.kind = wf_yaml_scalar;
      event.text = raw->data.scalar.value;
      event.length = raw->data.scalar.length;
      event.is_plain = raw->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
      event.has_anchor = raw->data.scalar.anchor != NULL;
      event.has_tag = raw->data.scalar.tag != NULL;
      break;
    case YAML_SEQUENCE_START_EVENT:
      event.kind = wf_yaml_list_start;
      event.has_anchor = raw->data.sequence_start.anchor != NULL;
      event.has_tag = raw->data.sequence_start.tag != NULL;
      break;
    case YAML_MAPPING_START_EVENT:
      event.kind = wf_yaml_mapping_start;
      event.has_anchor = raw->data.mapping_start.anchor != NULL;
      event.has_tag = raw->data.mapping_start.tag != NULL;
      break;
    case YAML_DOCUMENT_START_EVENT:
      event.kind = wf_yaml_document_start;
      event.has_tag_directives = raw->data.document_start.tag_directives.start != NULL;
      break;
    case YAML_SEQUENCE_END_EVENT: event.kind = wf_yaml_list_end; break;
    case YAML_MAPPING_END_EVENT: event.kind = wf_yaml_mapping_end; break;
    case YAML_ALIAS_EVENT: event.kind = wf_yaml_alias; break;
    case YAML_DOCUMENT_END_EVENT: event.kind = wf_yaml_document_end; break;
    case YAML_STREAM_END_EVENT: event.kind = wf_yaml_stream_end; break;
    default: break;
  }
  return event;
}

static bool drain(yaml_parser_t *parser, void *context, wf_yaml_visitor visitor) {
  for (;;) {
    yaml_event_t raw;
    if (!yaml_parser_parse(parser, &raw)) return false;
    wf_yaml_event event = converted(&raw);
    bool may_continue = visitor(context, &event);
    yaml_event_delete(&raw);
    if (event.kind == wf_yaml_stream_end || !may_continue) return true;
  }
}

static bool visit(
    const uint8_t *bytes, size_t count, void *context, wf_yaml_visitor visitor, wf_yaml_failure *failure) {
  yaml_parser_t parser;
  if (!yaml_parser_initialize(&parser)) {
    failure->problem = "out of memory";
    return false;
  }
  yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&parser, bytes, count);
  bool is_read = drain(&parser, context, visitor);
  if (!is_read) {
    *failure = (wf_yaml_failure){
        .problem = parser.problem ? parser.problem : "cannot be read",
        .context = parser.context,
        .line = parser.problem_mark.line,
        .column = parser.problem_mark.column,
        .context_line = parser.context_mark.line,
    };
  }
  yaml_parser_delete(&parser);
  return is_read;
}

__attribute__((constructor)) static void enroll(void) { wf_yaml_register(visit); }
