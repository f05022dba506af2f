#include "words.h"

#include <string.h>

#pragma clang diagnostic ignored "-Wc23-extensions"

static const struct {
  const char *name;
  const char *text;
} texts[] = {
  {"causes.txt", (const char[]){
#embed "catalogue/causes.txt"
  , 0}},
  {"codes.txt", (const char[]){
#embed "catalogue/codes.txt"
  , 0}},
  {"columns.txt", (const char[]){
#embed "catalogue/columns.txt"
  , 0}},
  {"defects.txt", (const char[]){
#embed "catalogue/defects.txt"
  , 0}},
  {"energy.txt", (const char[]){
#embed "catalogue/energy.txt"
  , 0}},
  {"examples.txt", (const char[]){
#embed "catalogue/examples.txt"
  , 0}},
  {"failures.txt", (const char[]){
#embed "catalogue/failures.txt"
  , 0}},
  {"glossary.txt", (const char[]){
#embed "catalogue/glossary.txt"
  , 0}},
  {"scope.txt", (const char[]){
#embed "catalogue/scope.txt"
  , 0}},
  {"labels.txt", (const char[]){
#embed "catalogue/labels.txt"
  , 0}},
  {"metrics.txt", (const char[]){
#embed "catalogue/metrics.txt"
  , 0}},
  {"sections.txt", (const char[]){
#embed "catalogue/sections.txt"
  , 0}},
  {"statistics.txt", (const char[]){
#embed "catalogue/statistics.txt"
  , 0}},
  {"reasons.txt", (const char[]){
#embed "catalogue/reasons.txt"
  , 0}},
  {"units.txt", (const char[]){
#embed "catalogue/units.txt"
  , 0}},
  {"waits.txt", (const char[]){
#embed "catalogue/waits.txt"
  , 0}},
  {"locust.py", (const char[]){
#embed "exports/locust.py"
  , 0}},
  {"colours.css", (const char[]){
#embed "pages/colours.css"
  , 0}},
  {"figure.js", (const char[]){
#embed "pages/figure.js"
  , 0}},
  {"figures.css", (const char[]){
#embed "pages/figures.css"
  , 0}},
  {"fills.css", (const char[]){
#embed "pages/fills.css"
  , 0}},
  {"live.css", (const char[]){
#embed "pages/live.css"
  , 0}},
  {"live.js", (const char[]){
#embed "pages/live.js"
  , 0}},
  {"page.css", (const char[]){
#embed "pages/page.css"
  , 0}},
  {"page.js", (const char[]){
#embed "pages/page.js"
  , 0}},
  {"series.css", (const char[]){
#embed "pages/series.css"
  , 0}},
  {"study.css", (const char[]){
#embed "pages/study.css"
  , 0}},
  {"plan.yaml", (const char[]){
#embed "starters/plan.yaml"
  , 0}},
  {"minimal.yaml", (const char[]){
#embed "starters/minimal.yaml"
  , 0}},
  {"news.yaml", (const char[]){
#embed "starters/news.yaml"
  , 0}},
  {"sports.yaml", (const char[]){
#embed "starters/sports.yaml"
  , 0}},
  {"wallet.yaml", (const char[]){
#embed "starters/wallet.yaml"
  , 0}},
  {"weather.yaml", (const char[]){
#embed "starters/weather.yaml"
  , 0}},
};

const char *wf_text(const char *name) {
  for (size_t index = 0; index < sizeof texts / sizeof *texts; index++)
    if (strcmp(texts[index].name, name) == 0) return texts[index].text;
  return NULL;
}
