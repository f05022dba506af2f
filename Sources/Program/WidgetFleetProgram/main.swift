import WidgetFleetCommand

WidgetFleetCommand.main()
