"""Export of whole runs, step by step: movies, tables and arrays; one file per format."""
