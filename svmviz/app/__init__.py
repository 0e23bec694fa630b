"""Start and end of the program; only :mod:`svmviz.cli` calls it."""
