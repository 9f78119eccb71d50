/* Riccati recursion of one optimal control problem; see planning/riccati.py.
 *
 * At each knot k, with changes x (n) of the state and u (m) of the control and z = (u, x, 1), the
 * cost is z^T L z / 2 and the next state x' = F z: F is (n, m + n + 1), and of L only the upper
 * triangle of its first m + n rows is used. Both are stored as one matrix `stage`, first the rows
 * of F, then those of L, then a row that is ignored; rows have `width` entries, a multiple of 8.
 * Kernels only write the entries that vary: entry e of a knot belongs to (rows[e], columns[e]).
 */
#include <stdint.h>
#include <string.h>

#define LANES 8

typedef double Vector __attribute__((vector_size(64), aligned(8)));

/* The sparsity of a kind of knots. Entries from `defects` to `dynamics` are those of F, later ones
 * those of L, the first ones are ignored. `constants` is the matrix with all constant entries, of
 * which those of F are `values`. If `step` is not negative, the state is (q, v), and data[step] is
 * the time step h of q' = q + h v' + e: the upper half of F then has e only, in its last column. */
typedef struct {
    int64_t count, defects, dynamics, fixed, step;
    const int32_t *rows, *columns, *fixed_rows, *fixed_columns;
    const double *values, *constants;
} Pattern;

/* Arguments that are the same in all calls for a problem; the last knot has no control. */
typedef struct {
    int64_t knots, n, m, width;
    const Pattern *patterns;
    const int32_t *pattern_of; /* pattern of each knot (knots) */
    double *workspace;
} Recursion;

static inline Vector vector_at(const double *x) { return *(const Vector *)x; }

/* An instruction of the processor; the function of the C library would set errno. */
static inline double square_root(double x) { return __builtin_elementwise_sqrt(x); }

/* Write F and L of a knot into `stage`; `last` is the pattern that it has entries of. */
static int32_t fill(const Recursion *r, int64_t k, int32_t last, const double *data,
                    double *stage) {
    int32_t kind = r->pattern_of[k];
    const Pattern *pattern = r->patterns + kind;
    if (kind != last)
        memcpy(stage, pattern->constants,
               (uint64_t)(2 * r->n + r->m + 1) * (uint64_t)r->width * sizeof(double));
    for (int64_t e = pattern->defects; e < pattern->count; e++)
        stage[pattern->rows[e] * r->width + pattern->columns[e]] = data[e];
    return kind;
}

/* Four rows and `count` (1, 2 or 3) vectors of out = start + sign a b, from column j on. */
static inline __attribute__((always_inline)) void multiply_block(
    double *out, const double *start, double sign, const double *a0, const double *a1,
    const double *a2, const double *a3, int64_t column, const double *b, int64_t inner,
    int64_t width, int64_t rows, int count) {
    Vector s00 = {0.0}, s01 = {0.0}, s02 = {0.0}, s10 = {0.0}, s11 = {0.0}, s12 = {0.0};
    Vector s20 = {0.0}, s21 = {0.0}, s22 = {0.0}, s30 = {0.0}, s31 = {0.0}, s32 = {0.0};
    for (int64_t k = 0; k < inner; k++, b += width) {
        double f0 = a0[k * column], f1 = a1[k * column], f2 = a2[k * column], f3 = a3[k * column];
        Vector x = vector_at(b);
        s00 += f0 * x, s10 += f1 * x, s20 += f2 * x, s30 += f3 * x;
        if (count > 1) {
            x = vector_at(b + LANES);
            s01 += f0 * x, s11 += f1 * x, s21 += f2 * x, s31 += f3 * x;
        }
        if (count > 2) {
            x = vector_at(b + 2 * LANES);
            s02 += f0 * x, s12 += f1 * x, s22 += f2 * x, s32 += f3 * x;
        }
    }
    for (int v = 0; v < count; v++, out += LANES) {
        Vector x0 = v == 0 ? s00 : v == 1 ? s01 : s02, x1 = v == 0 ? s10 : v == 1 ? s11 : s12;
        Vector x2 = v == 0 ? s20 : v == 1 ? s21 : s22, x3 = v == 0 ? s30 : v == 1 ? s31 : s32;
        Vector zero = {0.0};
        *(Vector *)out = (start ? vector_at(start) : zero) + sign * x0;
        if (rows > 1) *(Vector *)(out + width) = (start ? vector_at(start + width) : zero) + sign * x1;
        if (rows > 2)
            *(Vector *)(out + 2 * width) =
                (start ? vector_at(start + 2 * width) : zero) + sign * x2;
        if (rows > 3)
            *(Vector *)(out + 3 * width) =
                (start ? vector_at(start + 3 * width) : zero) + sign * x3;
        if (start) start += LANES;
    }
}

