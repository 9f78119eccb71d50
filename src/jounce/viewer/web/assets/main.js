/* The page: browser requirements, interaction of its parts, and the clock. */
function fail(sentence) {
  $("status").className = "bad";
  $("status").textContent = sentence;
}

/** Return the feature that this browser lacks, or nothing. */
function lacking() {
  if (typeof WebAssembly !== "object") return "WebAssembly, which runs the computations";
  if (typeof DecompressionStream !== "function") return "DecompressionStream, which decompresses the data (available in browsers since 2023)";
  return "";
}

class Page {
  constructor(robot, data, parts, tree = null, law = null) {
    this.robot = robot;
    this.data = data;
    this.simulator = new Simulator(robot, data, tree);
    this.control = law && new Control(law, data.controller, robot);
    this.control?.aim(this.simulator.q);
    this.simulator.control = this.control;
    this.playing = false;
    this.problem = "";
    this.speed = 1;
    this.stage = parts && new Stage($("view"), data, parts);
    this.pose();
    this.stage?.furnish();
    this.sliders = new Sliders(data, (slider, value) => this.slide(slider, value));
    this.table = new StateTable(data);
    this.plot = new EnergyPlot();
    this.map = new MassMap(data);
    this.quantities = new Quantities(robot, data, () => this.values());
    this.connect();
    this.connectPointer();
    if (this.control) this.connectControl();
    this.words();
    this.refresh();
    this.seen = performance.now();
    this.frame = this.frame.bind(this);
    requestAnimationFrame(this.frame);
  }

  // ---------------------------------------------------------------- display

  words() {
    const { data } = this;
    const free = data.sliders.filter((s) => !s.limited && !s.follows);
    const notes = [];
    if (free.length) notes.push(`Sliders of joints without limits range from −π to π rad, or from −1 to 1 m.`);
    if (data.mimics.length) notes.push(`Mimic joints have no slider: ${data.mimics.join(", ")}.`);
    if (data.closed) notes.push("Joints in italics are determined by the loops, which are kept closed.");
    $("joints-note").textContent = notes.join(" ");
    const floor = data.floor.points.length > 0;
    $("floor-switch").hidden = !floor;
    $("own-damping").disabled = !data.damping.some(Boolean);
    $("stops").disabled = !data.stops.length;
    $("simulation-note").textContent =
      (this.control ? "Only the controller drives the robot: no friction" : "The robot moves passively: no motors, no friction") +
      (data.stops.length ? "; soft stops keep joints within their limits." : ".") +
      (data.boundless ? " Slides without limits have stops where their sliders end." : "") +
      " Drag a link to pull it; the rest of the picture turns the view.";
    for (const sentence of data.remarks) $("remarks").append(element("p", sentence));
    const pull = this.control ? "Drag a link to pull it against the controller, or press play." : "Drag a link to pull it, or press play.";
    this.say(this.stage ? pull : "");
    $("view").addEventListener("pointerdown", () => this.problem || this.say(""), { once: true });
  }

  say(sentence, bad = false) {
    $("status").className = bad ? "bad" : "";
    $("status").textContent = sentence;
  }

  pose() {
    const { simulator, robot } = this;
    robot.body_poses.into(simulator.poses, simulator.q);
    this.stage?.place(simulator.poses);
    if (!this.stage || !robot.center_of_mass) return; // without mass there is no centre
    if (this.stage.ball?.visible) this.stage.ball.position.set(...robot.center_of_mass(simulator.q));
    if (this.data.floating && this.playing) this.stage.follow(robot.center_of_mass(simulator.q));
  }

  /** Accelerations of the motion. */
  accelerations() {
    const { simulator } = this;
    simulator.derivative(simulator.y, simulator.stages[0]);
    simulator.fresh = true;
    return simulator.a;
  }

  /** Present values of arguments by name, those of all joints too; all others are zero. */
  values() {
    const { simulator } = this;
    const { v } = simulator;
    const q = [simulator.q];
    return { q, q0: [Float64Array.from(this.data.start)], q1: q, v: [v, simulator.velocities], v_r: [v], dv: [v] };
  }

  /** All numbers beside the robot. */
  refresh() {
    const { simulator, robot } = this;
    const { q, v } = simulator;
    const a = this.accelerations();
    const last = this.control ? this.commands() : robot.inverse_dynamics(q, v, simulator.still);
    this.sliders.update((slider) => (this.targets(slider) ? this.control.target : q));
    this.table.update(v, a, robot.gravity_forces(q), last);
    const energy = simulator.energy();
    this.plot.add(simulator.time, energy);
    this.plot.draw();
    $("kinetic").textContent = `${shown(energy.kinetic)} J`;
    $("potential").textContent = `${shown(energy.potential)} J`;
    $("total").textContent = `${shown(energy.total)} J`;
    $("drift").textContent = simulator.time > 0 ? shown(Math.abs(simulator.drift()), 3) : "–";
    if ($("card-mass").open) {
      const M = robot.mass_matrix(q);
      this.map.update(M);
      // those of large matrices take longer than a frame
      if (robot.nv <= 60 || !this.playing) drawEigenvalues(eigenvalues(M, robot.nv));
    }
    this.quantities.update();
    $("clock").textContent = `${simulator.time.toFixed(2)} s`;
    this.shownAt = performance.now();
  }

