"""Mutants: one small mistake each, put into a copy of the source, that some test must notice.

`make mutants` draws a sample of all mistakes that `mistakes` can make in the packages below, runs
the tests that touch the mistaken function (`touched`), and lists what no test noticed. What was run
is kept in build/mutants, so that an interrupted run goes on where it stopped; killed mutants are
not run again while their function stays as it is, survivors are. Mistakes that change no value
(only its cost, or nothing at all) stand in `equivalent.txt` with a reason, and are not counted.
"""
