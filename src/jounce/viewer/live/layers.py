"""What can be shown over a robot, each a box to tick: frames, axes, masses, forces, ellipsoids."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from jounce.arrays import lie
from jounce.model.joints import FREE
from jounce.viewer.live.stage import Stage, State
from jounce.viewer.scene import looks as looks_of
from jounce.viewer.scene import overlays, shapes

Colour = tuple[float, float, float]

TURN, SLIDE, MASS = (0.85, 0.37, 0.01), (0.0, 0.45, 0.70), (0.80, 0.10, 0.15)
FORCE, MOMENT, GIVEN = (0.0, 0.45, 0.70), (0.46, 0.30, 0.62), (0.0, 0.62, 0.45)
SPEED, LIGHT, LOOP = (0.0, 0.62, 0.45), (0.90, 0.62, 0.0), (0.84, 0.15, 0.55)
COLLISION = (0.95, 0.50, 0.10)


class Layer:
    """Something to show over a robot: made when first switched on, moved with the robot since.

    key: its name for programs. label, hint: for people. needs_frame: whether it is about the frame
    that is chosen.
    """

    key: ClassVar[str] = ""
    label: ClassVar[str] = ""
    hint: ClassVar[str] = ""
    needs_frame: ClassVar[bool] = False

    def __init__(self, stage: Stage) -> None:
        self.stage, self.subject = stage, stage.subject
        self.nodes: list[Any] | None = None
        self.on = False
        self.frame = ""

    def offered(self) -> bool:
        """Whether there is anything to show."""
        return True

    def switch(self, on: bool, state: State) -> None:
        """Show or hide it."""
        self.on = False  # until it is there, should making it fail
        if on and self.nodes is None:
            self.nodes = self.build(state)
        for node in self.nodes or ():
            node.visible = on
        if on:
            self.update(state)
        self.on = on

    def build(self, state: State) -> list[Any]:
        """Make its nodes."""
        raise NotImplementedError(f"the layer '{self.key}' says nothing of its nodes")

    def update(self, state: State) -> None:
        """Move what does not move with a body."""

    def _mesh(
        self, name: str, mesh: tuple[np.ndarray, np.ndarray], colour: Colour, **how: Any
    ) -> Any:
        how = {"opacity": None, "side": "double", "cast_shadow": False, **how}
        return self.stage.scene.add_mesh_simple(name, *mesh, color=colour, **how)


class Frames(Layer):
    """Axes of every frame, red, green and blue for x, y and z."""

    key, label = "frames", "frames"
    hint = "every frame of the model: x red, y green, z blue"

    def build(self, state: State) -> list[Any]:
        """Axes under the nodes of their bodies."""
        length = 0.12 * self.stage.size
        nodes = []
        for k, frame in enumerate(self.subject.model.frames):
            node = self.stage.scene.add_frame(
                f"{self.stage.node(frame.body)}/frame{k}",
                axes_length=length,
                axes_radius=length / 25.0,
                wxyz=lie.quaternion.from_rotation(frame.placement[:3, :3]),
                position=frame.placement[:3, 3],
            )
            nodes.append(node)
        return nodes


class Names(Layer):
    """Names of the frames."""

    key, label, hint = "names", "names of frames", "written where the frames are"

    def build(self, state: State) -> list[Any]:
        """Labels under the nodes of their bodies."""
        from jounce.errors import legible

        return [
            self.stage.scene.add_label(
                f"{self.stage.node(frame.body)}/name{k}",
                legible(frame.name, 60),
                position=frame.placement[:3, 3],
            )
            for k, frame in enumerate(self.subject.model.frames)
        ]


class JointAxes(Layer):
    """What joints turn about, and what they slide along."""

    key, label = "axes", "joint axes"
    hint = "what joints turn about (orange) and slide along (blue); not those of free joints"

    def _ends(self, state: State, turning: bool) -> tuple[np.ndarray, np.ndarray]:
        joints, _, points, directions, turns = state.axes
        free = [FREE in joint.row.motions for joint in self.subject.model.joints]
        which = (turns == turning) & ~np.array(free)[joints]
        length = 0.35 * self.stage.size
        return points[which] - 0.5 * length * directions[which], length * directions[which]

    def build(self, state: State) -> list[Any]:
        """One mesh of arrows for what turns, and one for what slides."""
        self._meshes: dict[bool, Any] = {}
        width = self.stage.size / 150.0
        for turning, colour in ((True, TURN), (False, SLIDE)):
            ends = self._ends(state, turning)
            if len(ends[0]):
                mesh = overlays.arrows(*ends, width), overlays.arrow_faces(len(ends[0]))
                self._meshes[turning] = self._mesh(f"/over/axes{int(turning)}", mesh, colour)
        return list(self._meshes.values())

    def update(self, state: State) -> None:
        """Axes move with the bodies before and after them."""
        for turning, node in self._meshes.items():
            node.vertices = overlays.arrows(*self._ends(state, turning), self.stage.size / 150.0)


class CentreOfMass(Layer):
    """The centre of mass of all that moves, and of each body."""

    key, label = "com", "centre of mass"
    hint = "of all that moves (large) and of each body (small, by its share of the mass)"

    def build(self, state: State) -> list[Any]:
        """A large ball that is moved, and small ones that move with their bodies."""
        vertices, faces = overlays.ball(16)
        radius = 0.035 * self.stage.size
        self._whole = self._mesh("/over/com", (radius * vertices, faces), MASS)
        total = self.subject.model.mass
        nodes = [self._whole]
        for i, body in enumerate(self.subject.model.bodies):
            if body.inertia[0] > 0.0:
                own = radius * (0.25 + 0.6 * np.cbrt(body.inertia[0] / total))
                name = f"{self.stage.node(i)}/com"
                place = body.inertia[1:4] / body.inertia[0]
                nodes.append(self._mesh(name, (own * vertices, faces), MASS, position=place))
        return nodes

    def update(self, state: State) -> None:
        """Put the large ball where it is now."""
        self._whole.position = self.subject.robot.center_of_mass(state.q)


class Inertias(Layer):
    """For each body the uniform ellipsoid that has its inertia."""

    key, label = "inertias", "inertia ellipsoids"
    hint = "for each body the ellipsoid of constant density with its mass and its inertia"

    def build(self, state: State) -> list[Any]:
        """Unit balls, stretched and turned, under the nodes of the bodies."""
        vertices, faces = overlays.ball()
        nodes = []
        for i, body in enumerate(self.subject.model.bodies):
            found = overlays.uniform_ellipsoid(body.inertia)
            if found is not None:
                shape = vertices * np.maximum(found.radii, 1e-4 * self.stage.size)
                placed = shape @ found.pose[:3, :3].T + found.pose[:3, 3]
                name = f"{self.stage.node(i)}/inertia"
                nodes.append(self._mesh(name, (placed, faces), SLIDE, opacity=0.4))
        return nodes


class Gravity(Layer):
    """The forces that hold the robot still, as arcs about axes and arrows along them."""

    key, label = "gravity", "gravity torques"
    hint = "what the joints need to hold still: arcs about axes, arrows along them, to one scale"

    def build(self, state: State) -> list[Any]:
        """One mesh of arcs, one of arrows."""
        joints, velocities, _, _, turns = state.axes
        leading = np.array([j.mimic is None for j in self.subject.model.joints])[joints]
        shown = leading & np.isin(velocities, list(self.subject.whole.velocities))
        self._which = {
            turning: np.flatnonzero(shown & (turns == turning)) for turning in (True, False)
        }
        samples = np.abs(self._torques(self.subject.samples)).max(axis=0)
        self._scale = {
            turning: float(samples[velocities[at]].max(initial=0.0)) or 1.0
            for turning, at in self._which.items()
        }
        self._meshes: dict[bool, Any] = {}
        for turning, faces, colour in (
            (True, overlays.arc_faces, TURN),
            (False, overlays.arrow_faces, SLIDE),
        ):
            count = len(self._which[turning])
            if count:
                mesh = self._vertices(state, turning), faces(count)
                self._meshes[turning] = self._mesh(f"/over/gravity{int(turning)}", mesh, colour)
        return list(self._meshes.values())

    def _torques(self, q: np.ndarray) -> np.ndarray:
        found = self.subject.whole.gravity_forces(q)
        return np.apply_along_axis(self.subject.independent, -1, found)

    def _vertices(self, state: State, turning: bool) -> np.ndarray:
        _, velocities, points, directions, _ = state.axes
        at, size = self._which[turning], self.stage.size
        share = self._torques(state.q)[velocities[at]] / self._scale[turning]
        share = np.clip(share, -1.2, 1.2)
        if turning:
            return overlays.arcs(points[at], directions[at], 4.5 * share, 0.2 * size, size / 70.0)
        return overlays.arrows(
            points[at], 0.5 * size * share[:, None] * directions[at], size / 90.0
        )

    def update(self, state: State) -> None:
        """Draw them anew."""
        for turning, node in self._meshes.items():
            node.vertices = self._vertices(state, turning)


class Wrenches(Layer):
    """Forces and moments that joints transmit, and those that were given."""

    key, label = "wrenches", "wrenches"
    hint = (
        "forces (blue) and moments (violet) that joints exert on their bodies, and those given to"
        " the viewer (green); the weight of the robot is as long as half of it"
    )

    def _given(self, state: State) -> np.ndarray:
        given = state.wrenches
        return np.zeros((self.subject.model.nb, 6)) if given is None else given

    def _arrows(self, state: State) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """Starts and vectors by what they are."""
        size, weight = self.stage.size, self.subject.weight
        T, model = state.poses, self.subject.model
        given = self._given(state)
        turned = np.einsum("nij,nkj->nki", T[:, :3, :3], given.reshape(-1, 2, 3))
        found = {"given": (T[:, :3, 3], _capped(turned[:, 1] * (size / weight), size))}
        found["given moment"] = T[:, :3, 3], _capped(turned[:, 0] * (2.0 / weight), size)
        if self.subject.mechanism is None:
            wrenches = self.subject.robot.joint_wrenches(state.q, state.v, state.a, given)
            points = np.array([joint.point for joint in model.joints])
            moments = wrenches[:, :3] - np.cross(points, wrenches[:, 3:])
            starts = state.points(range(model.nb), points)
            force = np.einsum("nij,nj->ni", T[:, :3, :3], wrenches[:, 3:])
            moment = np.einsum("nij,nj->ni", T[:, :3, :3], moments)
            found["force"] = starts, _capped(force * (size / weight), size)
            found["moment"] = starts, _capped(moment * (2.0 / weight), size)
        return found

    def build(self, state: State) -> list[Any]:
        """A mesh of arrows for each sort."""
        colours = {"given": GIVEN, "given moment": GIVEN, "force": FORCE, "moment": MOMENT}
        self._meshes = {}
        for what, ends in self._arrows(state).items():
            mesh = overlays.arrows(*ends, self.stage.size / 110.0)
            faces = overlays.arrow_faces(len(ends[0]))
            name = f"/over/{what.replace(' ', '_')}"
            self._meshes[what] = self._mesh(name, (mesh, faces), colours[what])
        return list(self._meshes.values())

    def update(self, state: State) -> None:
        """Draw them anew."""
        for what, ends in self._arrows(state).items():
            self._meshes[what].vertices = overlays.arrows(*ends, self.stage.size / 110.0)


def _capped(vectors: np.ndarray, longest: float) -> np.ndarray:
    """Vectors (n, 3), shortened to a length where they are longer."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors * np.minimum(1.0, longest / np.where(length > 0.0, length, longest))


