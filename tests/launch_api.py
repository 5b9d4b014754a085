"""A small launch system with the names of ROS 2's: it evaluates a launch file and records what would be started.

Only what launch files of description packages use is here. Unknown keyword arguments are errors, as in ROS 2.
"""

from __future__ import annotations

import runpy
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock


class Context:
    """The values of the launch arguments, and where packages are."""

    def __init__(self, arguments: Mapping[str, str], shares: Path) -> None:
        self.given, self.values, self.shares = dict(arguments), dict[str, str](), shares
        self.environment: dict[str, str] = {}


class LaunchConfiguration:
    """The value of an argument."""

    def __init__(self, name: str) -> None:
        self.name = name

    def perform(self, context: Context) -> str:
        return context.values[self.name]


class FindPackageShare:
    """The folder that a package is installed to."""

    def __init__(self, package: str) -> None:
        self.package = package

    def perform(self, context: Context) -> str:
        return str(context.shares / self.package)


class FindExecutable:
    """The path of a program."""

    def __init__(self, *, name: str) -> None:
        self.name = name

    def perform(self, _: Context) -> str:
        return self.name


class PathJoinSubstitution:
    """Parts of a path, joined."""

    def __init__(self, parts: Iterable[Any]) -> None:
        self.parts = list(parts)

    def perform(self, context: Context) -> str:
        return "/".join(text(each, context) for each in self.parts)


class Command:
    """The output of a command; here its text."""

    def __init__(self, command: Iterable[Any]) -> None:
        self.command = list(command)

    def perform(self, context: Context) -> str:
        return "".join(text(each, context) for each in self.command)


class ParameterValue:
    """A value of a parameter, with its type."""

    def __init__(self, value: Any, *, value_type: type) -> None:
        self.value, self.value_type = value, value_type


