"""Names that try to break out of the page, and scenarios that use them everywhere."""
import json

SCRIPTS = [
    "<script>window.hit=1</script>", "</script><script>window.hit=1</script>", "</title><script>window.hit=1</script>",
    "</style><script>window.hit=1</script>", "<img src=x onerror=window.hit=1>", "\"><img src=x onerror=window.hit=1>",
    "'><svg onload=window.hit=1>", "<svg/onload=window.hit=1>", "<body onload=window.hit=1>", "<iframe src=javascript:window.hit=1>",
    "<a href=javascript:window.hit=1>x</a>", "javascript:window.hit=1", "' onmouseover='window.hit=1", "\" autofocus onfocus=\"window.hit=1",
    "]]><script>window.hit=1</script>", "<!--", "-->", "<!-- --><script>window.hit=1</script>", "<![CDATA[<script>window.hit=1</script>]]>",
    "&lt;script&gt;window.hit=1&lt;/script&gt;", "&#60;script&#62;", "&#x3C;script&#x3E;", "&amp;lt;", "&", "&&", "&quot;", "<", ">", "\"", "'",
    "\\u003cscript\\u003e", "\\\"+window.hit+\\\"", "\\", "\\\\", "${window.hit=1}", "`${window.hit=1}`", "{{window.hit=1}}", "<%= 1 %>",
    "</svg><script>window.hit=1</script>", "</desc></svg><img src=x onerror=window.hit=1>", "</text><foreignObject><img src=x onerror=window.hit=1>",
    "</table><img src=x onerror=window.hit=1>", "</td></tr><tr><td>", "</details></section>", "</pre></code>", "</main>", "</html>", "<base href=//evil.test/>",
    "<meta http-equiv=refresh content=0;url=//evil.test/>", "<link rel=stylesheet href=//evil.test/x.css>", "<style>*{display:none}</style>",
    "<object data=//evil.test/>", "<embed src=//evil.test/>", "<form action=//evil.test/><input>", "<video src=//evil.test/ onerror=window.hit=1>",
    "<math><mtext></mtext></math>", "<template><script>window.hit=1</script></template>", "<noscript><p title=\"</noscript><img src=x onerror=window.hit=1>\">",
    "<input autofocus onfocus=window.hit=1>", "<details open ontoggle=window.hit=1>", "<marquee onstart=window.hit=1>", "<x onclick=window.hit=1>",
    "style=position:fixed", "\" style=\"position:fixed", "' style='position:fixed", "id=main", "\" id=\"main", "#main", "url(//evil.test/)",
    "expression(window.hit=1)", "@import url(//evil.test/)", "data:text/html,<script>window.hit=1</script>", "//evil.test/x", "https://evil.test/",
    "=cmd|' /C calc'!A0", "+1+1", "-1", "@SUM(1)", "'=1", "''", "%3Cscript%3E", "%00", "\\x3cscript\\x3e", "\\n", "a,b", "a;b", "a\"b\"c", "x" * 100,
    "<" * 60, "&" * 60, "\"" * 60, "日本語", "天気🌦", "👩‍👩‍👧‍👦", "é", "ﷺ", "Ω≈ç√", "¯\\_(ツ)_/¯", "null", "true", "constructor", "__proto__", "toString",
]


def payloads():
    names = list(dict.fromkeys(SCRIPTS))
    assert len(names) >= 100, len(names)
    return names[:100]


def harmless(names):
    """Returns other names of the same length, so that the layout stays the same."""
    alphabet = "abcdefghijklmnopqrstuvwxyz"
    return [(alphabet[i % 26] + "n" * 400)[:max(len(name), 1)] if len(name) < 3 else f"{i:02d}" + "n" * (len(name) - 2)
            for i, name in enumerate(names)]


def scenario(names):
    """Returns a scenario whose user strings are these names: kinds, endpoints, cohorts, events, goals, description."""
    count = len(names)
    shares = [round(100 / count, 2)] * (count - 1)
    shares.append(round(100 - sum(shares), 2))
    return json.dumps({
        "schema": "widgetfleet/v1", "name": "hostile", "description": " ".join(names),
        "clock": {"start": "2027-01-18T00:00:00Z", "warmup": "0s", "duration": "1h", "step": "10s"},
        "kinds": {name: {"reload": {"after": "15min"}, "requests": [{"endpoint": name, "down": "5kB"}],
                         "cache": {"ttl": "20min"}, "stale_after": "10min"} for name in names},
        "fleet": {"devices": 20, "cohorts": [
            {"name": name, "share": f"{share}%", "zones": {"Europe/Berlin": "100%"}, "widgets": [{"kind": name}]}
            for name, share in zip(names, shares)]},
        "backend": {"endpoints": {name: {"capacity": "1/s", "queue": 20} if name == names[0] else {} for name in names}},
        "events": [{"name": name, "at": f"2027-01-18T00:{5 + 5 * i:02d}:00Z", "outage": {"endpoint": name, "for": "1min"}}
                   for i, name in enumerate(names)],
        "goals": [{"id": name, "assert": "requests >= 0"} for name in names],
    }, ensure_ascii=False)
