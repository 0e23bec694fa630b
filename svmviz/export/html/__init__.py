"""Export of runs as one HTML page without network."""
