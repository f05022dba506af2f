import Platform

exit(Program.run(CommandLine.arguments))
