/* A robot that moves by itself: no page, no drawing, so that it runs wherever its kernels do.
 *
 * Dormand and Prince's method of order 5 with an estimate of its error chooses its own steps. The
 * state is q, v and the work that damping, stops, the floor and hands did, so that
 *   kinetic + potential - work
 * stays what it was however the robot is pulled: its drift says how good the steps were.
 */
class Simulator {
  /**
   * @param robot what `load` gave: kernels as functions
   * @param setup what the page knows of the robot: sizes, damping, stops, whether loops close
   */
  constructor(robot, setup) {
    this.robot = robot;
    this.setup = setup;
    this.nq = robot.nq;
    this.nv = robot.nv;
    this.nb = robot.nb;
    this.n = this.nq + this.nv + 1;
    this.gravity = true;
    this.ownDamping = true; // what the robot's file says
    this.extraDamping = 0; // 1/s: what motions decay by besides
    this.stops = false;
    this.floor = null; // {height, points: [{body, point}]}, or nothing to fall on
    this.hold = null; // like drag, several: what keeps a base in the air
    this.drag = null; // {body, point, target, stiffness, damping}
    this.tolerance = 1e-9;
    this.largest = 1 / 60; // s
    const make = (count) => new Float64Array(count);
    this.stages = Array.from({ length: 7 }, () => make(this.n));
    this.y = make(this.n);
    this.trial = make(this.n);
    this.tau = make(this.nv);
    this.bend = make(this.nv);
    this.rates = make(this.nq);
    this.acceleration = make(this.nv);
    this.wrenches = make(6 * this.nb);
    this.poses = make(16 * this.nb);
    this.twists = make(6 * this.nb);
    this.none = make(this.nv);
    this.flatly = !robot.rates_from_velocity; // velocities are the rates of the coordinates
    this.set(setup.start, null);
  }

  get q() {
    return this.y.subarray(0, this.nq);
  }

  get v() {
    return this.y.subarray(this.nq, this.nq + this.nv);
  }

  get work() {
    return this.y[this.n - 1];
  }

  /** Start anew from a configuration, with a velocity or at rest. */
  set(q, v) {
    this.y.fill(0);
    this.y.set(q, 0);
    if (v) this.y.set(v, this.nq);
    this.settle(this.y);
    this.time = 0;
    this.h = 1e-3;
    this.steps = 0;
    this.fresh = false;
    this.inertia = this.diagonal();
    this.rebase();
  }

  /** Count energy and work from now on. */
  rebase() {
    this.y[this.n - 1] = 0;
    this.fresh = false;
    this.reference = this.energy().total;
    this.scale = 0;
  }

  /** What a number per velocity is that velocities are slowed by: the inertia that each one has. */
  diagonal() {
    const M = this.robot.mass_matrix(this.q);
    return Float64Array.from({ length: this.nv }, (_, i) => M[i * this.nv + i]);
  }

  /** Kinetic, potential (of gravity, springs of stops and floor) and total energy. */
  energy() {
    const one = (x) => (typeof x === "number" ? x : x[0]);
    const kinetic = one(this.robot.kinetic_energy(this.q, this.v));
    let potential = this.gravity ? one(this.robot.potential_energy(this.q)) : 0;
    if (this.stops) {
      for (const [i, k, low, high] of this.setup.stops) {
        const beyond = Math.max(this.y[i] - high, 0) + Math.min(this.y[i] - low, 0);
        potential += 0.5 * this.stiffness(k) * beyond * beyond;
      }
    }
    if (this.floor) potential += this.floorEnergy();
    return { kinetic, potential, total: kinetic + potential };
  }

  /** How much energy was lost or won without anyone's work, relative to what moved so far. */
  drift() {
    const { kinetic, potential, total } = this.energy();
    const moved = Math.max(kinetic, Math.abs(total - this.reference), Math.abs(potential));
    this.scale = Math.max(this.scale, moved, 1e-12);
    return (total - this.work - this.reference) / this.scale;
  }

  stiffness(k) {
    return this.inertia[k] * 1600; // 40 rad/s
  }

  // ---------------------------------------------------------------- forces