  // ---------------------------------------------------------------- controls

  /** The forces that the controller commands. */
  commands() {
    const { simulator } = this;
    return simulator.control ? this.control.command : simulator.still;
  }

  /** Whether a slider moves the target of the controller rather than the robot. */
  targets(slider) {
    const base = this.data.controller?.base;
    return Boolean(this.simulator.control?.follows) && !(base && slider.q < base.q[1]);
  }

  slide(slider, value) {
    const aimed = this.targets(slider);
    if (!aimed) this.pause();
    const start = aimed ? this.control.target : this.simulator.q;
    const before = Sliders.value(slider, start);
    const whole = slider.wraps ? before - Sliders.place(slider, start) : 0; // turns made
    const wanted = Math.min(Math.max(value, slider.lower), slider.upper) + whole;
    const vector = slider.kind === "turn" && turns.vector(start.subarray(slider.q, slider.q + 4));
    const change = (q, from, share) => {
      const x = before + share * (wanted - before);
      if (slider.kind === "coordinate") q[slider.q] = x;
      else q.set(turns.quaternion(vector.map((y, k) => (k === slider.axis ? x : y))), slider.q);
    };
    const count = this.data.closed ? Math.min(Math.max(Math.ceil(Math.abs(wanted - before) / 0.02), 1), 400) : 1;
    const { q, reached } = this.simulator.path(start, change, count);
    if (!aimed) this.simulator.set(q, null);
    if (reached) this.say("");
    else this.say(`The loops cannot be closed with ${slider.label} at ${shown(wanted - whole)} ${slider.unit}; the last valid value is kept.`);
    if (aimed) this.aim(q);
    else this.moved();
  }

  /** Give the controller a target, to which it moves the robot. */
  aim(q) {
    this.control.aim(q);
    this.simulator.fresh = false;
    this.play();
    this.refresh();
  }

  /** Called after the user has set the configuration. */
  moved() {
    this.problem = "";
    this.plot.clear();
    this.anchor();
    this.pose();
    this.refresh();
  }

  /** Without a floor, a floating base is fixed in place. */
  anchor() {
    const { simulator, data } = this;
    const on = data.floating && simulator.able && simulator.gravity && !simulator.floor;
    simulator.hold = null;
    if (!on) return;
    const size = 0.1 * data.size;
    const corners = [[0, 0, 0], [size, 0, 0], [0, size, 0], [0, 0, size]];
    const body = data.base;
    simulator.hold = corners.map((point) => simulator.grasp(body, point, 3));
    for (const spring of simulator.hold) {
      spring.stiffness = 40 * data.mass;
      spring.damping = 6 * data.mass;
    }
  }

  goto(q) {
    this.pause();
    this.control?.aim(q);
    this.simulator.set(q, null);
    this.say("");
    this.moved();
  }

  random() {
    const q = Float64Array.from(this.data.start);
    const draw = (slider) => slider.lower + Math.random() * (slider.upper - slider.lower);
    if (this.data.closed) {
      this.pause();
      for (const slider of this.data.sliders.filter((s) => !s.follows)) {
        const span = slider.upper - slider.lower;
        const from = Sliders.value(slider, this.simulator.q);
        const way = (Math.random() - 0.5) * Math.min(span, 2);
        const count = Math.ceil(Math.abs(way) / 0.02);
        this.simulator.move((x, _, share) => {
          if (slider.kind === "coordinate") x[slider.q] = from + share * way;
        }, count);
      }
      this.control?.aim(this.simulator.q);
      this.moved();
      return;
    }
    const base = this.data.floating ? 7 : 0; // which stays
    for (const slider of this.data.sliders.filter((s) => s.q >= base)) {
      if (slider.kind === "coordinate") q[slider.q] = draw(slider);
      else q[slider.q + 1 + slider.axis] = Math.random() - 0.5; // normalised below
    }
    this.goto(q);
  }

  play() {
    if (!this.simulator.able) this.say("The mass matrix of this robot is singular, so it cannot be simulated.", true);
    if (this.problem || !this.simulator.able) return;
    if (!this.playing) this.say("");
    this.playing = true;
    this.seen = performance.now();
    this.button();
  }

  pause() {
    this.playing = false;
    this.button();
  }

