"""Files and folders: written as a whole or not at all, locked between processes, without private names."""
