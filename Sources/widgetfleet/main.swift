print("widgetfleet")
