"""Access to swgrm_mocks: sample assemblies in a mock SolidWorks, and generated robots.

The modules are loaded by name when they are used. This table, and the scheme `mock` in the tables of SolidWorks
instances, are the only places where swgrm_addin names swgrm_mocks; tests/house checks that.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

MODULES = {
    "samples": "swgrm_mocks.samples",
    "solidworks": "swgrm_mocks.solidworks",
    "generator": "swgrm_mocks.synthetic.generator",
    "sweep": "swgrm_mocks.synthetic.sweep",
}


def loaded(name: str) -> Any:  # noqa: ANN401 - a module, whose names a type checker does not see
    """The module that the table has under `name`."""
    return import_module(MODULES[name])


def sample_application(name: str) -> Any:  # noqa: ANN401 - an object of the SolidWorks API
    """The `ISldWorks` of a mock SolidWorks that has the sample assembly `name` open."""
    from swgrm_addin.port import Port

    mock = loaded("solidworks")
    known = loaded("samples").known(name)
    solidworks = mock.MockSolidWorks(known.build(), quirks=known.quirks)
    return Port(mock.MemoryTransport()).wrap(solidworks.application, "ISldWorks")


def modelling_application(**conventions: str) -> Any:  # noqa: ANN401 - an object of the SolidWorks API
    """The `ISldWorks` of a mock SolidWorks without documents, which builds them; with other conventions if given."""
    from swgrm_addin.port import Port

    mock = loaded("solidworks")
    return Port(mock.MemoryTransport()).wrap(mock.MockSolidWorks(conventions=conventions).application, "ISldWorks")


def sample_descriptions() -> dict[str, str]:
    """What each sample assembly shows, by its name."""
    samples = loaded("samples")
    return {name: sample.description for name, sample in (samples.SAMPLES | samples.BAD_DAYS).items()}
