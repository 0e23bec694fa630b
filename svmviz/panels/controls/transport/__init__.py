"""The transport below the plane, which moves through the run, and the sentence on the step."""
