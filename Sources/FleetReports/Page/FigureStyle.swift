/// The colours by day.
let lightColours = """
    --paper: #fbfaf8; --panel: #ffffff; --ink: #20262e; --soft: #59636e; --line: #e4e1dc; --accent: #1f5f99;
    --band: #9fc3e2; --mark: #b3431e; --warn: #fbeedb; --warn-ink: #6b3d00;
    --policy: #3d78ad; --retry: #bf4f3a; --background: #2f8f83; --push: #7c5bab; --foreground: #5f9440; --tap: #d98b2b;
    --view: #c2a724; --location: #8a6648; --placement: #8b95a1; --system: #465569; --gallery: #c06695;
    --good: #e9f3e4; --good-ink: #27571c; --good-bar: #4d8a35; --bad: #fbe6e0; --bad-ink: #8c2510; --bad-bar: #c2401f;
    --open-bar: #c98416; --base: #a7b0ba; --fleet: #d8e5f1;
  """

/// What shapes of figures look like, and their swatches in legends.
let figureRules = """
  svg text { fill: var(--soft); font-size: 13px; font-variant-numeric: tabular-nums; }
  svg .end { text-anchor: end; } svg .middle { text-anchor: middle; }
  svg .label { fill: var(--ink); font-weight: 600; paint-order: stroke; stroke: var(--panel); stroke-width: 4px;
    stroke-linejoin: round; }
  .grid { stroke: var(--line); } .base { stroke: var(--soft); stroke-opacity: .6; }
  .mark { stroke: var(--mark); stroke-dasharray: 4 3; } .peak { fill: var(--mark); stroke: var(--panel); stroke-width: 2; }
  line.peak-interval { stroke: var(--mark); stroke-width: 3; } span.peak-interval { background: var(--mark); }
  path.capacity { fill: none; stroke: var(--mark); stroke-width: 1.8; } span.capacity { background: var(--mark); height: 3px; }
  .event { stroke: var(--soft); stroke-dasharray: 2 3; } .spell { fill: var(--mark); fill-opacity: .13; }
  span.spell { background: var(--mark); opacity: .3; } svg .event-name { fill: var(--ink); font-size: 12px; paint-order: stroke;
    stroke: var(--panel); stroke-width: 3px; stroke-linejoin: round; }
  path[class^=heat] { fill: var(--accent); shape-rendering: crispEdges; } span[class*=heat] { background: var(--accent); }
  path[class$=hour] { fill: none; stroke: var(--accent); stroke-width: 14; }
  .heat-0 { opacity: .04; } .heat-1 { opacity: .16; } .heat-2 { opacity: .28; } .heat-3 { opacity: .4; } .heat-4 { opacity: .52; }
  .heat-5 { opacity: .64; } .heat-6 { opacity: .76; } .heat-7 { opacity: .88; } .heat-8 { opacity: 1; }
  path[class^=cause] { shape-rendering: crispEdges; }
  path.mean { fill: none; stroke: var(--accent); stroke-width: 1.4; }
  path.band { fill: var(--band); stroke: var(--band); } rect.bar { fill: var(--policy); } .track { fill: var(--line); fill-opacity: .6; }
  path.curve { fill: none; stroke-width: 2.2; stroke-linejoin: round; } rect.ghost { fill: var(--band); }
  path.edge-load { fill: var(--placement); fill-opacity: .25; } span.edge-load { background: var(--placement); opacity: .5; }
  path.base-load { fill: var(--base); } span.base-load { background: var(--base); }
  path.fleet-load { fill: var(--fleet); } span.fleet-load { background: var(--fleet); }
  path.seam { fill: none; stroke: var(--panel); } rect.peak-times { fill: var(--mark); fill-opacity: .22; }
  line.peak-line { stroke: var(--mark); stroke-width: 1.6; }
  span.band { background: var(--band); } span.mean { background: var(--accent); height: 3px; }
  """

/// The colours of curves.
let seriesRules = """
  .series-0 { stroke: var(--policy); background: var(--policy); } .series-1 { stroke: var(--tap); background: var(--tap); }
  .series-2 { stroke: var(--background); background: var(--background); }
  .series-3 { stroke: var(--push); background: var(--push); } .series-4 { stroke: var(--retry); background: var(--retry); }
  .series-5 { stroke: var(--foreground); background: var(--foreground); }
  .series-6 { stroke: var(--gallery); background: var(--gallery); }
  .series-7 { stroke: var(--location); background: var(--location); }
  """
