/* A controller in the page: its law as forces of the simulation, with gains and a target configuration. */
class Control {
  /**
   * @param law the controller's kernel: command and new state of flat arguments
   * @param setup data of the page: arguments of the law with their values, entries of a floating base
   * @param robot kernels of the robot, for references that are quantities of the target
   */
  constructor(law, setup, robot) {
    this.law = law;
    this.setup = setup;
    this.inputs = setup.arguments.map((x) => Float64Array.from(x.value));
    const from = (test) => setup.arguments.map((x, k) => ({ ...x, values: this.inputs[k] })).filter(test);
    this.state = from((x) => x.group === "state");
    this.gains = from((x) => x.group === "gains").filter((x) => x.value.some(Boolean));
    this.measurement = from((x) => x.group === "measurement");
    this.followed = from((x) => x.follows !== undefined).map((x) => ({
      ...x,
      at: x.follows === "q" ? (q) => q : robot[x.follows],
    }));
    this.references = from((x) => x.group === "reference");
    /** Without a state, the law is evaluated at each stage of a step; else it is sampled and held. */
    this.sampled = this.state.length > 0;
    this.period = setup.period;
    this.command = new Float64Array(setup.commands);
    const next = this.state.map((x) => new Float64Array(x.value.length));
    this.out = this.sampled ? [this.command, ...next] : this.command;
  }

  /** Whether the reference depends on a target configuration. */
  get follows() {
    return this.followed.length > 0;
  }

  /** Set the target configuration. */
  aim(q) {
    this.target = Float64Array.from(q);
    for (const { at, values } of this.followed) values.set(at(this.target));
  }

  /** Scale a gain relative to its value at the start. */
  scale(gain, factor) {
    gain.values.set(gain.value.map((x) => factor * x));
  }

  /** Return to the initial state. */
  restart() {
    for (const { values, value } of this.state) values.set(value);
    this.command.fill(0);
  }

  /** Evaluate the law; return the command, without forces on a floating base, which has no motors. */
  evaluate(q, v) {
    for (const { name, values } of this.measurement) values.set(name === "q" ? q : v);
    const { base } = this.setup;
    if (base) {
      // the reference of the base is its motion
      for (const { name, values } of this.references) {
        if (name === "q_d") values.set(q.subarray(...base.q), base.q[0]);
        if (name === "v_d") values.set(v.subarray(...base.v), base.v[0]);
      }
    }
    this.law.into(this.out, ...this.inputs);
    if (base) this.command.fill(0, ...base.v);
    return this.command;
  }

  /** Evaluate the law and keep its new state. */
  sample(q, v) {
    this.evaluate(q, v);
    this.state.forEach(({ values }, k) => values.set(this.out[k + 1]));
  }
}

/** Sliders that scale gains, logarithmic. */
class GainSliders {
  /** @param changed called after a gain has changed */
  constructor(control, changed) {
    const rows = control.gains.map((gain, k) => {
      const row = element("div", "", { className: "slider" });
      const label = element("label", gain.name, { htmlFor: `gain-${k}`, title: GainSliders.text(gain) });
      const bar = element("input", "", { type: "range", id: `gain-${k}`, min: -4, max: 4, step: 0.5, value: 0 });
      const output = element("output", "1×");
      bar.addEventListener("input", () => {
        const factor = 2 ** Number(bar.value);
        control.scale(gain, factor);
        output.textContent = `${Number(factor.toPrecision(2))}×`;
        label.title = GainSliders.text(gain);
        changed();
      });
      row.append(label, bar, output);
      return row;
    });
    $("gains").append(...rows);
  }

  /** Values of a gain. */
  static text({ name, values }) {
    return `${name} = ${Array.from(values, (x) => shown(x, 3)).join(", ")}`;
  }
}