class IfCondition:
    """Whether a text is `true`."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def holds(self, context: Context) -> bool:
        found = text(self.value, context).lower()
        assert found in ("true", "false", "1", "0"), f"not a condition: {found}"
        return found in ("true", "1")


class UnlessCondition(IfCondition):
    """Whether a text is `false`."""

    def holds(self, context: Context) -> bool:
        return not super().holds(context)


@dataclass
class DeclareLaunchArgument:
    """An argument of the launch file."""

    name: str
    default_value: str
    description: str
    choices: list[str] | None = None


@dataclass(eq=False)
class Node:
    """A program of a package."""

    package: str
    executable: str
    arguments: list[Any] = field(default_factory=list)
    parameters: list[Any] = field(default_factory=list)
    condition: IfCondition | None = None
    output: str = "log"
    remappings: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class OpaqueFunction:
    """A function that returns more actions."""

    function: Callable[[Context], list[Any]]


@dataclass
class OnProcessExit:
    """What to do when a program ends."""

    target_action: Node
    on_exit: list[Any]


@dataclass
class RegisterEventHandler:
    """Waits for an event."""

    event_handler: OnProcessExit


@dataclass
class AppendEnvironmentVariable:
    """Adds to a list of folders in the environment."""

    name: str
    value: Any


@dataclass
class PythonLaunchDescriptionSource:
    """Another launch file."""

    path: Any


@dataclass
class IncludeLaunchDescription:
    """The actions of another launch file."""

    source: PythonLaunchDescriptionSource
    launch_arguments: Iterable[tuple[str, Any]] = ()
    condition: IfCondition | None = None


class LaunchDescription(list[Any]):
    """The actions of a launch file."""


@dataclass
class Started:
    """A program, with its texts evaluated, and the program that it waits for."""

    package: str
    executable: str
    arguments: list[str]
    parameters: dict[str, Any]
    after: str


def text(value: Any, context: Context) -> str:
    """A text, or what a substitution or a list of them is."""
    if isinstance(value, list):
        return "".join(text(each, context) for each in value)
    return value if isinstance(value, str) else value.perform(context)


MODULES: Mapping[str, tuple[type, ...]] = {
    "launch": (LaunchDescription,),
    "launch.actions": (
        AppendEnvironmentVariable,
        DeclareLaunchArgument,
        IncludeLaunchDescription,
        OpaqueFunction,
        RegisterEventHandler,
    ),
    "launch.conditions": (IfCondition, UnlessCondition),
    "launch.event_handlers": (OnProcessExit,),
    "launch.launch_description_sources": (PythonLaunchDescriptionSource,),
    "launch.substitutions": (Command, FindExecutable, LaunchConfiguration, PathJoinSubstitution),
    "launch_ros": (),
    "launch_ros.actions": (Node,),
    "launch_ros.parameter_descriptions": (ParameterValue,),
    "launch_ros.substitutions": (FindPackageShare,),
    "ament_index_python": (),
    "ament_index_python.packages": (),
}


@contextmanager
def launch_modules(shares: Path, more: Mapping[str, ModuleType]) -> Iterator[None]:
    """The modules of ROS 2 that launch files import, and more, while the context lasts."""
    made = {name: ModuleType(name) for name in MODULES}
    for name, parts in MODULES.items():
        for part in parts:
            setattr(made[name], part.__name__, part)
    found = made["ament_index_python.packages"]
    found.__dict__["get_package_share_directory"] = lambda package: str(shares / package)
    with mock.patch.dict(sys.modules, made | dict(more)):
        yield


class Launch:
    """A launch file that was evaluated: the programs that it starts, in order, and the files that it includes."""

    def __init__(
        self, file: Path, shares: Path, modules: Mapping[str, ModuleType] | None = None, /, **arguments: str
    ) -> None:
        self.started: list[Started] = []
        self.included: dict[str, dict[str, str]] = {}
        self.declared: list[str] = []
        self.context = Context(arguments, shares)
        with launch_modules(shares, modules or {}):
            self._run(runpy.run_path(str(file))["generate_launch_description"](), "")
        unknown = set(arguments) - set(self.declared)
        assert not unknown, f"{file.name} has no argument {unknown}"

    def _run(self, actions: Iterable[Any], after: str) -> None:
        waiting: list[OnProcessExit] = []
        for action in actions:
            match action:
                case DeclareLaunchArgument():
                    self._declare(action)
                case OpaqueFunction(function=function):
                    self._run(function(self.context), after)
                case RegisterEventHandler(event_handler=handler):
                    waiting.append(handler)
                case AppendEnvironmentVariable(name=name, value=value):
                    self.context.environment[name] = text(value, self.context)
                case IncludeLaunchDescription(condition=condition) if condition and not condition.holds(self.context):
                    continue
                case IncludeLaunchDescription():
                    path = text(action.source.path, self.context)
                    self.included[path] = {key: text(each, self.context) for key, each in action.launch_arguments}
                case Node():
                    self._start(action, after)
                case _:
                    raise TypeError(f"{action} is not an action")
        for handler in waiting:
            self._run(handler.on_exit, _label(handler.target_action))

    def _declare(self, action: DeclareLaunchArgument) -> None:
        assert action.description
        value = self.context.given.get(action.name, action.default_value)
        assert action.choices is None or value in action.choices
        self.declared.append(action.name)
        self.context.values[action.name] = value

    def _start(self, node: Node, after: str) -> None:
        if node.condition is not None and not node.condition.holds(self.context):
            return
        parameters: dict[str, Any] = {}
        for each in node.parameters:
            parameters |= {"file": each} if isinstance(each, str) else self._evaluated(each)
        arguments = [text(each, self.context) for each in node.arguments]
        self.started.append(Started(node.package, node.executable, arguments, parameters, after))

    def _evaluated(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in parameters.items():
            if isinstance(value, ParameterValue):
                found[key] = value.value_type(text(value.value, self.context))
            else:
                found[key] = value if isinstance(value, bool) else text(value, self.context)
        return found

    def nodes(self, package: str) -> list[Started]:
        """The programs of a package that are started."""
        return [each for each in self.started if each.package == package]


def _label(node: Node) -> str:
    names = [each for each in node.arguments if isinstance(each, str)]
    return f"{node.executable} {' '.join(names)}"
