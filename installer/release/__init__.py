"""Makes the files of a release: packages built twice, bills of materials, a licence report and hashes."""