class _OfFrame(Layer):
    """An ellipsoid at the frame that is chosen."""

    needs_frame = True
    colour: ClassVar[Colour] = SPEED

    def build(self, state: State) -> list[Any]:
        """One ball, whose vertices are moved."""
        self._ball, faces = overlays.ball()
        self._node = self._mesh(f"/over/{self.key}", (self._ball, faces), self.colour, opacity=0.45)
        self._scales: dict[str, float] = {}
        return [self._node]

    def update(self, state: State) -> None:
        """Stretch the ball and put it to the frame."""
        frame = self.subject.whole.frame(self.frame)
        if self.frame not in self._scales:
            longest = max(float(np.linalg.norm(self.matrix(frame, q), 2)) for q in self.samples)
            self._scales[self.frame] = 0.3 * self.stage.size / (longest or 1.0)
        A = self._scales[self.frame] * self.matrix(frame, state.q)
        place = self.subject.robot.frame(self.frame).pose(state.q)[:3, 3]
        self._node.vertices = overlays.image_of_ball(A, self._ball) + place

    @property
    def samples(self) -> np.ndarray:
        """Configurations from which the scale is taken."""
        return self.subject.samples

    def matrix(self, frame: Any, q: np.ndarray) -> np.ndarray:
        """What takes the unit ball to the ellipsoid, (3, n)."""
        raise NotImplementedError(f"the layer '{self.key}' says nothing of its ellipsoid")


