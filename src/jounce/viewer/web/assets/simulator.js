/* Simulation of a robot, independent of page and drawing, so that it also runs in node.
 *
 * Dormand-Prince method of order 5 with adaptive steps. The state is q, v and the work of damping,
 * stops, floor, dragging and the controller, so that
 *   kinetic + potential - work
 * is constant, and its drift measures the accuracy of the integration.
 */
class Simulator {
  /**
   * @param robot result of `load`: kernels as functions
   * @param setup data of the page: sizes, damping, stops, whether there are loops
   * @param tree for a mechanism, kernels of its tree: all joints are simulated with the forces of the
   *   loops, so that singularities of the independent joints do not matter
   */
  constructor(robot, setup, tree = null) {
    this.robot = robot;
    this.setup = setup;
    this.tree = tree ?? robot;
    this.closed = Boolean(tree);
    this.dynamics = tree ? robot.constrained_dynamics : robot.forward_dynamics;
    this.able = Boolean(this.dynamics); // else something moves without resistance
    this.nq = robot.nq;
    this.nv = this.tree.nv; // of all joints
    this.nb = robot.nb;
    this.n = this.nq + this.nv + 1;
    this.gravity = true;
    this.ownDamping = true; // what the robot's file says
    this.extraDamping = 0; // 1/s: what motions decay by besides
    this.stops = false;
    this.floor = null; // {up, height, stiffness, points: [{body, point}]}, or nothing to fall on
    this.hold = null; // like drag, several: what keeps a base in the air
    this.drag = null; // {body, point, target, stiffness, damping}
    this.control = null; // a controller, see control.js
    this.tolerance = 1e-9;
    this.largest = 1 / 60; // s
    const make = (count) => new Float64Array(count);
    this.stages = Array.from({ length: 7 }, () => make(this.n));
    this.y = make(this.n);
    this.trial = make(this.n);
    this.tau = make(this.nv);
    this.bend = make(this.nv);
    this.rates = make(this.nq);
    this.accelerations = make(this.nv);
    this.wrenches = make(6 * this.nb);
    this.poses = make(16 * this.nb);
    this.twists = make(6 * this.nb);
    this.still = make(robot.nv);
    this.flatly = !this.tree.rates_from_velocity; // velocities are the rates of the coordinates
    this.set(setup.start, null);
  }

  get q() {
    return this.y.subarray(0, this.nq);
  }

  /** Velocities of all joints. */
  get velocities() {
    return this.y.subarray(this.nq, this.nq + this.nv);
  }

  /** What the robot's quantities call v: of a mechanism, velocities of the independent joints. */
  get v() {
    return this.independent(this.velocities);
  }

  get a() {
    return this.independent(this.accelerations);
  }

  get work() {
    return this.y[this.n - 1];
  }

  independent(values) {
    return this.closed ? Float64Array.from(this.setup.active, (k) => values[k]) : values;
  }

  /** Start anew from a configuration, with a velocity or at rest. */
  set(q, v) {
    this.y.fill(0);
    this.y.set(q, 0);
    if (v) this.y.set(v, this.nq);
    this.settle();
    this.time = 0;
    this.due = 0; // when a sampled controller is called next
    this.control?.restart();
    this.h = 1e-3;
    this.steps = 0;
    this.fresh = false;
    this.inertia = this.diagonal();
    this.rebase();
  }

  /** Restart the energy balance. */
  rebase() {
    this.y[this.n - 1] = 0;
    this.fresh = false;
    this.reference = this.energy().total;
    this.scale = 0;
  }

  /** What a number per velocity is that velocities are slowed by: the inertia that each one has. */
  diagonal() {
    const M = this.tree.mass_matrix(this.q);
    return Float64Array.from({ length: this.nv }, (_, i) => M[i * this.nv + i]);
  }

  /** Kinetic, potential (of gravity, springs of stops and floor) and total energy. */
  energy() {
    const one = (x) => (typeof x === "number" ? x : x[0]);
    const kinetic = one(this.tree.kinetic_energy(this.q, this.velocities));
    let potential = this.gravity ? one(this.tree.potential_energy(this.q)) : 0;
    if (this.stops) {
      for (const [i, k, low, high] of this.setup.stops) {
        const beyond = Math.max(this.y[i] - high, 0) + Math.min(this.y[i] - low, 0);
        potential += 0.5 * this.stiffness(k) * beyond * beyond;
      }
    }
    if (this.floor) potential += this.floorEnergy();
    return { kinetic, potential, total: kinetic + potential };
  }

