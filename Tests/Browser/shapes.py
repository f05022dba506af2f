"""Scenarios of unusual size, whose pages must have neither layout faults nor empty parts."""

KIND = """  {name}:
    reload: {{after: {after}}}
    jitter: {{up_to: 10min}}
    stale_after: 2h
    requests: [{{endpoint: {endpoint}, down: 10kB}}]
"""


def scenario(name, kinds=1, endpoints=1, devices=300, duration="1d", step="1s"):
    """Returns the text of a scenario with every kind on each phone, and requests distributed over the endpoints."""
    asked = max(kinds, endpoints)
    each = [KIND.format(name=f"kind-{number}", after=f"{1 + number % 4}h", endpoint=f"endpoint-{number % endpoints}")
            for number in range(kinds)]
    if endpoints > kinds:
        requests = ", ".join(f"{{endpoint: endpoint-{number}, down: 1kB}}" for number in range(asked))
        each = [KIND.format(name="kind-0", after="1h", endpoint="endpoint-0").replace(
            "[{endpoint: endpoint-0, down: 10kB}]", f"[{requests}]")]
    widgets = "\n".join(f"        - {{kind: kind-{number}, page: {1 + number % 2}}}" for number in range(len(each)))
    served = "\n".join(f"    endpoint-{number}: {{}}" for number in range(endpoints))
    return f"""schema: widgetfleet/v1
name: {name}
clock: {{start: 2027-01-18T00:00:00Z, warmup: 3h, duration: {duration}, step: {step}}}
kinds:
{"".join(each)}fleet:
  devices: {devices}
  cohorts:
    - name: everybody
      zones: {{Europe/Berlin: 60%, America/New_York: 40%}}
      widgets:
{widgets}
backend:
  endpoints:
{served}
"""


SHAPES = {
    "three-hours": scenario("three-hours", duration="3h"),
    "fourteen-days": scenario("fourteen-days", duration="14d", step="10s"),
    "one-device": scenario("one-device", devices=1),
    "forty-endpoints": scenario("forty-endpoints", endpoints=40),
    "many-kinds": scenario("many-kinds", kinds=24, devices=60),
}
