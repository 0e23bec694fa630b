"""Export of whole runs, step by step: tables and arrays; one file per format."""
