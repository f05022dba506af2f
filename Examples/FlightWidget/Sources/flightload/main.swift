import FlightPolicy
import WidgetFleet

/// Prints the load that the policy puts on a server with 100 000 phones, far from any departure.
let policy = FlightPolicy()
let scenario = try Scenario([
  "schema": "widgetfleet/v1", "name": "flight-load", "clock": ["start": "2027-01-18T00:00:00Z"],
  "kinds": [
    "flight": [
      "reload": ["after": "\(policy.nextRefresh(sinceDeparture: -100_000))s"], "requests": [["endpoint": "flights"]],
    ]
  ],
  "fleet": [
    "devices": "100k",
    "cohorts": [["name": "travellers", "zones": ["Europe/Berlin": "100%"], "widgets": [["kind": "flight"]]]],
  ],
  "backend": ["endpoints": ["flights": [:]]],
])
let day = try Simulation(scenario).run(devices: 200, seed: 1)
print(day[.refreshes(kind: "flight")])
print(day[.peak(endpoint: "flights")])
