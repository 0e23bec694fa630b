"""The panels around the plane, grouped by what they answer. A panel does not use another one."""
