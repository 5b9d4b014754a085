"""The law of the last digit: a robot does not change when every number of its capture changes in the last place.

No decision may hang on rounding, because the last digits of computed numbers depend on the processor.
"""

import pytest
from tests import full
from tests.fingerprints import (
    differences,
    fingerprint_of,
    fingerprint_with_meshes,
    random_assembly,
    recordings,
    shaken,
    without_file_names,
)

from swgrm_mocks.samples import SAMPLES, sample

ASSEMBLIES, ASSEMBLIES_IN_FULL = 24, 200
SHAKES, SHAKES_IN_FULL = 2, 5


def shakes() -> range:
    return range(SHAKES_IN_FULL if full.IS_FULL else SHAKES)


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_samples_are_the_same_robots_with_the_same_shapes(name: str) -> None:
    capture = sample(name)
    expected = without_file_names(fingerprint_with_meshes(capture))
    for seed in shakes():
        found = without_file_names(fingerprint_with_meshes(shaken(capture, seed)))
        assert list(differences(expected, found)) == []


@pytest.mark.parametrize("number", range(ASSEMBLIES_IN_FULL if full.IS_FULL else ASSEMBLIES))
def test_random_assemblies_are_the_same_robots(number: int) -> None:
    capture = random_assembly(number)
    expected = fingerprint_of(capture)
    for seed in shakes():
        assert list(differences(expected, fingerprint_of(shaken(capture, seed)))) == []


@pytest.mark.parametrize("name", recordings())
def test_recordings_from_live_solidworks_are_the_same_robots(name: str) -> None:
    capture = recordings()[name]
    expected = fingerprint_of(capture)
    for seed in shakes():
        assert list(differences(expected, fingerprint_of(shaken(capture, seed)))) == []
