/// What pages of studies need besides the style of a report; no character in it needs escaping.
let studyStyleSheet = """
  .tint-0 { fill: var(--policy); } .tint-1 { fill: var(--tap); } .tint-2 { fill: var(--background); } .tint-3 { fill: var(--push); }
  .tint-4 { fill: var(--retry); } .tint-5 { fill: var(--foreground); } .tint-6 { fill: var(--gallery); }
  .tint-7 { fill: var(--location); }
  path.overlay { fill-opacity: .34; } path.outline { fill: none; stroke-width: 1.4; }
  path.limit { fill: none; stroke-width: 2; } span.base { background: var(--soft); height: 3px; }
  .legend li { overflow-wrap: anywhere; min-width: 0; } .legend .swatch { flex: none; }
  circle.spot { stroke: var(--panel); stroke-width: 1.5; }
  svg .plain { font-weight: 400; } svg .start { text-anchor: start; }
  .zero { stroke: var(--ink); stroke-opacity: .55; } .gap { stroke: var(--mark); stroke-width: 2; stroke-dasharray: 4 3; }
  .whisker { stroke: var(--policy); stroke-width: 2; } .dot { fill: var(--policy); stroke: var(--panel); stroke-width: 1.5; }
  .whisker.pale { stroke: var(--placement); } .dot.pale { fill: var(--panel); stroke: var(--placement); stroke-width: 2; }
  span.strong { background: var(--policy); } span.pale { background: var(--placement); }
  .region { fill: var(--foreground); } .region-band { fill: none; stroke: var(--foreground); stroke-width: 26; stroke-linecap: round; }
  .regions { opacity: .24; } span.good { background: var(--foreground); } span.free { background: var(--policy); }
  span.beaten { background: var(--placement); } span.front { background: var(--policy); height: 3px; }
  .point { fill: var(--policy); stroke: var(--panel); stroke-width: 1.5; } .point.good { fill: var(--foreground); }
  .point.beaten { fill: var(--placement); } path.front { fill: none; stroke: var(--policy); stroke-width: 1.8; stroke-opacity: .8; }
  .reach { stroke: var(--soft); stroke-width: 1.3; stroke-opacity: .8; } svg .limit-name { fill: var(--mark); font-weight: 600;
    paint-order: stroke; stroke: var(--panel); stroke-width: 4px; stroke-linejoin: round; }
  .frame { fill: none; stroke: var(--foreground); stroke-width: 3; } span.framed { border: 3px solid var(--foreground); }
  rect.effect { fill: var(--policy); fill-opacity: .5; } rect.effect.pale { fill: var(--placement); }
  .smalls { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 25rem), 1fr)); gap: 1rem; }
  .smalls figure { margin: 0; min-width: 0; } .smalls .wide { display: none; } .smalls .narrow { display: block; }
  .forbidden { fill: var(--mark); fill-opacity: .13; } .goal-limit { fill: none; stroke: var(--mark); stroke-dasharray: 4 3; }
  span.forbidden { background: var(--mark); opacity: .3; } .point.bad { fill: var(--bad-bar); } .point.open { fill: var(--open-bar); }
  span.bad { background: var(--bad-bar); } span.open { background: var(--open-bar); }
  .presets { stroke: var(--placement); stroke-width: 5; stroke-opacity: .55; } span.presets { background: var(--placement); opacity: .55; }
  .chosen { fill: none; stroke: var(--ink); stroke-width: 2; } .chosen-line { stroke: var(--ink); stroke-opacity: .45; }
  span.chosen, span.chosen-cell { border: 2px solid var(--ink); border-radius: 50%; width: .8rem; height: .8rem; } span.chosen-cell { border-radius: 0; }
  .chosen-cell { fill: none; stroke: var(--ink); stroke-width: 2; } .crossed { fill: none; stroke: var(--mark); stroke-width: 1.5; }
  span.crossed { height: 2px; background: var(--mark); } .basis { margin: .5rem 0 0; font-size: .92rem; color: var(--soft); overflow-wrap: anywhere; }
  .verdict .basis { color: var(--ink); } .verdict details { margin: .5rem 0 0; } .verdict pre { margin: .4rem 0; max-height: 14rem; }
  table.stacking td:not(.text), table.stacking th { white-space: normal; } table.stacking .text { min-width: 0; overflow-wrap: break-word; }
  table.stacking thead th { overflow-wrap: normal; }
  h3 { margin: 1.6rem 0 .4rem; font-size: 1.05rem; overflow-wrap: anywhere; }
  .facts, .answer, .warning, .note, figcaption, summary { overflow-wrap: anywhere; }
  @media print { :root { --tap: #d98b2b; --background: #2f8f83; --push: #7c5bab; --retry: #bf4f3a; --foreground: #5f9440;
      --gallery: #c06695; --location: #8a6648; --placement: #8b95a1; } }
  """
