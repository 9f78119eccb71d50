"""The element <jounce> in a URDF: data that the format cannot hold; other readers ignore it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from jounce.errors import ModelError, suggest
from jounce.io.xml import Element
from jounce.model.constraints import Contact, Loop
from jounce.model.model import Frame, Joint, Model
from jounce.model.numbers import Floats

TAG = "jounce"


def gravity_of(robot: Element) -> Floats | None:
    """The file's gravity (3,) in m/s^2, or None where it says nothing."""
    extension = robot.find(TAG)
    element = None if extension is None else extension.find("gravity")
    return None if element is None else element.vector("xyz", 3)


def apply_extension(model: Model, robot: Element, origin: Callable[[Element], Floats]) -> Model:
    """The model with the order of joints, loops and contacts that its file gives in the extension.

    robot: the <robot> element. origin: reads the pose (4, 4) of an element's <origin>.
    """
    extension = robot.find(TAG)
    if extension is None:
        return model
    listed = extension.all("order")
    if listed:
        model = reorder_joints(model, _order(model, listed, extension))
    loops = []
    for node in extension.all("loop"):
        ends = []
        for role in "ab":
            end = node.require(role)
            ends.append((end.string("link"), origin(end)))
        try:
            loops.append(model.loop_between(ends[0], ends[1], _kind(node), node.string("name")))
        except ModelError as error:
            raise node.error(str(error)) from error
    try:
        model = replace(model, loops=(*model.loops, *loops)) if loops else model
    except ModelError as error:
        raise extension.error(str(error)) from error
    for node in extension.all("contact"):
        seat = (node.string("link"), origin(node))
        try:
            model = model.with_contact(seat, node.string("kind"), node.string("name"))
        except ModelError as error:
            raise node.error(str(error)) from error
    return model


def _kind(node: Element) -> str | tuple[bool, ...]:
    if "locked" not in node.attributes:
        return node.string("kind")
    return tuple(x != 0.0 for x in node.vector("locked", 6))


def _order(model: Model, listed: Sequence[Element], own: Element) -> list[int]:
    """Indices of the joints as listed; those that are not listed, such as a free base, first."""
    index = {joint.name: i for i, joint in enumerate(model.joints)}
    out: list[int] = []
    for node in listed:
        name = node.string("joint")
        if name not in index:
            raise node.error(f"'{name}' is listed twice or is not a joint; {suggest(name, index)}")
        out.append(index.pop(name))
    out = [*index.values(), *out]
    place = {i: k for k, i in enumerate(out)}
    for i in out:
        parent = model.joints[i].parent
        if parent >= 0 and place[parent] > place[i]:
            names = model.joints[i].name, model.joints[parent].name
            raise own.error(f"<order> lists joint '{names[0]}' before '{names[1]}', its parent")
    return out


def reorder_joints(model: Model, order: Sequence[int]) -> Model:
    """The model with its joints and bodies in another order, parents first."""
    place = {old: new for new, old in enumerate(order)} | {-1: -1}

    def joint(i: int) -> Joint:
        return replace(model.joints[i], parent=place[model.joints[i].parent])

    def frame(given: Frame) -> Frame:
        return replace(given, body=place[given.body])

    def loop(given: Loop) -> Loop:
        return replace(given, body_a=place[given.body_a], body_b=place[given.body_b])

    def contact(given: Contact) -> Contact:
        return replace(given, body=place[given.body])

    return replace(
        model,
        bodies=tuple(model.bodies[i] for i in order),
        joints=tuple(joint(i) for i in order),
        frames=tuple(frame(f) for f in model.frames),
        loops=tuple(loop(x) for x in model.loops),
        contacts=tuple(contact(x) for x in model.contacts),
    )
