"""What a tape can become: NumPy calls, machine code, a NumPy gufunc."""
