"""Programs that nobody here wrote, asked about what swgrm writes."""