  /** Rates of a state into `out`. */
  derivative(y, out) {
    const { nq, nv, robot } = this;
    const q = y.subarray(0, nq);
    const v = y.subarray(nq, nq + nv);
    let power = 0;
    for (let k = 0; k < nv; k++) {
      const own = this.ownDamping ? this.setup.damping[k] : 0;
      const slow = own + this.extraDamping * this.setup.damped[k] * this.inertia[k];
      this.tau[k] = -slow * v[k];
      power += this.tau[k] * v[k];
    }
    if (this.stops) power += this.stopped(q, v);
    if (!this.gravity) {
      robot.gravity_forces.into(this.bend, q);
      for (let k = 0; k < nv; k++) this.tau[k] += this.bend[k];
    }
    const pushed = this.drag || this.hold || this.floor;
    if (pushed) power += this.pushed(q, v);
    if (pushed) robot.forward_dynamics.into(this.acceleration, q, v, this.tau, this.wrenches);
    else robot.forward_dynamics.into(this.acceleration, q, v, this.tau);
    if (this.flatly) out.set(v, 0);
    else {
      robot.rates_from_velocity.into(this.rates, q, v);
      out.set(this.rates, 0);
    }
    out.set(this.acceleration, nq);
    out[this.n - 1] = power;
  }

  /** Forces of the springs at joint limits; returns what their losses do. */
  stopped(q, v) {
    let power = 0;
    for (const [i, k, low, high] of this.setup.stops) {
      const beyond = Math.max(q[i] - high, 0) + Math.min(q[i] - low, 0);
      if (beyond === 0) continue;
      const k0 = this.stiffness(k);
      const loss = -k0 * Math.abs(beyond) * 0.4 * v[k];
      this.tau[k] += -k0 * beyond + loss;
      power += loss * v[k];
    }
    return power;
  }

  /** Wrenches of hands, of what holds the base and of the floor; returns their power. */
  pushed(q, v) {
    this.wrenches.fill(0);
    this.robot.body_poses.into(this.poses, q);
    this.robot.body_twists.into(this.twists, q, v);
    let power = 0;
    if (this.drag) power += this.pulled(this.drag);
    for (const spring of this.hold ?? []) power += this.pulled(spring);
    if (this.floor) {
      for (const spot of this.floor.points) power += this.carried(spot);
    }
    return power;
  }

  /** Where a point of a body is, and how fast it moves, in the world. */
  point(body, at) {
    const T = this.poses;
    const t = this.twists;
    const p = 16 * body;
    const w = 6 * body;
    const [x, y, z] = at;
    const own = [
      t[w + 3] + t[w + 1] * z - t[w + 2] * y,
      t[w + 4] + t[w + 2] * x - t[w] * z,
      t[w + 5] + t[w] * y - t[w + 1] * x,
    ];
    const place = [0, 0, 0];
    const speed = [0, 0, 0];
    for (let i = 0; i < 3; i++) {
      const r = p + 4 * i;
      place[i] = T[r] * x + T[r + 1] * y + T[r + 2] * z + T[r + 3];
      speed[i] = T[r] * own[0] + T[r + 1] * own[1] + T[r + 2] * own[2];
    }
    return { place, speed };
  }

  /** Add a force (in the world) at a point (of the body) to the wrenches. */
  push(body, at, force) {
    const T = this.poses;
    const p = 16 * body;
    const f = [0, 1, 2].map((j) => T[p + j] * force[0] + T[p + 4 + j] * force[1] + T[p + 8 + j] * force[2]);
    const w = 6 * body;
    this.wrenches[w] += at[1] * f[2] - at[2] * f[1];
    this.wrenches[w + 1] += at[2] * f[0] - at[0] * f[2];
    this.wrenches[w + 2] += at[0] * f[1] - at[1] * f[0];
    for (let i = 0; i < 3; i++) this.wrenches[w + 3 + i] += f[i];
  }

  /** A spring with a damper from a point of a body to a target. */
  pulled(spring) {
    const { place, speed } = this.point(spring.body, spring.point);
    let power = 0;
    const force = [0, 1, 2].map((i) => spring.stiffness * (spring.target[i] - place[i]) - spring.damping * speed[i]);
    for (let i = 0; i < 3; i++) power += force[i] * speed[i];
    this.push(spring.body, spring.point, force);
    return power;
  }

