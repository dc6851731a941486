"""Options of an algorithm, tuned on some instances and seeds and shown on others."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from pymoo.core.result import Result
from pymoo.core.variable import Variable

from anonopt._checks import check_choice, check_integer
from anonopt.algorithms.registry import ALGORITHMS
from anonopt.experiments.experiment import Experiment
from anonopt.experiments.grid.budgets import seeds_of
from anonopt.experiments.grid.entries import AlgorithmEntry, ProblemLike, problem_entries
from anonopt.experiments.performance.quality import INDICATORS
from anonopt.experiments.performance.references import Reference, exact_reference, finite
from anonopt.experiments.tuning.option_spaces import any_value, check_kind, checked_space, plain
from anonopt.experiments.tuning.studies import claim, copy_of, proposal
from anonopt.runs.solve import solve

if TYPE_CHECKING:
    import optuna

DEFAULT, TUNED = "default", "tuned"
"""Names of the algorithms that a validation compares."""

POP_SIZE = 10
"""Of the search of `Tuning.run_pymoo`: few, as a tuning has few trials."""


class Tuning:
    """Search for options of an algorithm on training instances, and show them on test instances.

    What is tuned on is never what is reported on: a validation takes neither an instance nor a seed
    of the training.

    Parameters
    ----------
    algorithm : str
        Registered name.
    options : mapping of name to Optuna distribution, or of name to pymoo Variable
        What is searched: for :meth:`run_optuna`, such as ``{"pop_size": IntDistribution(10, 100)}``
        of ``optuna.distributions``; for :meth:`run_pymoo`, such as
        ``{"pop_size": Integer(bounds=(10, 100))}`` of ``pymoo.core.variable``.
    train : mapping of name to problem, or iterable of problems
        As the problems of an :class:`~anonopt.experiments.Experiment`. Each needs an exact front:
        against a front of all runs, values of a trial would depend on later trials.
    seeds : iterable of int
        Of the training runs.
    budget : int
        Distinct evaluations of a run.
    indicator : str
        Of `INDICATORS`. All of them are relative to the front of the problem, so that their mean
        over problems weighs each alike.

    Attributes
    ----------
    n_runs : int
        Training runs that were made by this object. A study of n trials costs n times the number of
        problems times that of seeds.

    Raises
    ------
    ValueError
        If a name or an option is unknown, there is no option, a problem has no exact front, or the
        algorithm does not take it: before anything runs.
    TypeError
        If something else is handed in.

    Examples
    --------
    >>> from pymoo.core.variable import Integer
    >>> tuning = Tuning(
    ...     algorithm="nsga2",
    ...     options={"pop_size": Integer(bounds=(4, 40))},
    ...     train=["german-k-glm"],
    ...     seeds=[0],
    ...     budget=40,
    ... )
    >>> found = tuning.run_pymoo(n_trials=3, seed=1)
    >>> tuning.n_runs
    3
    >>> tuning.validation(found.X, problems=["german-k-glm"], seeds=[1])
    Traceback (most recent call last):
        ...
    ValueError: problems: expected instances apart from the training, found 'german-k-glm'
    """

    def __init__(
        self,
        *,
        algorithm: str,
        options: Mapping[str, Any],
        train: Mapping[str, ProblemLike] | Iterable[ProblemLike],
        seeds: Iterable[int],
        budget: int,
        indicator: str = "hypervolume",
    ) -> None:
        ALGORITHMS.find(algorithm)
        self.algorithm = algorithm
        self.options = checked_space(options)
        self.problems = problem_entries(train)
        self.seeds = seeds_of(seeds)
        self.budget = check_integer("budget", budget, least=1)
        self.indicator = check_choice("indicator", indicator, INDICATORS)
        self.n_runs = 0
        self._references: dict[str, Reference] = {}
        least = {name: any_value(space) for name, space in self.options.items()}
        for entry in self.problems:
            reference = exact_reference(entry.problem)
            if reference is None:
                raise ValueError(
                    f"train: expected problems with an exact front, found {entry.name!r}"
                )
            self._references[entry.name] = reference
            # An unknown option, or a problem that does not fit, is told at once.
            self._entry(least).make(entry.problem)

    def _entry(self, options: Mapping[str, Any]) -> AlgorithmEntry:
        return AlgorithmEntry(self.algorithm, (self.algorithm, dict(options)))

    def values(self, options: Mapping[str, Any]) -> list[float]:
        """Indicator of each training run with some options; problems outside, seeds inside."""
        indicator = INDICATORS[self.indicator]
        found = []
        for entry in self.problems:
            for seed in self.seeds:
                algorithm = self._entry(options).make(entry.problem)
                result = solve(entry.problem, algorithm, budget=self.budget, seed=seed)
                self.n_runs += 1
                points = finite(result.F)
                reference = self._references[entry.name]
                found.append(indicator.of(points, reference) if len(points) else indicator.nothing)
        return found

    def objective(self, options: Mapping[str, Any]) -> float:
        """Mean of the indicator over all training problems and seeds.

        Parameters
        ----------
        options : mapping of name to value
            Any options of the algorithm; those that are not named keep their defaults.
        """
        return float(np.mean(self.values(options)))

    def run_optuna(
        self,
        *,
        n_trials: int,
        seed: int,
        storage: str | optuna.storages.BaseStorage | None = None,
        name: str = "tuning",
    ) -> optuna.Study:
        """Let Optuna's TPE propose options until a study has a number of trials.

        Every trial draws from a generator seeded by `seed` and its number, and is written once it
        is evaluated: a study that was killed goes on, and ends with the trials of an unbroken one.

        Parameters
        ----------
        n_trials : int
            Of the whole study, with those that the storage holds.
        seed : int
        storage : str or Optuna storage, optional
            Such as ``"sqlite:///tuning.sqlite"``; one process at a time.
        name : str
            Of the study in its storage.

        Returns
        -------
        optuna.Study
            ``best_params``, ``best_value``, ``trials``, ``trials_dataframe()``, and all plots of
            Optuna.

        Raises
        ------
        ValueError
            If the storage holds a study of another tuning or seed under this name.
        TypeError
            If the options are pymoo's variables.
        ModuleNotFoundError
            If Optuna is not installed.
        """
        try:
            import optuna
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(
                "run_optuna needs the extra 'tuning': pip install 'anonopt[tuning]'; "
                "run_pymoo needs nothing"
            ) from error
        check_kind(self.options, optuna.distributions.BaseDistribution, "Optuna distributions")
        check_integer("n_trials", n_trials, least=1)
        check_integer("seed", seed, least=0)
        directions = optuna.study.StudyDirection
        maximize = INDICATORS[self.indicator].maximize
        direction = directions.MAXIMIZE if maximize else directions.MINIMIZE
        study = optuna.create_study(
            storage=storage, study_name=name, direction=direction, load_if_exists=True
        )
        claim(study, json.dumps(self._description(seed)))
        copy = copy_of(study)
        for number in range(len(study.trials), n_trials):
            trial = proposal(copy, self.options, seed=seed, number=number)
            value = self.objective(trial.params)
            # In one step, once it is evaluated: a kill leaves all of a trial, or nothing.
            study.add_trial(
                optuna.trial.create_trial(
                    params=trial.params, distributions=self.options, value=value
                )
            )
            copy.tell(trial, value)
        return study

    def run_pymoo(self, *, n_trials: int, seed: int) -> Result:
        """Search with pymoo's ``HyperparameterProblem`` and its GA for mixed variables.

        Nothing is kept on the way: a search that was killed begins again.

        Parameters
        ----------
        n_trials : int
            Options that are evaluated.
        seed : int

        Returns
        -------
        pymoo Result
            ``X`` are the best options; ``F`` is minimized, so the negative of an indicator of
            which more is better.

        Raises
        ------
        TypeError
            If the options are Optuna's distributions.
        """
        from pymoo.algorithms.hyperparameters import HyperparameterProblem
        from pymoo.core.mixed import MixedVariableGA
        from pymoo.optimize import minimize

        check_integer("n_trials", n_trials, least=1)
        check_integer("seed", seed, least=0)
        check_kind(self.options, Variable, "pymoo variables")
        sign = -1 if INDICATORS[self.indicator].maximize else 1
        problem = HyperparameterProblem(
            self.algorithm,
            performance=lambda options: {"F": sign * self.objective(options)},
            func_create=lambda _, options: plain(options),
            vars=self.options,
        )
        # One child at a time: a generation of more would exceed the number of trials.
        search = MixedVariableGA(pop_size=min(n_trials, POP_SIZE), n_offsprings=1)
        found = minimize(problem, search, ("n_evals", n_trials), seed=seed)
        found.X = plain(found.X)
        return found

    def _description(self, seed: int) -> dict[str, Any]:
        return {
            "algorithm": self.algorithm,
            "options": {name: repr(space) for name, space in self.options.items()},
            "train": {entry.name: entry.problem.portable_fingerprint for entry in self.problems},
            "seeds": self.seeds,
            "budget": self.budget,
            "indicator": self.indicator,
            "seed": seed,
        }

    def validation(
        self,
        options: Mapping[str, Any],
        *,
        problems: Mapping[str, ProblemLike] | Iterable[ProblemLike],
        seeds: Iterable[int],
        name: str = "validation",
    ) -> Experiment:
        """The algorithm as it comes against the tuned one, on instances apart from the training.

        Parameters
        ----------
        options : mapping of name to value
            Such as ``study.best_params``.
        problems, seeds
            Of the test, as those of an :class:`~anonopt.experiments.Experiment`.
        name : str
            Of the experiment.

        Returns
        -------
        Experiment
            Of the algorithms ``default`` and ``tuned`` with the budget of the training; run it, and
            its tables and tests say whether the tuning helped.

        Raises
        ------
        ValueError
            If an instance, by its fingerprint, or a seed is one of the training.
        """
        tests = problem_entries(problems)
        trained = {entry.problem.portable_fingerprint for entry in self.problems}
        for entry in tests:
            if entry.problem.portable_fingerprint in trained:
                raise ValueError(
                    f"problems: expected instances apart from the training, found {entry.name!r}"
                )
        test_seeds = seeds_of(seeds)
        for seed in test_seeds:
            if seed in self.seeds:
                raise ValueError(f"seeds: expected seeds apart from the training, found {seed}")
        return Experiment(
            problems={entry.name: entry.catalogue_name or entry.problem for entry in tests},
            algorithms={DEFAULT: self.algorithm, TUNED: (self.algorithm, dict(options))},
            seeds=test_seeds,
            budget=self.budget,
            name=name,
        )
