/// The style of a report page; no character in it needs escaping.
let styleSheet = """
  :root { color-scheme: light dark;
  \(lightColours) }
  @media (prefers-color-scheme: dark) { :root {
    --paper: #14171b; --panel: #1b1f25; --ink: #e7e9ec; --soft: #a5afba; --line: #303740; --accent: #86bdea;
    --band: #3c678c; --mark: #f0946f; --warn: #3a2c17; --warn-ink: #f3d3a1;
    --good: #1c3020; --good-ink: #b3e0a6; --good-bar: #74b35c; --bad: #40211b; --bad-ink: #f6bdae; --bad-bar: #e2694a;
    --open-bar: #e0a344; --base: #4d5863; --fleet: #26384a;
    --policy: #5f9fd6; --retry: #e2796a; --background: #55b8aa; --push: #a98bd6; --foreground: #8bbf6a; --tap: #eaa955;
    --view: #dcc556; --location: #b8916f; --placement: #98a3b0; --system: #7f92ab; --gallery: #e08ab6; } }
  * { box-sizing: border-box; }
  html { -webkit-text-size-adjust: 100%; scroll-behavior: smooth; }
  @media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
  body { margin: 0; background: var(--paper); color: var(--ink);
    font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif; }
  header, nav, main, footer { max-width: 62rem; margin: 0 auto; padding: 0 1.25rem; }
  header { padding-top: 3rem; }
  .kicker { margin: 0; color: var(--soft); font-size: .8rem; letter-spacing: .08em; text-transform: uppercase; }
  h1 { margin: .15em 0 .2em; font-size: clamp(1.7rem, 1.2rem + 2.4vw, 2.6rem); line-height: 1.15; font-weight: 650;
    letter-spacing: -.015em; overflow-wrap: anywhere; }
  .lead { margin: 0 0 .6rem; font-size: 1.1rem; max-width: 46rem; overflow-wrap: anywhere; white-space: pre-line; }
  .facts { margin: 0; color: var(--soft); font-size: .92rem; }
  nav { position: sticky; top: 0; z-index: 1; background: var(--paper); margin-top: 1.2rem; }
  nav ul { display: flex; flex-wrap: wrap; gap: 0 1.15rem; margin: 0; padding: .45rem 0; list-style: none;
    border-bottom: 1px solid var(--line); }
  nav ul { scrollbar-width: none; }
  nav a { display: block; padding: .15rem 0; color: var(--soft); text-decoration: none; font-size: .92rem;
    white-space: nowrap; }
  nav a:hover { color: var(--accent); text-decoration: underline; }
  a:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--accent);
    outline-offset: 3px; border-radius: 3px; }
  .skip { position: absolute; left: -100rem; }
  .skip:focus { left: 1rem; top: .5rem; z-index: 2; padding: .4rem .7rem; background: var(--panel); color: var(--accent); }
  section { scroll-margin-top: 5rem; }
  .tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .8rem; margin: 1.6rem 0 0; }
  .tile { padding: .85rem 1rem; background: var(--panel); border: 1px solid var(--line); border-radius: .6rem; }
  .tile p { margin: 0; }
  .tile .name, .tile .unit { color: var(--soft); font-size: .82rem; }
  .tile .value { font-size: clamp(1.15rem, .6rem + 1.4vw, 1.7rem); white-space: nowrap; line-height: 1.25; font-weight: 620; font-variant-numeric: tabular-nums;
    letter-spacing: -.01em; }
  .verdict { margin: 1.4rem 0 0; padding: 1rem 1.2rem; border-left: .4rem solid var(--soft); border-radius: .6rem; background: var(--panel); }
  .verdict h2 { margin: 0; font-size: 1.2rem; font-weight: 500; line-height: 1.4; overflow-wrap: anywhere; } .verdict .word { font-weight: 750; }
  .verdict.is-good { background: var(--good); border-color: var(--good-bar); } .verdict.is-good .word { color: var(--good-ink); }
  .verdict.is-bad { background: var(--bad); border-color: var(--bad-bar); } .verdict.is-bad .word { color: var(--bad-ink); }
  .verdict.is-open { background: var(--warn); border-color: var(--open-bar); } .verdict.is-open .word { color: var(--warn-ink); }
  .chips { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: .6rem; margin: .8rem 0 .4rem; padding: 0; list-style: none; }
  .chip { min-width: 0; padding: .5rem .7rem; background: var(--panel); border: 1px solid var(--line); border-radius: .5rem; font-size: .88rem; }
  .chip p { margin: 0; overflow-wrap: anywhere; } .chip.is-good span { color: var(--good-ink); } .chip.is-bad span { color: var(--bad-ink); font-weight: 650; }
  .chip.is-open span { color: var(--warn-ink); font-weight: 650; } .chip .bar { max-width: 15rem; margin: .25rem 0 0; }
  .chip .limit { stroke: var(--ink); stroke-width: 2; } .chip .reach { stroke: var(--ink); stroke-width: 1.5; }
  .chip.is-good .filled { fill: var(--good-bar); } .chip.is-bad .filled { fill: var(--bad-bar); } .chip.is-open .filled { fill: var(--open-bar); }
  .fold { margin: 0; border-top: 1px solid var(--line); } section:has(> .fold) + section > .fold { margin: 0; }
  .fold > summary { padding: .55rem 0; list-style-position: outside; } .fold > summary h2 { display: inline; margin: 0; font-size: 1.08rem; }
  .fold[open] > summary { margin-bottom: .5rem; } main > section:not(:has(> .fold)) + section > .fold { margin-top: 2.6rem; }
  .reader { touch-action: pan-y; } .cursor { stroke: var(--mark); stroke-width: 1.5; pointer-events: none; }
  figure output { display: block; min-height: 1.5em; margin: .3rem 0 0; color: var(--soft); font-size: .86rem; font-variant-numeric: tabular-nums; }
  .take { display: flex; gap: .9rem; margin: .3rem 0 0; font-size: .8rem; } .take button, .take a { padding: .1rem 0; border: 0; background: none; font: inherit;
    color: var(--soft); text-decoration: underline; cursor: pointer; } .take button:hover, .take a:hover { color: var(--accent); }
  button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  .zones { display: flex; flex-wrap: wrap; gap: .3rem; margin: 0 0 .5rem; } .zones button, button[data-copy] { font: inherit; font-size: .84rem; padding: .15rem .6rem;
    color: var(--accent); background: var(--paper); border: 1px solid var(--line); border-radius: .4rem; cursor: pointer; }
  .zones button[aria-pressed=true] { color: var(--paper); background: var(--accent); }
  .zoom .unit { margin: 0 0 .2rem; color: var(--soft); font-size: 13px; }
  h2 { margin: 3.2rem 0 .3rem; font-size: 1.35rem; line-height: 1.3; font-weight: 640; letter-spacing: -.01em; }
  .answer { margin: 0 0 1.1rem; max-width: 46rem; font-size: 1.08rem; }
  .warning { max-width: 46rem; margin: 0 0 1.1rem; padding: .6rem .9rem; background: var(--warn); color: var(--warn-ink);
    border-radius: .4rem; font-size: .95rem; }
  figure { margin: 0 0 1rem; padding: 1rem 1.1rem .8rem; background: var(--panel); border: 1px solid var(--line);
    border-radius: .6rem; }
  figcaption { margin: 0 0 .5rem; font-size: .92rem; font-weight: 600; }
  svg { display: block; width: 100%; height: auto; overflow: visible; }
  \(figureRules)
  .zoom { margin: 0 0 .3rem; } .zoom .buttons { display: flex; flex-wrap: wrap; gap: .4rem; margin: .1rem 0 .5rem; }
  .zoom button { font: inherit; font-size: .86rem; padding: .2rem .7rem; color: var(--accent); background: var(--paper);
    border: 1px solid var(--line); border-radius: .4rem; cursor: pointer; }
  .zoom button:hover { border-color: var(--accent); } .zoom button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  .zoom .chart { width: 100%; height: 20rem; touch-action: pan-y; } .zoom output { display: block; min-height: 1.5em; margin: .3rem 0 0;
    color: var(--soft); font-size: .86rem; font-variant-numeric: tabular-nums; }
  .zoomed > svg, .zoomed > svg.narrow { display: none; }
  .dygraph-axis-label { z-index: 10; line-height: normal; overflow: hidden; color: var(--soft); font-size: 13px;
    font-variant-numeric: tabular-nums; }
  .narrow { display: none; }
  @media (max-width: 44rem) { .wide { display: none; } .narrow { display: block; } figure { padding: .8rem .7rem .6rem; }
    header { padding-top: 1.8rem; } nav { position: static; } nav ul { flex-wrap: wrap; } section { scroll-margin-top: 1rem; }
    dl.glossary { display: block; } dl.glossary dd { margin: 0 0 .5rem; }
    figure .zoom button { font-size: .8rem; padding: .2rem .5rem; } figure .zoom .buttons { gap: .3rem; }
    .stacking thead { display: none; } .stacking tr { display: block; padding: .55rem 0; border-bottom: 1px solid var(--line); }
    .stacking th, .stacking td { display: block; padding: 0; border: 0; } .stacking tbody th { font-weight: 650; }
    .stacking td:not(.text) { text-align: left; }
    .stacking td::before { content: attr(data-label) ": "; color: var(--soft); } h2 { margin-top: 2.6rem; } .tile .value { font-size: 1.35rem; } }
  .reasons { max-width: 46rem; margin: 0 0 1.1rem; padding: .6rem .9rem .6rem 2rem; background: var(--warn);
    color: var(--warn-ink); border-radius: .4rem; font-size: .95rem; overflow-wrap: anywhere; }
  .findings { max-width: 46rem; margin: 0 0 1.1rem; padding: 0 0 0 1.4rem; overflow-wrap: anywhere; } .findings li { margin: .35rem 0; }
  .findings a, .glossary a { color: var(--accent); }
  .glossary { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: .3rem 1.2rem; max-width: 50rem; margin: 0;
    font-size: .94rem; } .glossary dt { font-weight: 600; } .glossary dd { margin: 0; }
  span.policy { background: var(--policy); }
  .legend { display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; margin: .6rem 0 0; padding: 0; list-style: none;
    font-size: .86rem; color: var(--soft); }
  .legend li { display: flex; align-items: center; gap: .45rem; }
  .swatch { display: inline-block; width: 1rem; height: .7rem; border-radius: 2px; }
  .note { margin: 0 0 .9rem; max-width: 46rem; color: var(--soft); font-size: .9rem; }
  details { margin: 0 0 .5rem; }
  summary { cursor: pointer; color: var(--accent); font-size: .92rem; padding: .15rem 0; }
  .scroll { overflow-x: auto; margin: .5rem 0 1.1rem; }
  table { border-collapse: collapse; width: 100%; font-size: .88rem; }
  caption { text-align: left; color: var(--soft); padding: 0 0 .35rem; }
  th, td { padding: .34rem .9rem .34rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
  th:last-child, td:last-child { padding-right: 0; }
  thead th { font-weight: 600; color: var(--soft); vertical-align: bottom; }
  tbody th { font-weight: 500; } th.text, td.text { text-align: left; overflow-wrap: anywhere; min-width: 7rem; }
  th.number, td:not(.text) { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
  pre { margin: .5rem 0 1rem; padding: .9rem 1rem; max-height: 32rem; overflow: auto; background: var(--panel);
    border: 1px solid var(--line); border-radius: .5rem; font: .82rem/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, monospace; }
  footer { margin-top: 3.5rem; padding-bottom: 3rem; color: var(--soft); font-size: .85rem; }
  footer p { border-top: 1px solid var(--line); padding-top: 1rem; margin: 0; }
  \(fillRules)
  \(seriesRules)
  @page { margin: 13mm; }
  @media print { :root { --good: #e9f3e4; --good-ink: #27571c; --good-bar: #4d8a35; --bad: #fbe6e0; --bad-ink: #8c2510; --bad-bar: #c2401f; --open-bar: #c98416;
      --retry: #bf4f3a; --background: #2f8f83; --push: #7c5bab; --foreground: #5f9440; --tap: #d98b2b; --view: #c2a724; --location: #8a6648;
      --placement: #8b95a1; --system: #465569; --gallery: #c06695; --paper: #fff; --panel: #fff; --ink: #000; --soft: #444; --line: #ccc; --accent: #1f5f99;
      --band: #9fc3e2; --mark: #b3431e; --warn: #fbeedb; --warn-ink: #6b3d00; --policy: #3d78ad; }
    body { font-size: 10pt; } nav, .skip { display: none; } figure, .tile { break-inside: avoid; }
    * { -webkit-print-color-adjust: exact; print-color-adjust: exact; } .take, .zones, output, button, .reader + output { display: none; }
    section { break-inside: auto; } figure, .tile, .chip, .verdict > h2 { break-inside: avoid; } h2, summary, figcaption { break-after: avoid; }
    h2 { margin-top: 1.4rem; } .tiles { margin-top: .8rem; gap: .4rem; } .tile { padding: .4rem .6rem; } header { padding-top: 0; }
    .fold:not([open]) > summary { padding: .1rem 0; } main > section:not(:has(> .fold)) + section > .fold { margin-top: 1rem; }
    .answer { break-after: avoid; } .wide, .zoomed > svg.wide { display: block; } .zoomed > .reader { display: block; } .zoom { display: none; } .narrow { display: none; } pre { max-height: none; white-space: pre-wrap; overflow-wrap: anywhere; } }
  """

/// The colours of causes and of components of energy, in areas and in legends.
let fillRules = [
  ("cause-policy", "policy"), ("cause-retry", "retry"), ("cause-background", "background"),
  ("cause-widget-push", "push"), ("cause-foreground", "foreground"), ("cause-tap", "tap"), ("cause-view", "view"),
  ("cause-location", "location"), ("cause-placement", "placement"), ("cause-system", "system"),
  ("cause-gallery", "gallery"), ("energy-promotion", "tap"), ("energy-active", "policy"),
  ("energy-transfer", "background"), ("energy-tail", "retry"), ("energy-cpu", "foreground"),
  ("energy-wait", "placement"), ("energy-radio", "band"),
].map { name, colour in ".\(name) { fill: var(--\(colour)); background: var(--\(colour)); }" }.joined(separator: "\n")