/* out[i, :] = start[i, :] + sign sum_k a[i, k] b[k, :] in whole vectors from the column of the
 * diagonal on, for an upper triangle that begins at column `first`, or everywhere if first < 0.
 * a[i, k] is a[i * row + k * column]; rows of the others have `width` entries. */
static inline void multiply(double *out, const double *start, double sign, const double *a,
                            int64_t row, int64_t column, const double *b, int64_t count,
                            int64_t inner, int64_t width, int64_t first) {
    for (int64_t i = 0; i < count; i += 4) {
        int64_t left = count - i, from = first < 0 ? 0 : (first + i) / LANES * LANES;
        const double *a0 = a + i * row, *a1 = left > 1 ? a0 + row : a0;
        const double *a2 = left > 2 ? a0 + 2 * row : a0, *a3 = left > 3 ? a0 + 3 * row : a0;
        for (int64_t j = from, wide; j < width; j += wide) {
            double *target = out + i * width + j;
            const double *base = start ? start + i * width + j : 0;
            wide = width - j < 3 * LANES ? width - j : 3 * LANES;
            if (wide == 3 * LANES)
                multiply_block(target, base, sign, a0, a1, a2, a3, column, b + j, inner, width,
                               left, 3);
            else if (wide == 2 * LANES)
                multiply_block(target, base, sign, a0, a1, a2, a3, column, b + j, inner, width,
                               left, 2);
            else
                multiply_block(target, base, sign, a0, a1, a2, a3, column, b + j, inner, width,
                               left, 1);
        }
    }
}

/* Factorize the free rows of the symmetric matrix H (upper triangle) = C C^T; rows that are not
 * free become those of the identity. Return 0 if it is not positive definite. */
static int32_t factorize(const double *H, const uint8_t *held, int64_t m, int64_t width,
                         double regularization, double *C) {
    for (int64_t j = 0; j < m; j++) {
        for (int64_t i = j; i < m; i++) {
            if (held[i] || held[j]) {
                C[i * m + j] = i == j ? 1.0 : 0.0;
                continue;
            }
            double sum = H[j * width + i];
            if (i == j) sum += regularization;
            for (int64_t k = 0; k < j; k++) sum -= C[i * m + k] * C[j * m + k];
            if (i != j) {
                C[i * m + j] = sum * C[j * m + j];
            } else {
                if (!(sum > 1e-14 * (1.0 + regularization))) return 0;
                C[i * m + i] = 1.0 / square_root(sum); /* the inverse */
            }
        }
    }
    return 1;
}

/* Minimize u^T H u / 2 + g^T u within low <= u <= high by projected Newton steps; H has
 * `regularization` on its diagonal. On return, `held` marks controls at a limit. */
