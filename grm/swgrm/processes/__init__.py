"""Child processes: how they are started, limited and ended, and what they and their parents send each other."""
