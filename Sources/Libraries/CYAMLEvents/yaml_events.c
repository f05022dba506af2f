#include "yaml_events.h"

static wf_yaml_reader registered;

void wf_yaml_register(wf_yaml_reader reader) { registered = reader; }

wf_yaml_reader wf_yaml_registered(void) { return registered; }
