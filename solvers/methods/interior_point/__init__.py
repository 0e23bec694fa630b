"""The interior point: Mehrotra's iteration on the whole dual."""
