// Programs that link this target read YAML with libyaml: it registers itself in CYAMLEvents before `main`.
