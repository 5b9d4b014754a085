"""`make judges`: other programs on ROS 2 packages of the samples and of real robots.

xacro expands each package for all hardware. The rules of ros2_control's parser (`tests.control_rules`) take the result,
and so does check_urdf, whose parser ros2_control uses. MuJoCo loads the scene and has the joints, drives and sensors
that the hardware names. catkin_pkg reads the manifest. The test in each package passes. With `sdf=ign`, Gazebo's
sdformat reads the expansion for Gazebo and has every joint and sensor of it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from lxml import etree
from lxml.etree import _Element as Element

from swgrm_addin.pipeline import export
from swgrm_mocks.samples import SAMPLES
from tests.control_rules import violations
from tests.judges.__main__ import Case, ask, originals

HARDWARE = ("mock", "gz", "mujoco")
QUICK = 2  # real robots, and tests of packages, unless Gazebo's program is given too
REAL = (  # MuJoCo accepts the inertias of these
    "xarm7.urdf", "talos_left_arm.urdf", "solo12.urdf", "bolt.urdf", "panda.urdf", "ur5_gripper.urdf", "kinova.urdf",
    "z1.urdf", "go2.urdf", "baxter.urdf",
)  # fmt: skip
SENSORS = {kind: {"type": kind, "at": "tool0"} for kind in ("camera", "ray", "imu", "force_torque", "gps", "contact")}
MUJOCO = (
    "import json, sys, mujoco\n"
    "def names(count, get):\n"
    "    return [get(index).name for index in range(count)]\n"
    "for file in sys.argv[1:]:\n"
    "    try:\n"
    "        m = mujoco.MjModel.from_xml_path(file)\n"
    "        print(json.dumps([names(m.njnt, m.joint), names(m.nu, m.actuator), names(m.nsensor, m.sensor)]))\n"
    "    except ValueError as error:\n"
    "        print(json.dumps(str(error)))\n"
)


class RosJudges:
    """The packages, and what failed."""

    def __init__(self, folder: Path, python: Path, *, full: bool) -> None:
        self.folder, self.python, self.full = folder, python, full
        self.failures: list[str] = []
        self.packages: dict[str, Path] = {}
        self.expanded: dict[tuple[str, str], Element] = {}

    def make(self) -> None:
        """Export the samples, and real robots with their meshes."""
        for name in SAMPLES:
            options = {"sensors": SENSORS} if name == "arm" else {}
            export(f"mock:{name}", self.folder / name, formats=("ros2",), options=options)
            (self.packages[name],) = (self.folder / name).glob("*_description")
        real = {path.name: path for path in originals(self.python)}
        for name in REAL if self.full else REAL[:QUICK]:
            export(str(real[name]), self.folder / name, formats=("ros2",))
            (self.packages[name],) = (self.folder / name).glob("*_description")

    def expand(self) -> None:
        """Expand each package for all hardware."""
        import xacro

        for name, package in self.packages.items():
            (file,) = (package / "urdf").glob("*.urdf.xacro")
            for sim in HARDWARE:
                text = xacro.process_file(str(file), mappings={"sim": sim}).toxml()
                (package.parent / f"{sim}.urdf").write_text(text, "utf-8")
                self.expanded[name, sim] = etree.fromstring(text.encode())
        _print("xacro", f"{len(self.packages)} packages ({len(SAMPLES)} samples), {len(self.expanded)} expansions")

    def check_control(self) -> None:
        """The block of ros2_control."""
        for (name, sim), robot in self.expanded.items():
            self.failures += [f"ros2_control, {name}, {sim}: {message}" for message in violations(robot)]
        _print("ros2_control", f"rules of its parser on {len(self.expanded)} expansions")

    def check_urdf(self) -> None:
        """The URDF, by the parser that ros2_control uses, and the manifest."""
        files = [package.parent / f"{sim}.urdf" for package in self.packages.values() for sim in HARDWARE]
        manifests = [package / "package.xml" for package in self.packages.values()]
        for judge, cases in (("check_urdf", files), ("catkin_pkg", manifests)):
            answers = ask(self.python, judge, [Case(file, {}) for file in cases])
            bad = {file: answer for file, answer in answers.items() if not answer["ok"]}
            self.failures += [f"{judge}, {file}: {answer.get('error')}" for file, answer in bad.items()]
            _print(judge, f"took {len(answers) - len(bad)} of {len(answers)}")

    def check_mujoco(self) -> None:
        """The model has the joints, drives and sensors that the hardware names."""
        scenes = [str(package / "mujoco" / "scene.xml") for package in self.packages.values()]
        done = _run([str(self.python), "-c", MUJOCO, *scenes])
        if done.returncode:
            self.failures.append(f"MuJoCo: {done.stderr[-500:]}")
            return
        count = 0
        for name, line in zip(self.packages, done.stdout.splitlines(), strict=True):
            answer = json.loads(line)
            if isinstance(answer, str):
                self.failures.append(f"MuJoCo, {name}: {answer}")
                continue
            joints, drives, sensors = (set(names) for names in answer)
            block = self.expanded[name, "mujoco"].find("ros2_control")
            assert block is not None
            listed = {each.get("name", "") for each in block.findall("joint")}
            driven = {each.get("name", "") for each in block.findall("joint[command_interface]")}
            named = set(_sensors(block))
            count += len(listed)
            wrong = {"joints": listed - joints, "drives": driven ^ drives, "sensors": named - sensors}
            self.failures += [f"MuJoCo, {name}: {what} {sorted(each)}" for what, each in wrong.items() if each]
        _print("mujoco", f"loaded {len(scenes)} scenes with the {count} joints of the hardware")

    def run_tests(self) -> None:
        """The test in each package."""
        folders = [str(package / "test") for package in self.packages.values()]
        folders = folders if self.full else folders[-QUICK:]
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--import-mode=importlib"]
        done = _run([*command, "--rootdir", str(self.folder), *folders])
        if done.returncode:
            self.failures.append(f"tests of the packages: {done.stdout[-1000:]}")
        _print("tests", f"of the packages: {(done.stdout.splitlines() or ['none'])[-1]}")

    def check_sdformat(self, program: str) -> None:
        """Gazebo's reader of URDF has every moving joint and every sensor."""
        count = 0
        for name, package in self.packages.items():
            done = _run([program, "sdf", "-p", str(package.parent / "gz.urdf")])
            robot = self.expanded[name, "gz"]
            try:
                text = done.stdout[done.stdout.index("<sdf") :]
            except ValueError:
                self.failures.append(f"sdformat, {name}: {(done.stdout + done.stderr)[-300:]}")
                continue
            model = etree.fromstring(text.encode(), etree.XMLParser(recover=True))  # sdformat writes tags with `::`
            moving = {each.get("name") for each in robot.findall("joint") if each.get("type") in MOVING}
            sensors = {each.get("name") for each in robot.iterfind("gazebo/sensor")}
            collisions = {each.get("name") for each in model.iter("collision")}
            watched = {each.text for each in robot.iterfind("gazebo/sensor/contact/collision")}
            lost = {*moving, *sensors} - {each.get("name") for tag in ("joint", "sensor") for each in model.iter(tag)}
            lost |= watched - collisions
            self.failures += [f"sdformat, {name}: lost {sorted(map(str, lost))}"] if lost else []
            count += len(sensors)
        _print("sdformat", f"{len(self.packages)} robots for Gazebo, {count} sensors")


