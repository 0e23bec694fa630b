"""Many random inputs to the whole program.

Each campaign is a module with a ``main`` that returns a :class:`~tests.campaigns.summary.Summary`.
Every case follows from a seed and a number alone, so that a failure can be reproduced.
``make campaign`` runs them all; ``test_slices.py`` runs a few cases of each.
"""
