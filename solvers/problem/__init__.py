"""What is solved, the form of every answer, and the certificate that judges it; no method here."""
