"""app.commands: one file a command, called as the command."""
