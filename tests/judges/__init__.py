"""Other programs (the judges) read what swgrm writes."""
