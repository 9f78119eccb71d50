"""The quantities in the cheapest closed or recursive form found: one sample, any scalar."""
