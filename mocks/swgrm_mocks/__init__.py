"""Everything synthetic: a mock SolidWorks, sample assemblies, generated robots."""

from swgrm_mocks.synthetic.generator import MixedChainGenerator

__all__ = ["MixedChainGenerator"]
