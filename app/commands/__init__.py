"""app.commands: one file a command, called as the command.

Consumes the options of a call. Produces what the command's help says.
"""
