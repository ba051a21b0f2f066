"""The browser: where it is, and a running one."""
