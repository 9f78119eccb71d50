"""jounce beside Pinocchio: same inputs, same process, results compared before they are timed.

python -m benchmarks [--robots ...] [--sections ...] [--quick] [--write]
"""
