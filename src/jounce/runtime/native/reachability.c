/* Time-optimal path parameterization by reachability analysis (Pham, Pham 2018); see
 * planning/reachability.py. Unknowns at each of n + 1 points of a path are x = (ds/dt)^2 and
 * u = d2s/dt2, which is constant between points: x' = x + 2 delta u. Constraints are the rows
 * lower <= a u + b x + c <= upper at both ends of each interval; a, b and c are (n + 1, rows), lower
 * and upper (rows). */
#include <stdint.h>

typedef struct {
    const double *delta, *a, *b, *c, *lower, *upper;
    int64_t intervals, rows;
} Path;

/* Bounds on u at some x: the largest lower and the smallest upper one, each a line in x. */
typedef struct {
    double low, low_offset, low_slope, high, high_offset, high_slope;
    int64_t low_row, high_row;
} Interval;

static const double infinity = __builtin_inf();

/* Intersect with lower <= a u + b x + c <= upper. Rows without u are rows with a negligible a. */
static inline void add_row(Interval *u, double x, double a, double b, double c, double lower,
                           double upper, int64_t row) {
    if (a == 0.0) a = 0x1p-500;
    double slope = -b / a, first = (lower - c) / a, second = (upper - c) / a;
    double low = a > 0.0 ? first : second, high = a > 0.0 ? second : first;
    if (low + slope * x > u->low) {
        u->low = low + slope * x;
        u->low_offset = low, u->low_slope = slope, u->low_row = row;
    }
    if (high + slope * x < u->high) {
        u->high = high + slope * x;
        u->high_offset = high, u->high_slope = slope, u->high_row = row;
    }
}

/* Return the accelerations that satisfy all rows of interval i at x, and lead to [reach[0],
 * reach[1]]. */
static Interval accelerations(const Path *path, int64_t i, double x, const double *reach) {
    Interval u = {-infinity, 0.0, 0.0, infinity, 0.0, 0.0, -1, -1};
    double step = 2.0 * path->delta[i];
    add_row(&u, x, step, 1.0, 0.0, reach[0], reach[1], path->rows);
    for (int64_t end = 0; end < 2; end++) {
        int64_t place = (i + end) * path->rows;
        for (int64_t r = 0; r < path->rows; r++, place++) {
            double a = path->a[place], b = path->b[place];
            if (end) a += step * b;
            add_row(&u, x, a, b, path->c[place], path->lower[r], path->upper[r], r);
        }
    }
    return u;
}

/* Return the x closest to `start`, in the direction of `sign`, at which the interval of
 * accelerations is not empty: Newton's method on its length, which is concave and piecewise
 * linear, so that it ends after finitely many steps. NaN if there is none before `stop`. */
static double nearest(const Path *path, int64_t i, double start, double stop, double sign,
                      const double *reach, Interval *last) {
    double x = start;
    for (int64_t k = 0; k < 2 * path->rows + 64; k++) {
        *last = accelerations(path, i, x, reach);
        double slope = last->high_slope - last->low_slope;
        if (last->high >= last->low) return x;
        if (!(slope * sign > 0.0)) break;
        double next = (last->low_offset - last->high_offset) / slope;
        if (!((next - x) * sign > 0.0)) return x; /* empty by round-off only */
        if ((next - stop) * sign > 0.0) break;
        x = next;
    }
    return __builtin_nan("");
}

/* Compute the fastest profile x (n + 1) and u (n) between given end speeds.
 *
 * limit: largest x at each point (n + 1); ends: x at the start and the end; reach: workspace
 * (n + 1, 2), the controllable sets; failure: point, and the rows that contradict there. Returns 0,
 * 1 if no x is controllable at a point, 2 if the start is not. */
int32_t jounce_fastest_profile(const double *delta, const double *a, const double *b,
                               const double *c, const double *lower, const double *upper,
                               const double *limit, const double *ends, int64_t intervals,
                               int64_t rows, double *reach, double *x, double *u,
                               int64_t *failure) {
    Path path = {delta, a, b, c, lower, upper, intervals, rows};
    Interval last;
    reach[2 * intervals] = reach[2 * intervals + 1] = ends[1];
    for (int64_t i = intervals - 1; i >= 0; i--) {
        double *now = reach + 2 * i, *next = now + 2;
        now[1] = nearest(&path, i, limit[i], 0.0, -1.0, next, &last);
        if (now[1] == now[1]) now[0] = nearest(&path, i, 0.0, now[1], 1.0, next, &last);
        if (now[1] != now[1] || now[0] != now[0]) {
            failure[0] = i;
            failure[1] = last.low_row;
            failure[2] = last.high_row;
            return 1;
        }
    }
    x[0] = ends[0];
    double slack = 1e-9 * (1.0 + ends[0]);
    if (ends[0] > reach[1] + slack || ends[0] < reach[0] - slack) {
        last = accelerations(&path, 0, ends[0], reach + 2);
        failure[0] = 0;
        failure[1] = last.low_row;
        failure[2] = last.high_row;
        return 2;
    }
    for (int64_t i = 0; i < intervals; i++) {
        double now = x[i] < reach[2 * i] ? reach[2 * i] : x[i];
        x[i] = now > reach[2 * i + 1] ? reach[2 * i + 1] : now;
        last = accelerations(&path, i, x[i], reach + 2 * i + 2);
        u[i] = last.high;
        double next = x[i] + 2.0 * delta[i] * u[i];
        x[i + 1] = next > 0.0 ? next : 0.0;
    }
    return 0;
}
