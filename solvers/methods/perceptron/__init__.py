"""The perceptron: one point after the other, learning from mistakes."""
