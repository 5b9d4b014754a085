"""Synthetic data: a mock SolidWorks, sample assemblies, and generated robots."""

from swgrm_mocks.synthetic.generator import MixedChainGenerator

__all__ = ["MixedChainGenerator"]