  /** Energy error relative to the exchanged energy. */
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

  /** Write the time derivative of a state to `out`. */
  derivative(y, out) {
    const { nq, nv, tree } = this;
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
    if (this.control) power += this.controlled(q, v);
    if (!this.gravity) {
      tree.gravity_forces.into(this.bend, q);
      for (let k = 0; k < nv; k++) this.tau[k] += this.bend[k];
    }
    const pushed = this.drag || this.hold || this.floor;
    if (pushed) power += this.pushed(q, v);
    if (!this.able) this.accelerations.fill(NaN);
    else if (pushed) this.dynamics.into(this.accelerations, q, v, this.tau, this.wrenches);
    else this.dynamics.into(this.accelerations, q, v, this.tau);
    if (this.flatly) out.set(v, 0);
    else {
      tree.rates_from_velocity.into(this.rates, q, v);
      out.set(this.rates, 0);
    }
    out.set(this.accelerations, nq);
    out[this.n - 1] = power;
  }

  /** Forces of the springs at joint limits; returns the power of their damping. */
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

  /** Forces of the controller, on a mechanism at its independent joints; returns their power. */
  controlled(q, v) {
    const { control, setup } = this;
    const command = control.sampled ? control.command : control.evaluate(q, this.independent(v));
    let power = 0;
    for (let k = 0; k < command.length; k++) {
      const joint = this.closed ? setup.active[k] : k;
      this.tau[joint] += command[k];
      power += command[k] * v[joint];
    }
    return power;
  }

  /** Compute wrenches of dragging, the fixed base and the floor; return their power. */
  pushed(q, v) {
    this.wrenches.fill(0);
    this.tree.body_poses.into(this.poses, q);
    this.tree.body_twists.into(this.twists, q, v);
    let power = 0;
    if (this.drag) power += this.pulled(this.drag);
    for (const spring of this.hold ?? []) power += this.pulled(spring);
    return this.floor ? power + this.carried() : power;
  }

  /** Position and velocity of a point of a body, in the world. */
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

  /** Floor contact: a spring with damping and friction at each point below the floor. */
  carried() {
    let power = 0;
    this.sunk((body, point, deep) => {
      const { up, stiffness } = this.floor;
      const { speed } = this.point(body, point);
      const rise = speed[0] * up[0] + speed[1] * up[1] + speed[2] * up[2];
      const lift = Math.max(stiffness * deep * (1 - 1.2 * rise), 0);
      const [x, y, z] = [speed[0] - rise * up[0], speed[1] - rise * up[1], speed[2] - rise * up[2]];
      const grip = (0.8 * lift) / Math.hypot(x, y, z, Simulator.CREEP);
      this.push(body, point, [lift * up[0] - grip * x, lift * up[1] - grip * y, lift * up[2] - grip * z]);
      // the spring's share is potential energy
      power += (lift - stiffness * deep) * rise - grip * (x * x + y * y + z * z);
    });
    return power;
  }

  /** Calls `each(body, point, depth)` for points of the floor's list that are below it. */
  sunk(each) {
    const { up, height, points } = this.floor;
    const T = this.poses;
    let last = -1;
    let [x, y, z, base] = [0, 0, 0, 0];
    for (let k = 0; k < points.length; k++) {
      const { body, point } = points[k];
      if (body !== last) {
        const p = 16 * body;
        x = up[0] * T[p] + up[1] * T[p + 4] + up[2] * T[p + 8];
        y = up[0] * T[p + 1] + up[1] * T[p + 5] + up[2] * T[p + 9];
        z = up[0] * T[p + 2] + up[1] * T[p + 6] + up[2] * T[p + 10];
        base = height - (up[0] * T[p + 3] + up[1] * T[p + 7] + up[2] * T[p + 11]);
        last = body;
      }
      const deep = base - x * point[0] - y * point[1] - z * point[2];
      if (deep > 0) each(body, point, deep);
    }
  }

