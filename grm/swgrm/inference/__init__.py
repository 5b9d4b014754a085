"""Inference: from a captured assembly's mates to the joints of a robot."""

from swgrm.inference.infer import Inference, infer
from swgrm.inference.options import Options
from swgrm.inference.problem import as_assembly

__all__ = ["Inference", "Options", "as_assembly", "infer"]
