"""What a robot is made of: joints, bodies, the tree that formulas walk. No files, no dynamics."""