  /** What the floor does at a point: a spring upward, with losses, and friction. */
  carried(spot) {
    const { up, height, stiffness } = this.floor;
    const { place, speed } = this.point(spot.body, spot.point);
    const deep = height - (place[0] * up[0] + place[1] * up[1] + place[2] * up[2]);
    if (deep <= 0) return 0;
    const rise = speed[0] * up[0] + speed[1] * up[1] + speed[2] * up[2];
    const lift = Math.max(stiffness * deep * (1 - 1.2 * rise), 0);
    const slip = [0, 1, 2].map((i) => speed[i] - rise * up[i]);
    const grip = (0.8 * lift) / Math.hypot(slip[0], slip[1], slip[2], 0.05);
    const force = [0, 1, 2].map((i) => lift * up[i] - grip * slip[i]);
    this.push(spot.body, spot.point, force);
    const power = force[0] * speed[0] + force[1] * speed[1] + force[2] * speed[2];
    return power - stiffness * deep * rise; // the spring's share is potential energy
  }

  floorEnergy() {
    const { up, height, stiffness, points } = this.floor;
    this.robot.body_poses.into(this.poses, this.q);
    let energy = 0;
    for (const { body, point } of points) {
      const { place } = this.point(body, point);
      const deep = height - (place[0] * up[0] + place[1] * up[1] + place[2] * up[2]);
      if (deep > 0) energy += 0.5 * stiffness * deep * deep;
    }
    return energy;
  }

  /** A spring for a hand at a point of a body: as stiff as suits what it moves there. */
  grasp(body, point, frequency = 1.5) {
    const { robot, nv, nb } = this;
    robot.body_poses.into(this.poses, this.q);
    robot.body_twists.into(this.twists, this.q, this.none);
    const M = robot.mass_matrix(this.q);
    const still = robot.forward_dynamics(this.q, this.none, this.none, new Float64Array(6 * nb)).slice();
    let light = 0;
    for (let i = 0; i < 3; i++) {
      this.wrenches.fill(0);
      this.push(body, point, [Number(i === 0), Number(i === 1), Number(i === 2)]);
      const moved = robot.forward_dynamics(this.q, this.none, this.none, this.wrenches);
      // f^T J M^-1 J^T f, with M^-1 J^T f = what a unit force adds to the acceleration
      let sum = 0;
      for (let a = 0; a < nv; a++) {
        for (let b = 0; b < nv; b++) sum += (moved[a] - still[a]) * M[a * nv + b] * (moved[b] - still[b]);
      }
      light = Math.max(light, sum);
    }
    const mass = Number.isFinite(light) && light > 0 ? 1 / light : 0;
    const omega = 2 * Math.PI * frequency;
    const { place } = this.point(body, point);
    return { body, point, target: place, stiffness: mass * omega * omega, damping: 1.2 * mass * omega };
  }

  // ---------------------------------------------------------------- time

  /** One step of size h from y into `trial`; the size of its error relative to the tolerance. */
  attempt(h) {
    const { y, trial, n, stages } = this;
    if (!this.fresh) this.derivative(y, stages[0]);
    this.fresh = true;
    for (let s = 1; s < 7; s++) {
      const row = Simulator.ROWS[s];
      for (let i = 0; i < n; i++) {
        let sum = 0;
        for (let j = 0; j < s; j++) sum += row[j] * stages[j][i];
        trial[i] = y[i] + h * sum;
      }
      this.derivative(trial, stages[s]);
    }
    let sum = 0;
    for (let i = 0; i < n - 1; i++) {
      let e = 0;
      for (let s = 0; s < 7; s++) e += Simulator.ERROR[s] * stages[s][i];
      const size = 1 + Math.max(Math.abs(y[i]), Math.abs(trial[i]));
      sum = Math.max(sum, Math.abs(h * e) / size);
    }
    return sum / this.tolerance;
  }

  /** Unit quaternions, and loops closed. */
  settle(y) {
    const q = y.subarray(0, this.nq);
    if (this.setup.closed) return this.close(q);
    if (this.robot.normalise) {
      this.robot.normalise.into(this.rates, q);
      q.set(this.rates);
    }
    return 0;
  }

  /** Close the loops near q, in place; how far they are from closed. */
  close(q) {
    const { robot } = this;
    let gap = Infinity;
    for (let k = 0; k < 8; k++) {
      robot.integrate.into(this.rates, q, this.none);
      q.set(this.rates);
      const last = gap;
      gap = this.gap(q);
      if (!(gap > 1e-15 && gap < last)) break;
    }
    return gap;
  }

  /** By how much loops are open, rad or m; zero for a tree. */
  gap(q) {
    if (!this.setup.closed) return 0;
    let most = 0;
    for (const x of this.robot.loop_residual(q)) most = Math.max(most, Number.isNaN(x) ? Infinity : Math.abs(x));
    return most;
  }