static int32_t minimize_in_box(const double *H, const double *g, int64_t stride, const double *low,
                               const double *high, int64_t m, int64_t width, double regularization,
                               uint8_t *held, double *C, double *u, double *gradient,
                               double *step) {
    for (int64_t i = 0; i < m; i++) u[i] = low[i] > 0.0 ? low[i] : high[i] < 0.0 ? high[i] : 0.0;
    for (int64_t iteration = 0; iteration < 100; iteration++) {
        double value = 0.0, scale = 0.0;
        for (int64_t i = 0; i < m; i++) {
            double sum = g[i * stride] + regularization * u[i];
            for (int64_t j = 0; j < m; j++)
                sum += H[(i < j ? i : j) * width + (i < j ? j : i)] * u[j];
            gradient[i] = sum;
            value += 0.5 * u[i] * (sum + g[i * stride]);
            held[i] = (u[i] <= low[i] && sum > 0.0) || (u[i] >= high[i] && sum < 0.0);
            double size = sum < 0.0 ? -sum : sum;
            if (!held[i] && size > scale) scale = size;
        }
        if (!factorize(H, held, m, width, regularization, C)) return 0;
        if (!(scale > 0.0)) return 1;
        double slope = 0.0, longest = 0.0;
        for (int64_t i = 0; i < m; i++) { /* forward substitution */
            double sum = held[i] ? 0.0 : -gradient[i];
            for (int64_t j = 0; j < i; j++) sum -= C[i * m + j] * step[j];
            step[i] = sum * C[i * m + i];
        }
        for (int64_t i = m - 1; i >= 0; i--) {
            double sum = step[i];
            for (int64_t j = i + 1; j < m; j++) sum -= C[j * m + i] * step[j];
            step[i] = held[i] ? 0.0 : sum * C[i * m + i];
        }
        for (int64_t i = 0; i < m; i++) {
            slope += gradient[i] * step[i];
            double size = u[i] < 0.0 ? -u[i] : u[i];
            longest = size > longest ? size : longest;
        }
        double fraction = 1.0, moved = 0.0;
        for (int64_t trial = 0; trial < 40; trial++, fraction *= 0.5) {
            double next = 0.0;
            moved = 0.0;
            for (int64_t i = 0; i < m; i++) {
                double x = u[i] + fraction * step[i];
                x = x < low[i] ? low[i] : x > high[i] ? high[i] : x;
                gradient[i] = x;
                double change = x - u[i] < 0.0 ? u[i] - x : x - u[i];
                moved = change > moved ? change : moved;
            }
            for (int64_t i = 0; i < m; i++) {
                double sum = 2.0 * g[i * stride] + regularization * gradient[i];
                for (int64_t j = 0; j < m; j++)
                    sum += H[(i < j ? i : j) * width + (i < j ? j : i)] * gradient[j];
                next += 0.5 * gradient[i] * sum;
            }
            if (next <= value + 0.1 * fraction * slope || moved <= 1e-12 * (1.0 + longest)) break;
        }
        for (int64_t i = 0; i < m; i++) u[i] = gradient[i];
        if (moved <= 1e-12 * (1.0 + longest)) return factorize(H, held, m, width, regularization, C);
    }
    return factorize(H, held, m, width, regularization, C);
}

/* Q = L + F^T V F for q' = q + h v' + e, from the lower half of F and sums of blocks of V. */
static void multiply_euler(double *Q, const double *V, const double *stage, double h, int64_t n,
                           int64_t m, int64_t width, double *W, double *blocks) {
    int64_t d = n / 2, size = m + n;
    const double *F = stage + d * width;
    double *cross = blocks, *square = cross + d * d, *g = square + d * d;
    for (int64_t i = 0; i < n; i++) {
        g[i] = V[i * width + size];
        for (int64_t j = 0; j < d; j++) g[i] += V[i * width + m + j] * stage[j * width + size];
    }
    for (int64_t i = 0; i < d; i++) {
        const double *top = V + i * width + m, *bottom = V + (d + i) * width + m;
        for (int64_t j = 0; j < d; j++) {
            cross[i * d + j] = top[d + j] + h * top[j];
            square[i * d + j] = bottom[d + j] + h * bottom[j] + h * cross[i * d + j];
        }
    }
    multiply(W, 0, 1.0, square, d, 1, F, d, d, width, -1);
    for (int64_t i = 0; i < d; i++) {
        for (int64_t j = 0; j < d; j++) W[i * width + m + j] += cross[j * d + i];
        W[i * width + size] += g[d + i] + h * g[i];
    }
    multiply(Q, stage + n * width, 1.0, F, 1, width, W, size, d, width, 0);
    multiply(Q + m * width, Q + m * width, 1.0, cross, d, 1, F, d, d, width, m);
    for (int64_t i = 0; i < d; i++) {
        for (int64_t j = 0; j < d; j++) Q[(m + i) * width + m + j] += V[i * width + m + j];
        Q[(m + i) * width + size] += g[i];
    }
}

