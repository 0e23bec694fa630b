"""What k(x, z) is: Gram matrix, rows, fields on a grid, Mercer's check; labels are unknown here."""
