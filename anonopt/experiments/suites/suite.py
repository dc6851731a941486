"""A suite: instances that never change, with references, and the experiment over them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import pandas as pd

from anonopt._checks import check_distinct, check_list, unknown
from anonopt.algorithms.built_in import BUILT_IN
from anonopt.experiments.grid.entries import AlgorithmLike
from anonopt.experiments.runs import Runs
from anonopt.experiments.store.packing import size_text
from anonopt.experiments.suites.facts import UNBOUNDED, packaged_facts
from anonopt.experiments.suites.instance import Instance
from anonopt.experiments.suites.instances import SUITES
from anonopt.experiments.suites.reference_search import SEEDS, TIMES, ReferenceSearch
from anonopt.experiments.suites.references import (
    frame_of,
    packaged_fronts,
    packaged_reference,
    references_checksum,
)
from anonopt.experiments.suites.results_of_suite import SuiteResults, results_of
from anonopt.experiments.suites.suite_experiment import SuiteExperiment
from anonopt.experiments.tables.pages import provenance
from anonopt.problems.base import AnonymizationProblem

NEWEST = "anonopt-2026"


def list_suites() -> list[str]:
    """Names of the suites.

    Examples
    --------
    >>> list_suites()
    ['anonopt-2026', 'local-2026']
    """
    return list(SUITES)


class Suite:
    """Instances of one version, which never change: another version is another suite.

    Parameters
    ----------
    name : str

    Raises
    ------
    ValueError
        If there is no such suite.

    Attributes
    ----------
    name : str
    """

    def __init__(self, name: str) -> None:
        if name not in SUITES:
            raise ValueError(unknown("suite", name, SUITES))
        self.name = name
        self._instances = {one.name: one for one in SUITES[name]}

    def __repr__(self) -> str:
        return f"Suite({self.name!r}): {len(self._instances)} instances"

    @cached_property
    def instances(self) -> pd.DataFrame:
        """One row an instance, from small to large within its family.

        ``name``, ``family``, ``problem`` (class), ``objectives``, ``size`` (genomes, as text; of
        many the order of magnitude), ``budget`` (distinct evaluations of a run), ``reference``
        (where the reference front is from) and ``n_reference`` (its points).
        """
        return pd.DataFrame([self._row(one, one.make()) for one in self._instances.values()])

    def _row(self, instance: Instance, problem: AnonymizationProblem) -> dict[str, object]:
        reference = packaged_reference(self.name, instance.name)
        return {
            "name": instance.name,
            "family": instance.family,
            "problem": type(problem).__name__,
            "objectives": ", ".join(problem.objective_names),
            "size": size_text(problem.space.size) or UNBOUNDED,
            "budget": instance.budget,
            "reference": "all runs" if reference is None else reference.source,
            "n_reference": 0 if reference is None else len(reference.front),
        }

    def _rows(self, names: Iterable[str]) -> pd.DataFrame:
        wanted = set(names)
        chosen = [one for one in self._instances.values() if one.name in wanted]
        return pd.DataFrame([self._row(one, one.make()) for one in chosen])

    @property
    def references(self) -> pd.DataFrame:
        """How the reference front of each instance was found, one row each.

        All files are read and held to their checksums; see
        :func:`~anonopt.experiments.suites.references.frame_of` for the columns.

        Raises
        ------
        ValueError
            If a file is not the one that its checksum is of.
        """
        return frame_of(packaged_fronts(self.name))

    @property
    def checksum(self) -> str:
        """SHA-256 of the reference fronts and points: results that share it can be compared."""
        return references_checksum(self.name)

    def reference_search(
        self,
        algorithms: Mapping[str, AlgorithmLike] | Iterable[AlgorithmLike] | None = None,
        *,
        seeds: Iterable[int] = SEEDS,
        times: int = TIMES,
        instances: Iterable[str] | None = None,
    ) -> ReferenceSearch:
        """Prove fronts, and look for better ones where there is no proof.

        ``anonopt experiment references`` does it all; see
        :class:`~anonopt.experiments.suites.reference_search.ReferenceSearch`.

        Parameters
        ----------
        algorithms : mapping of name to algorithm, or iterable of algorithms, optional
            By default every algorithm of the library.
        seeds : iterable of int
            From 1000 on, so that they are none that results are of.
        times : int
            Budget of a run, in budgets of the instance.
        instances : iterable of str, optional
            Names; by default all.

        Raises
        ------
        ValueError
            If a name is unknown, a seed below 1000, or no algorithm takes any instance.
        TypeError
            If something else is handed in.
        """
        return ReferenceSearch(
            self.name, self._chosen(instances), algorithms=algorithms, seeds=seeds, times=times
        )

    def facts(self) -> pd.DataFrame:
        """Size, feasible share, front, ruggedness, correlation of objectives of every instance.

        They come with the library, as ``anonopt experiment facts`` measured them; see
        :func:`~anonopt.experiments.suites.facts.packaged_facts` for the columns.
        """
        return packaged_facts(self.name)

    def problem(self, name: str) -> AnonymizationProblem:
        """Make the problem of an instance.

        Raises
        ------
        ValueError
            If there is no such instance.
        """
        return self.instance(name).make()

    def instance(self, name: str) -> Instance:
        """Source, options and budget of an instance.

        Raises
        ------
        ValueError
            If there is none of this name.
        """
        if name not in self._instances:
            raise ValueError(unknown("instance", name, self._instances))
        return self._instances[name]

    def experiment(
        self,
        algorithms: Mapping[str, AlgorithmLike] | Iterable[AlgorithmLike] | None = None,
        *,
        seeds: Iterable[int] = range(10),
        instances: Iterable[str] | None = None,
        name: str | None = None,
        time_limit: float | None = None,
        memory_limit: int | None = None,
    ) -> SuiteExperiment:
        """Compare algorithms on the suite.

        Pairs that do not fit are in ``left_out`` of what is returned, with the reason.

        Parameters
        ----------
        algorithms : mapping of name to algorithm, or iterable of algorithms, optional
            As :class:`~anonopt.experiments.Experiment` takes them; by default every algorithm
            of the library; one's own are named.
        seeds : iterable of int
            One run each; algorithms that draw nothing at random have one run only.
        instances : iterable of str, optional
            Names; by default all.
        name : str, optional
            Of the experiment; by default that of the suite.
        time_limit, memory_limit : optional
            As :class:`~anonopt.experiments.Experiment`.

        Returns
        -------
        Experiment

        Raises
        ------
        ValueError
            If a name is unknown or stands twice, or no algorithm takes any instance.
        TypeError
            If something else is handed in.

        Examples
        --------
        >>> experiment = suite("anonopt-2026").experiment(
        ...     ["pbgea", "ga"], seeds=range(2), instances=["german-k-glm"]
        ... )
        >>> experiment.grid()[["problem", "algorithm", "seed", "budget"]]
                problem algorithm  seed           budget
        0  german-k-glm     pbgea     0  150 evaluations
        1  german-k-glm     pbgea     1  150 evaluations
        >>> experiment.left_out[["algorithm", "reason"]].values.tolist()
        [['ga', 'expected a problem of 1 objective, found 2']]
        """
        return SuiteExperiment(
            self.name,
            self._chosen(instances),
            algorithms=list(BUILT_IN) if algorithms is None else algorithms,
            seeds=seeds,
            name=self.name if name is None else name,
            time_limit=time_limit,
            memory_limit=memory_limit,
        )

    def results(
        self, experiment: SuiteExperiment, runs: Runs, *, command: Sequence[str] = ()
    ) -> SuiteResults:
        """What the runs of an experiment on the suite came to, to be told and compared.

        Parameters
        ----------
        experiment : Experiment
            Of :meth:`experiment`.
        runs : Runs
            What its ``run`` gave back.
        command : sequence of str
            By which they were made.
        """
        against = (
            f"Reference fronts of SHA-256 {self.checksum[:16]}; results that share it can be "
            "compared."
        )
        return results_of(
            experiment,
            runs,
            instances=self._rows(one.name for one in experiment.problems),
            made=f"{provenance(command or ['Suite.results'])} {against}",
        )

    def _chosen(self, names: Iterable[str] | None) -> list[Instance]:
        if names is None:
            return list(self._instances.values())
        wanted = check_list("instances", names, "names")
        found = [self.instance(name) for name in wanted]
        check_distinct("instances", wanted)
        return found


def suite(name: str = NEWEST) -> Suite:
    """Fixed instances, so that results of different people can be compared.

    Parameters
    ----------
    name : str
        See :func:`list_suites`.

    Returns
    -------
    Suite

    Raises
    ------
    ValueError
        If there is no such suite.

    Examples
    --------
    >>> suite("anonopt-2026")
    Suite('anonopt-2026'): 27 instances
    """
    return Suite(name)