  /**
   * Go on for some time. `enough()` is asked after each step whether to stop early.
   * @returns the time that was simulated; less than asked for if it was enough
   */
  advance(duration, enough = () => false) {
    const end = this.time + duration;
    while (this.time < end - 1e-12) {
      const rest = end - this.time;
      const h = Math.min(this.h, this.largest, rest);
      const error = this.attempt(h);
      if (!(error <= 1)) {
        const smaller = Number.isFinite(error) ? Math.max(0.9 * error ** -0.2, 0.2) : 0.2;
        this.h = h * smaller;
        if (this.h < 1e-8) throw new Error(this.setup.closed ? Simulator.STUCK_LOOPS : Simulator.STUCK);
        continue;
      }
      const factor = Math.min(0.9 * Math.max(error, 1e-6) ** -0.2, 4);
      // a step cut short by the end of a frame says nothing against a longer one
      this.h = h < this.h ? Math.max(this.h, h * factor) : h * factor;
      this.time = h === rest ? end : this.time + h;
      this.accept();
      if (enough()) break;
    }
    return this.time - (end - duration);
  }

  accept() {
    const { y, trial, stages, nq } = this;
    y.set(trial);
    this.steps += 1;
    const gap = this.settle(y);
    if (!(gap < 1e-9)) throw new Error(Simulator.STUCK_LOOPS);
    if (this.setup.closed) this.fresh = false; // closing moved it
    else {
      stages[0].set(stages[6]); // the last stage is the next one's first
      if (!this.flatly) {
        this.robot.rates_from_velocity.into(this.rates, this.q, this.v);
        stages[0].set(this.rates.subarray(0, nq), 0);
      }
    }
  }

  /**
   * Move coordinates to where someone wants them, loops closed all the way.
   * @param change q in place, a share (0 to 1] of the way from `from`
   * @returns whether it got there; if not, it is as far as it could be
   */
  move(change, count = 1) {
    const from = this.q.slice();
    const kept = from.slice();
    for (let k = 1; k <= count; k++) {
      const next = kept.slice();
      change(next, from, k / count);
      if (this.setup.closed) {
        const before = next.slice();
        const gap = this.close(next);
        let jump = 0;
        for (let i = 0; i < next.length; i++) jump = Math.max(jump, Math.abs(next[i] - kept[i]));
        if (!(gap < 1e-9) || !(jump < 0.6) || before.some((x) => Number.isNaN(x))) {
          this.set(kept, null);
          return false;
        }
      }
      kept.set(next);
    }
    this.set(kept, null);
    return true;
  }
}

Simulator.STUCK = "The motion became too fast to follow here; reset to start again.";
Simulator.STUCK_LOOPS =
  "The loops cannot be followed beyond this pose: the independent joints no longer determine the others. " +
  "Reset, or move a slider back.";

Simulator.ROWS = [
  [],
  [1 / 5],
  [3 / 40, 9 / 40],
  [44 / 45, -56 / 15, 32 / 9],
  [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
  [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
  [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
];
Simulator.ERROR = [71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40];

/** Eigenvalues of a symmetric matrix (n, n), ascending: Jacobi's rotations. */
function eigenvalues(matrix, n) {
  const A = Float64Array.from(matrix);
  const at = (i, j) => i * n + j;
  for (let sweep = 0; sweep < 30; sweep++) {
    let off = 0;
    let all = 0;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        const square = A[at(i, j)] ** 2;
        all += square;
        if (i !== j) off += square;
      }
    }
    if (!(off > 1e-30 * all)) break;
    for (let p = 0; p < n - 1; p++) {
      for (let q = p + 1; q < n; q++) {
        if (A[at(p, q)] === 0) continue;
        const theta = (A[at(q, q)] - A[at(p, p)]) / (2 * A[at(p, q)]);
        const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.hypot(theta, 1));
        const c = 1 / Math.hypot(t, 1);
        const s = t * c;
        for (let k = 0; k < n; k++) {
          const x = A[at(k, p)];
          const y = A[at(k, q)];
          A[at(k, p)] = c * x - s * y;
          A[at(k, q)] = s * x + c * y;
        }
        for (let k = 0; k < n; k++) {
          const x = A[at(p, k)];
          const y = A[at(q, k)];
          A[at(p, k)] = c * x - s * y;
          A[at(q, k)] = s * x + c * y;
        }
      }
    }
  }
  return Float64Array.from({ length: n }, (_, i) => A[at(i, i)]).sort();
}