  floorEnergy() {
    this.tree.body_poses.into(this.poses, this.q);
    let energy = 0;
    this.sunk((body, point, deep) => {
      energy += 0.5 * this.floor.stiffness * deep * deep;
    });
    return energy;
  }

  /** Start a dragging spring at a point of a body, with a stiffness for its effective mass. */
  grasp(body, point, frequency = 1.5) {
    const { tree, nv, q } = this;
    const none = new Float64Array(nv);
    tree.body_poses.into(this.poses, q);
    tree.body_twists.into(this.twists, q, none);
    const M = tree.mass_matrix(q);
    const before = this.dynamics(q, none, none, this.wrenches.fill(0));
    let light = 0;
    for (let i = 0; i < 3; i++) {
      this.wrenches.fill(0);
      this.push(body, point, [Number(i === 0), Number(i === 1), Number(i === 2)]);
      const after = this.dynamics(q, none, none, this.wrenches);
      // f^T J M^-1 J^T f, where M^-1 J^T f is the acceleration by a unit force
      let sum = 0;
      for (let a = 0; a < nv; a++) {
        for (let b = 0; b < nv; b++) sum += (after[a] - before[a]) * M[a * nv + b] * (after[b] - before[b]);
      }
      light = Math.max(light, sum);
    }
    const mass = Number.isFinite(light) && light > 0 ? 1 / light : 0;
    const omega = 2 * Math.PI * frequency;
    const { place } = this.point(body, point);
    return { body, point, target: place, stiffness: mass * omega * omega, damping: 1.2 * mass * omega };
  }

  // ---------------------------------------------------------------- time

  /** One step of size h from y into `trial`; return the error relative to the tolerance. */
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

  /** Normalize quaternions and close loops; return the remaining gap. */
  settle() {
    if (this.closed) return this.project();
    if (this.robot.normalize) {
      this.robot.normalize.into(this.rates, this.q);
      this.q.set(this.rates);
    }
    return 0;
  }

  /** Close the loops by the shortest motion of all joints, and project velocities onto them. */
  project() {
    const { q, nv } = this;
    let gap = this.gap(q);
    for (let k = 0; k < 6 && gap > 1e-14; k++) {
      const step = this.shortest(this.robot.loop_jacobian(q), this.robot.loop_residual(q));
      this.tree.integrate.into(this.rates, q, step);
      const better = this.gap(this.rates);
      if (!(better < gap)) break;
      gap = better;
      q.set(this.rates);
    }
    const v = this.velocities;
    const G = this.robot.loop_jacobian(q);
    const rates = new Float64Array(G.length / nv);
    for (let i = 0; i < rates.length; i++) {
      for (let j = 0; j < nv; j++) rates[i] += G[i * nv + j] * v[j];
    }
    const step = this.shortest(G, rates);
    for (let k = 0; k < nv; k++) v[k] += step[k];
    return gap;
  }

