"""The transport below the plane, and the sentence of the step."""
