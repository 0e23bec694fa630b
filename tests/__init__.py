"""Tests of svmviz and of solvers; the folders mirror theirs."""
