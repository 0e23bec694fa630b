"""The panel of parts that are left out in turn: small planes, and leave-one-out step by step."""