MOVING = ("revolute", "continuous", "prismatic")


def _sensors(block: Element) -> Iterator[str]:
    """MuJoCo's sensors that those of the hardware consist of."""
    endings = {"imu": ("_quat", "_gyro", "_accel"), "fts": ("_force", "_torque")}
    for each in block.findall("sensor"):
        params = {param.get("name"): param.text or "" for param in each.findall("param")}
        yield from (f"{params['mujoco_sensor_name']}{ending}" for ending in endings[params["mujoco_type"]])


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, timeout=1200, check=False)


def _print(name: str, text: str) -> None:
    sys.stdout.write(f"{name:<15} {text}\n")
    sys.stdout.flush()


def main() -> int:
    python, *programs = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("SWGRM_CACHE", str(Path(folder) / "cache"))
        judges = RosJudges(Path(folder) / "packages", Path(python), full=bool(programs))
        judges.make()
        judges.expand()
        judges.check_control()
        judges.check_urdf()
        judges.check_mujoco()
        judges.run_tests()
        for program in programs:
            judges.check_sdformat(program.removeprefix("sdf="))
    for failure in judges.failures:
        sys.stdout.write(f"FAILED {failure}\n")
    sys.stdout.write(f"{len(judges.failures)} failures\n")
    return 1 if judges.failures else 0


if __name__ == "__main__":
    sys.exit(main())
