"""Inference: from a captured assembly's mates to the joints of a robot.

`infer` runs the stages in order; each subpackage is one of them: `mates` (from the capture to equations), `mechanism`
(bodies, pairs and loops), `joints` (the tree, limits, couplings and the robot), `explain` (reasons and findings).
"""

from swgrm.inference.explain.joint_explanation import explain_component, explain_joint, explanation
from swgrm.inference.infer import infer
from swgrm.inference.problem import as_assembly
from swgrm.inference.result import Inference

__all__ = ["Inference", "as_assembly", "explain_component", "explain_joint", "explanation", "infer"]