/* Compute the feedback u = K z of all knots, from the last to the first.
 *
 * data: address of the entries of each knot. low, high: limits of u (knots - 1, m), or null.
 * policy: K (knots - 1, m, width), zeros in the columns of u. values: Hessian and gradient of the
 * cost to go (knots, n, width) in the columns of x and 1. change: the part of the change of the cost
 * that is linear in the constant part of the feedback, and the quadratic part, if all defects are 0.
 * `regularization` is added to the Hessians in the control and of the cost to go. Returns -1, or
 * the knot at which the Hessian in the control is not positive definite or not finite. */
int64_t jounce_riccati_backward(const Recursion *r, const double *const *data, const double *low,
                                const double *high, double regularization, double *policy,
                                double *values, double *change) {
    int64_t n = r->n, m = r->m, width = r->width, N = r->knots - 1, size = m + n;
    double *stage = r->workspace, *W = stage + (2 * n + m + 1) * width, *Q = W + n * width;
    double *Y = Q + size * width, *C = Y + (m + 1) * width, *box = C + m * m;
    double *blocks = box + 3 * m;
    uint8_t *held = (uint8_t *)(blocks + n * (n + 1));
    const double *L = stage + n * width;
    int32_t kind = fill(r, N, -1, data[N], stage);
    memcpy(values + N * n * width, L + m * width, (uint64_t)(n * width) * sizeof(double));
    memset(held, 0, (uint64_t)m);
    change[0] = change[1] = 0.0;
    for (int64_t k = N - 1; k >= 0; k--) {
        double *V = values + (k + 1) * n * width, *K = policy + k * m * width;
        for (int64_t i = 0; i < n; i++) V[i * width + m + i] += regularization;
        for (int64_t i = 1; i < n; i++)
            for (int64_t j = 0; j < i; j++) V[i * width + m + j] = V[j * width + m + i];
        kind = fill(r, k, kind, data[k], stage);
        int64_t step = r->patterns[kind].step;
        if (step >= 0) {
            multiply_euler(Q, V, stage, data[k][step], n, m, width, W, blocks);
        } else {
            multiply(W, 0, 1.0, V + m, width, 1, stage, n, n, width, -1);
            for (int64_t i = 0; i < n; i++) W[i * width + size] += V[i * width + size];
            multiply(Q, L, 1.0, stage, 1, width, W, size, n, width, 0);
        }
        double *gradient = box + 2 * m;
        if (low) {
            const double *bottom = low + k * m, *top = high + k * m;
            if (!minimize_in_box(Q, Q + size, width, bottom, top, m, width, regularization, held, C,
                                 box, box + m, box + 2 * m))
                return k;
        } else if (!factorize(Q, held, m, width, regularization, C)) {
            return k;
        }
        for (int64_t a = 0; a < m; a++) gradient[a] = Q[a * width + size];
        for (int64_t c = 0; c < m; c++) {
            if (!held[c]) continue;
            for (int64_t i = 0; i < size; i++) {
                if (i < m && held[i]) continue;
                double H = i < c ? Q[i * width + c] : Q[c * width + i];
                Q[i * width + size] += H * box[c];
            }
        }
        for (int64_t j = m / LANES * LANES; j < width; j += LANES) {
            for (int64_t a = 0; a < m; a++) {
                Vector sum = {0.0};
                if (!held[a]) sum = vector_at(Q + a * width + j);
                for (int64_t b = 0; b < a; b++) sum -= C[a * m + b] * vector_at(Y + b * width + j);
                *(Vector *)(Y + a * width + j) = sum * C[a * m + a];
            }
            for (int64_t a = m - 1; a >= 0; a--) {
                Vector sum = -vector_at(Y + a * width + j);
                for (int64_t b = a + 1; b < m; b++)
                    sum -= C[b * m + a] * vector_at(K + b * width + j);
                *(Vector *)(K + a * width + j) = sum * C[a * m + a];
            }
        }
        multiply(values + k * n * width, Q + m * width, -1.0, Y + m, 1, width, Y, n, m, width, m);
        for (int64_t a = 0; a < m; a++) {
            for (int64_t j = 0; j < m; j++) K[a * width + j] = 0.0;
            for (int64_t j = size + 1; j < width; j++) K[a * width + j] = 0.0;
            if (held[a]) K[a * width + size] = box[a];
            if (!(K[a * width + size] - K[a * width + size] == 0.0)) return k;
            double kappa = K[a * width + size];
            change[0] += gradient[a] * kappa;
            change[1] += 0.5 * Q[a * width + a] * kappa * kappa;
            for (int64_t b = 0; b < a; b++)
                change[1] += Q[b * width + a] * kappa * K[b * width + size];
        }
    }
    return -1;
}

