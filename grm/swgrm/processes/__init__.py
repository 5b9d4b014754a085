"""Child processes: how they start, are limited and end, and what they and their parents send."""
