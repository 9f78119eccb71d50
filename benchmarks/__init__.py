"""Benchmarks against Pinocchio: same inputs, same process, results compared before timing.

python -m benchmarks [--robots ...] [--sections ...] [--quick] [--write]
"""