  button() {
    const button = $("play");
    button.setAttribute("aria-pressed", String(this.playing));
    button.lastElementChild.textContent = this.playing ? "Pause" : "Play";
    $("play-icon").setAttribute("d", this.playing ? "M6 5h4v14H6zm8 0h4v14h-4z" : "M8 5v14l11-7z");
  }

  connect() {
    const click = (id, act) => $(id).addEventListener("click", act);
    const { simulator } = this;
    click("play", () => (this.playing ? this.pause() : this.play()));
    click("step", () => {
      this.pause();
      if (!simulator.able) return;
      this.advance(1 / 60);
      this.pose();
      this.refresh();
    });
    click("reset", () => this.goto(this.data.start));
    click("neutral", () => this.goto(this.data.neutral));
    click("random", () => this.random());
    click("home", () => this.stage?.look());
    const check = (id, act) => $(id).addEventListener("change", (event) => act(event.target.checked));
    const settings = {
      gravity: (on) => (simulator.gravity = on),
      "own-damping": (on) => (simulator.ownDamping = on),
      stops: (on) => (simulator.stops = on),
      floor: (on) => (simulator.floor = on ? this.floor() : null),
    };
    for (const [id, act] of Object.entries(settings)) {
      check(id, (on) => {
        act(on);
        this.anchor();
        simulator.rebase();
        this.plot.clear();
        this.refresh();
      });
    }
    $("show-com").parentElement.hidden = !this.robot.center_of_mass;
    for (const name of ["frames", "axes", "com"]) {
      check(`show-${name}`, (on) => {
        this.stage?.show(name, on);
        this.pose();
      });
    }
    $("damping").addEventListener("input", (event) => {
      simulator.extraDamping = Number(event.target.value);
      simulator.fresh = false;
      $("damping-value").textContent = `${simulator.extraDamping}/s`;
    });
    $("speed").addEventListener("input", (event) => {
      this.speed = 2 ** Number(event.target.value);
      $("speed-value").textContent = this.speed < 1 ? `1/${1 / this.speed}×` : `${this.speed}×`;
    });
    document.addEventListener("keydown", (event) => {
      if (/^(INPUT|SELECT|BUTTON|SUMMARY|TEXTAREA)$/.test(event.target.tagName) || event.ctrlKey || event.metaKey) return;
      const id = { " ": "play", ".": "step", r: "reset" }[event.key];
      if (!id) return;
      event.preventDefault();
      $(id).click();
    });
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.refresh());
    for (const card of document.querySelectorAll("details")) card.addEventListener("toggle", () => this.refresh());
    new ResizeObserver(() => {
      this.stage?.resize();
      this.refresh();
    }).observe($("stage"));
    this.start();
  }

  /** Show the controller's switch and gains. */
  connectControl() {
    const { simulator, control } = this;
    const { name, doc } = this.data.controller;
    $("card-control").hidden = false;
    $("control-name").textContent = name;
    const follows = control.follows ? " Sliders of joints set the target." : "";
    $("control-doc").textContent = `${doc}${follows}`;
    $("state-last").textContent = "τ control";
    $("state-last").title = "command of the controller";
    $("control").addEventListener("change", (event) => {
      simulator.control = event.target.checked ? control : null;
      simulator.due = simulator.time;
      control.restart();
      simulator.rebase();
      this.refresh();
    });
    this.gains = new GainSliders(control, () => {
      simulator.fresh = false;
      this.refresh();
    });
  }

  /** Initial options. */
  start() {
    const { data, simulator } = this;
    simulator.ownDamping = false;
    simulator.stops = $("stops").checked = data.stops.length > 0;
    // with a controller, springs hold a floating base, unless its gains are made for standing on feet
    if (data.floor.points.length && (!this.control || data.floor.stands)) {
      $("floor").checked = true;
      simulator.floor = this.floor();
    }
    if (simulator.floor && !this.control) {
      if (data.damping.some(Boolean)) simulator.ownDamping = $("own-damping").checked = true;
      simulator.extraDamping = 0.5;
      $("damping").value = 0.5;
      $("damping-value").textContent = "0.5/s";
    }
    this.anchor();
    simulator.rebase();
  }

  floor() {
    const { data } = this;
    const stiffness = (data.mass * 9.81) / (0.008 * Math.max(data.size, 0.05));
    return { up: data.up, height: data.floor.height, points: data.floor.points, stiffness };
  }

  // ---------------------------------------------------------------- dragging

  connectPointer() {
    const canvas = $("view");
    if (!this.stage) return;
    canvas.addEventListener(
      "pointerdown",
      (event) => {
        canvas.focus({ preventScroll: true });
        const hit = event.button === 0 && this.simulator.able && this.stage.pick(event);
        if (!hit) return;
        event.stopImmediatePropagation(); // else the view would turn
        canvas.setPointerCapture(event.pointerId);
        this.grab(hit.body, hit.point);
      },
      { capture: true },
    );
    canvas.addEventListener("pointermove", (event) => {
      if (!this.simulator.drag) {
        if (!event.buttons) canvas.classList.toggle("over", Boolean(this.stage.pick(event)));
        return;
      }
      const target = this.stage.target(event);
      if (target) this.pull(target);
      $("force").style.left = `${event.offsetX}px`;
      $("force").style.top = `${event.offsetY}px`;
    });
    const release = () => this.simulator.drag && this.release();
    canvas.addEventListener("pointerup", release);
    canvas.addEventListener("pointercancel", release);
  }

  /** Start dragging a point of a body; the simulation begins. */
  grab(body, point) {
    const { simulator } = this;
    simulator.drag = simulator.grasp(body, point);
    simulator.fresh = false;
    if (!this.problem) this.say("");
    $("view").classList.add("pulling");
    this.play();
  }

  pull(target) {
    this.simulator.drag.target = target;
    this.simulator.fresh = false;
    this.hand();
  }

  release() {
    this.simulator.drag = null;
    this.simulator.fresh = false;
    $("view").classList.remove("pulling");
    $("force").hidden = true;
    this.stage?.point(null);
  }

  /** Show the pulling force as an arrow, and its magnitude. */
  hand() {
    const { simulator } = this;
    const { drag } = simulator;
    if (!drag) return;
    simulator.robot.body_poses.into(simulator.poses, simulator.q);
    const { place } = simulator.point(drag.body, drag.point);
    this.stage?.point(place, drag.target);
    const size = drag.stiffness * Math.hypot(...drag.target.map((x, i) => x - place[i]));
    $("force").hidden = !(size > 0);
    $("force").textContent = `${shown(size, 3)} N`;
  }

  // ---------------------------------------------------------------- time

  /** Simulate for some time, or for as long as a frame allows. */
  advance(duration) {
    const stop = performance.now() + 22;
    try {
      return this.simulator.advance(duration, () => performance.now() > stop);
    } catch (error) {
      this.problem = error.message;
      this.pause();
      this.say(error.message, true);
      if (this.simulator.drag) this.release();
      return 0;
    }
  }

  frame(now) {
    requestAnimationFrame(this.frame);
    const passed = (now - this.seen) / 1000;
    this.seen = now;
    if (this.playing && passed > 0) {
      const wanted = Math.min(passed, 0.05) * this.speed;
      const done = this.advance(wanted);
      this.adapt(done / wanted, done / (passed * this.speed));
      this.pose();
      this.hand();
      this.plot.add(this.simulator.time, this.simulator.energy());
      if (now - (this.shownAt ?? 0) > 90) this.refresh();
    }
    this.stage?.render();
  }

  /**
   * Loosen the tolerance if steps are too slow, and restore it if there is time.
   * @param share simulated part of the requested time
   * @param pace simulated time per wall-clock time
   */
  adapt(share, pace) {
    const { simulator } = this;
    this.pace = 0.9 * (this.pace ?? 1) + 0.1 * pace;
    if (share < 0.999) simulator.tolerance = Math.min(simulator.tolerance * 2, 1e-5);
    else simulator.tolerance = Math.max(simulator.tolerance * 0.98, simulator.floor ? 1e-6 : 1e-9);
    if (this.problem) return;
    if (this.pace < 0.85) {
      this.slow = true;
      this.say(`Slower than real time: ${this.pace.toFixed(2)}×.`);
    } else if (this.slow && this.pace > 0.95) {
      this.slow = false;
      this.say("");
    }
  }
}

async function main() {
  const missing = lacking();
  if (missing) return fail(`This browser lacks ${missing}. A current Firefox, Chrome, Edge or Safari has it.`);
  const data = JSON.parse($("data").textContent);
  const [wasm, bytes] = await Promise.all([inflate($("wasm").textContent), inflate($("meshes").textContent)]);
  const robot = await load(wasm);
  const tree = loadTree && (await loadTree(await inflate($("tree").textContent)));
  const controller = loadController && (await loadController(await inflate($("controller").textContent)));
  let parts = unpackParts(bytes, data.meshes.vertices, data.meshes.triangles, data.meshes.parts);
  const canvas = document.createElement("canvas");
  const graphics = canvas.getContext("webgl2");
  if (!graphics) parts = null;
  const page = new Page(robot, data, parts, tree, controller?.[data.controller.law]);
  if (!parts) fail("This browser has no WebGL 2, so the robot is not drawn; all numbers are there.");
  return page;
}

window.jounce = { ready: main(), Simulator, eigenvalues };
window.jounce.ready.then(
  (page) => Object.assign(window.jounce, page && { page, robot: page.robot, simulator: page.simulator, data: page.data }),
  (error) => {
    fail(`This page cannot be shown: ${error.message}`);
    throw error;
  },
);