  /** The shortest x with G x = -r, or its least-squares solution: (G^T G) x = -G^T r, slightly damped. */
  shortest(G, r) {
    const n = this.nv;
    const A = new Float64Array(n * n);
    const x = new Float64Array(n);
    let trace = 0;
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < r.length; k++) {
        x[i] -= G[k * n + i] * r[k];
        for (let j = 0; j <= i; j++) A[i * n + j] += G[k * n + i] * G[k * n + j];
      }
      trace += A[i * n + i];
    }
    for (let i = 0; i < n; i++) A[i * n + i] += 1e-12 * trace + 1e-300;
    for (let i = 0; i < n; i++) { // Cholesky's factors
      for (let j = 0; j <= i; j++) {
        let sum = A[i * n + j];
        for (let k = 0; k < j; k++) sum -= A[i * n + k] * A[j * n + k];
        A[i * n + j] = i === j ? Math.sqrt(Math.max(sum, 1e-300)) : sum / A[j * n + j];
      }
    }
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < i; k++) x[i] -= A[i * n + k] * x[k];
      x[i] /= A[i * n + i];
    }
    for (let i = n - 1; i >= 0; i--) {
      for (let k = i + 1; k < n; k++) x[i] -= A[k * n + i] * x[k];
      x[i] /= A[i * n + i];
    }
    return x;
  }

  /** Close the loops near q by the dependent joints alone, in place; return the gap. */
  close(q) {
    let gap = Infinity;
    for (let k = 0; k < 8; k++) {
      this.robot.integrate.into(this.rates, q, this.still);
      q.set(this.rates);
      const last = gap;
      gap = this.gap(q);
      if (!(gap > 1e-15 && gap < last)) break;
    }
    return gap;
  }

  /** Gap of the loops, rad or m; zero for a tree. */
  gap(q) {
    if (!this.closed) return 0;
    let most = 0;
    for (const x of this.robot.loop_residual(q)) most = Math.max(most, Number.isNaN(x) ? Infinity : Math.abs(x));
    return most;
  }

  /**
   * Simulate for some time, until `enough()` returns true after a step.
   * @returns the simulated time
   */
  advance(duration, enough = () => false) {
    const end = this.time + duration;
    while (this.time < end - 1e-12) {
      const sampled = Boolean(this.control?.sampled);
      if (sampled && this.time > this.due - 1e-12) this.sample();
      const until = sampled ? Math.min(end, this.due) : end;
      const rest = until - this.time;
      const h = Math.min(this.h, this.largest, rest);
      const error = this.attempt(h);
      if (!(error <= 1)) {
        const smaller = Number.isFinite(error) ? Math.max(0.9 * error ** -0.2, 0.2) : 0.2;
        this.h = h * smaller;
        if (this.h < 1e-8) throw new Error(this.closed ? Simulator.STUCK_LOOPS : Simulator.STUCK);
        continue;
      }
      const factor = Math.min(0.9 * Math.max(error, 1e-6) ** -0.2, 4);
      // a step truncated at the end of a frame does not limit the next one
      this.h = h < this.h ? Math.max(this.h, h * factor) : h * factor;
      this.time = h === rest ? until : this.time + h;
      this.accept();
      if (enough()) break;
    }
    return this.time - (end - duration);
  }

  /** Call a sampled controller, whose command is held until the next call. */
  sample() {
    this.control.sample(this.q, this.v);
    this.due = this.time + this.control.period;
    this.fresh = false;
  }

  accept() {
    const { y, trial, stages, nq } = this;
    y.set(trial);
    this.steps += 1;
    if (!(this.settle() < 1e-9)) throw new Error(Simulator.STUCK_LOOPS);
    if (this.closed) this.fresh = false; // closing moved it
    else {
      stages[0].set(stages[6]); // the last stage is the next one's first
      if (!this.flatly) {
        this.tree.rates_from_velocity.into(this.rates, this.q, this.velocities);
        stages[0].set(this.rates.subarray(0, nq), 0);
      }
    }
  }

  /**
   * Move coordinates to requested values with closed loops, at rest.
   * @returns true if the values were reached; otherwise q is the last valid one
   */
  move(change, count = 1) {
    const { q, reached } = this.path(this.q, change, count);
    this.set(q, null);
    return reached;
  }

  /**
   * Change a configuration with closed loops.
   * @param change modifies q in place, for a fraction (0 to 1] of the way from `from`
   * @returns the configuration, and whether it is the requested one; otherwise it is the last valid one
   */
  path(from, change, count = 1) {
    const kept = from.slice();
    for (let k = 1; k <= count; k++) {
      const next = kept.slice();
      change(next, from, k / count);
      if (this.closed) {
        const gap = this.close(next);
        let jump = 0;
        for (let i = 0; i < next.length; i++) jump = Math.max(jump, Math.abs(next[i] - kept[i]));
        if (!(gap < 1e-9) || !(jump < 0.6)) return { q: kept, reached: false };
      }
      kept.set(next);
    }
    return { q: kept, reached: true };
  }
}

/** Speed below which friction of the floor fades, m/s. */
Simulator.CREEP = 0.1;

Simulator.STUCK = "The motion became too fast for the simulation; reset to start again.";
Simulator.STUCK_LOOPS =
  "The loops lock or branch at this pose; reset, or move a slider back.";

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