/* Compute the changes x (knots, n) and u (knots - 1, m) of a linear rollout with the feedback,
 * from x[0] on, within the limits.
 *
 * multipliers: gradients of the cost to go at x (knots, n). change: the part of the change of the
 * cost that is linear in the step, and the quadratic part. */
void jounce_riccati_forward(const Recursion *r, const double *const *data, const double *low,
                            const double *high, const double *policy, const double *values,
                            double *x, double *u, double *multipliers, double *change) {
    int64_t n = r->n, m = r->m, width = r->width, N = r->knots - 1, size = m + n;
    double *z = r->workspace, *sums = z + width;
    change[0] = change[1] = 0.0;
    for (int64_t k = 0; k <= N; k++) {
        const Pattern *pattern = r->patterns + r->pattern_of[k];
        const double *V = values + k * n * width, *now = x + k * n;
        memset(z, 0, (uint64_t)width * sizeof(double));
        memcpy(z + m, now, (uint64_t)n * sizeof(double));
        memset(sums, 0, (uint64_t)width * sizeof(double));
        if (k > 0) /* the whole matrix is there, except at the first knot, where x = 0 */
            for (int64_t i = 0; i < n; i++)
                for (int64_t j = m / LANES * LANES; j < width; j += LANES)
                    *(Vector *)(sums + j) = vector_at(sums + j) + now[i] * vector_at(V + i * width + j);
        for (int64_t i = 0; i < n; i++) multipliers[k * n + i] = V[i * width + size] + sums[m + i];
        if (k < N) {
            z[size] = 1.0;
            for (int64_t a = 0; a < m; a++) {
                Vector sum = {0.0};
                for (int64_t j = m / LANES * LANES; j < width; j += LANES)
                    sum += vector_at(policy + (k * m + a) * width + j) * vector_at(z + j);
                double value = 0.0;
                for (int64_t j = 0; j < LANES; j++) value += sum[j];
                if (low) {
                    double bottom = low[k * m + a], top = high[k * m + a];
                    value = value < bottom ? bottom : value > top ? top : value;
                }
                u[k * m + a] = value;
            }
            memcpy(z, u + k * m, (uint64_t)m * sizeof(double));
            double *next = x + (k + 1) * n;
            for (int64_t i = 0; i < n; i++) next[i] = 0.0;
            for (int64_t e = 0; e < pattern->fixed; e++)
                next[pattern->fixed_rows[e]] += pattern->values[e] * z[pattern->fixed_columns[e]];
            for (int64_t e = pattern->defects; e < pattern->dynamics; e++)
                next[pattern->rows[e]] += data[k][e] * z[pattern->columns[e]];
            if (pattern->step >= 0)
                for (int64_t i = 0; i < n / 2; i++)
                    next[i] += now[i] + data[k][pattern->step] * next[n / 2 + i];
        }
        z[size] = 1.0;
        for (int64_t e = pattern->dynamics; e < pattern->count; e++) {
            int64_t i = pattern->rows[e] - n, j = pattern->columns[e];
            double part = data[k][e] * z[i] * z[j];
            if (j == size) change[0] += part;
            else change[1] += i == j ? 0.5 * part : part;
        }
    }
}
