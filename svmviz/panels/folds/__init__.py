"""The panel of cross-validation: a small plane per part left out, and leave-one-out animated."""