class Manipulability(_OfFrame):
    """Velocities of a frame that joint velocities of length one give."""

    key, label = "manipulability", "manipulability ellipsoid"
    hint = "velocities that the chosen frame gets from joint velocities of length one"
    colour = SPEED

    def matrix(self, frame: Any, q: np.ndarray) -> np.ndarray:
        """The linear part of the Jacobian."""
        return frame.jacobian_mixed(q)[3:]


class FrameInertia(_OfFrame):
    """How light a frame is in each direction."""

    key, label = "frame_inertia", "inertia ellipsoid of a frame"
    hint = "u with u' Lambda u = 1 at the chosen frame: long where it is light to push"
    colour = LIGHT

    def matrix(self, frame: Any, q: np.ndarray) -> np.ndarray:
        """J L^-T for M = L L^T, as (J M^-1 J^T) has its squares as eigenvalues."""
        J, M = frame.jacobian_mixed(q)[3:], self.subject.whole.mass_matrix(q)
        values, vectors = np.linalg.eigh(M)  # never fails, unlike Cholesky's, without inertia
        small = values <= 1e-12 * max(float(values[-1]), 1e-300)
        root = vectors / np.sqrt(np.where(small, np.inf, values))
        return J @ root


class Constraints(Layer):
    """Where loops are closed, and where contacts are."""

    key, label = "constraints", "loops and contacts"
    hint = "both ends of each loop (balls; a rod where they are apart), and contacts"

    def offered(self) -> bool:
        """Only where there are any."""
        return bool(self.subject.model.loops or self.subject.model.contacts)

    def build(self, state: State) -> list[Any]:
        """Balls that move with their bodies, and a rod for each gap."""
        vertices, faces = overlays.ball(16)
        radius, nodes = 0.05 * self.stage.size, []
        loops = self.subject.model.loops
        for k, loop in enumerate(loops):
            ends = (loop.body_a, loop.placement_a, 1.0), (loop.body_b, loop.placement_b, 0.75)
            for side, (body, placement, scale) in enumerate(ends):
                name = f"{self.stage.node(body)}/loop{k}_{side}"
                ball = scale * radius * vertices + placement[:3, 3]
                how = {"opacity": 0.5} if side == 0 else {}
                nodes.append(self._mesh(name, (ball, faces), LOOP, **how))
        for k, contact in enumerate(self.subject.model.contacts):
            name = f"{self.stage.node(contact.body)}/contact{k}"
            plate = shapes.solid("cylinder", (1.5 * radius, 0.3 * radius))
            placed = plate.placed(placement=contact.placement)
            nodes.append(self._mesh(name, (placed.vertices, placed.faces), GIVEN))
        self._gaps = None
        if loops:
            mesh = self._rods(state), overlays.arrow_faces(len(loops))
            self._gaps = self._mesh("/over/gaps", mesh, LOOP)
            nodes.append(self._gaps)
        return nodes

    def _rods(self, state: State) -> np.ndarray:
        loops = self.subject.model.loops
        a = state.points([x.body_a for x in loops], np.array([x.placement_a[:3, 3] for x in loops]))
        b = state.points([x.body_b for x in loops], np.array([x.placement_b[:3, 3] for x in loops]))
        return overlays.arrows(a, b - a, 0.01 * self.stage.size)

    def update(self, state: State) -> None:
        """Draw the gaps anew."""
        if self._gaps is not None:
            self._gaps.vertices = self._rods(state)


class Collision(Layer):
    """What the file says the robot collides with."""

    key, label, hint = "collision", "collision shapes", "what the robot collides with, by its file"

    def offered(self) -> bool:
        """Only where there is something to collide with."""
        bodies = (self.subject.model.ground, *self.subject.model.bodies)
        return any(x.purpose == "collision" for b in bodies for x in (*b.meshes, *b.solids))

    def build(self, state: State) -> list[Any]:
        """Translucent meshes under the nodes of the bodies."""
        found = looks_of(self.subject.model, "collision", self.stage.package_dirs, skeleton=False)
        return self.stage.add_parts("collision", found.parts, COLLISION, 0.45)


LAYERS: tuple[type[Layer], ...] = (
    Frames,
    Names,
    JointAxes,
    CentreOfMass,
    Inertias,
    Gravity,
    Wrenches,
    Manipulability,
    FrameInertia,
    Constraints,
    Collision,
)

#: Names of what can be shown over a robot.
OVERLAYS: tuple[str, ...] = tuple(layer.key for layer in LAYERS)
