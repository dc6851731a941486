"""Options of an algorithm, tuned on some instances and seeds and shown on others."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import pandas as pd
from pymoo.core.result import Result
from pymoo.core.variable import Variable

from anonopt._checks import check_choice, check_integer
from anonopt.experiments.experiment import Experiment
from anonopt.experiments.grid.budgets import BudgetLike
from anonopt.experiments.grid.entries import ProblemLike
from anonopt.experiments.performance.quality import INDICATORS
from anonopt.experiments.tuning.grounds import Grounds, OwnProblems, SplitSuite
from anonopt.experiments.tuning.option_spaces import any_value, check_kind, checked_space
from anonopt.experiments.tuning.pymoo_search import searched_by_pymoo
from anonopt.experiments.tuning.split import Split
from anonopt.experiments.tuning.studies import (
    StorageLike,
    copy_of,
    imported_optuna,
    open_study,
    proposal,
)
from anonopt.experiments.tuning.training import DEFAULT, TUNED, Training
from anonopt.experiments.tuning.trials import Trial, trial_frame
from anonopt.experiments.tuning.tunable import TunableLike, with_options

if TYPE_CHECKING:
    import optuna


class Tuning:
    """Search for options of an algorithm on training instances, and show them on test instances.

    What is tuned on is never what is reported on: a validation takes neither an instance nor a seed
    of the training.

    Parameters
    ----------
    algorithm : str, tuple, class, function or pymoo Algorithm
        A registered name; a pair of name and options of the default; a class; a function of the
        problem that takes options by keyword; or an object, whose options are parameters that
        pymoo finds in it, such as ``mating.crossover.prob``.
    options : mapping of name to Optuna distribution, or of name to pymoo Variable
        What is searched: for :meth:`run_optuna`, such as ``{"pop_size": IntDistribution(10, 100)}``
        of ``optuna.distributions``; for :meth:`run_pymoo`, such as
        ``{"pop_size": Integer(bounds=(10, 100))}`` of ``pymoo.core.variable``.
    train : Split, mapping of name to problem, or iterable of problems
        A split of a suite, see :func:`~anonopt.experiments.suite_split`; or problems as those of an
        :class:`~anonopt.experiments.Experiment`, each with an exact front: against a front of all
        runs, values of a trial would depend on later trials.
    seeds : iterable of int
        Of the training runs. A split has its own.
    budget : int or mapping
        Of a run, as that of an :class:`~anonopt.experiments.Experiment`: distinct evaluations,
        tests, or one of them with generations. Instances of a suite have their own.
    indicator : str
        Of `INDICATORS`. All of them are relative to the front of the problem, so that their mean
        over problems weighs each alike.

    Raises
    ------
    ValueError
        If a name, an option or a budget is unknown or out of its range, there is no option, a
        problem has no exact front, or the algorithm does not take it; if the budget is of seconds,
        or of generations alone: before anything runs.
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
    >>> tuning.n_runs, tuning.n_evaluations
    (3, 120)
    >>> tuning.validation(found.X, problems=["german-k-glm"], seeds=[1])
    Traceback (most recent call last):
        ...
    ValueError: problems: expected instances apart from those of the tuning, found 'german-k-glm'
    """

    def __init__(
        self,
        *,
        algorithm: TunableLike,
        options: Mapping[str, Any],
        train: Split | Mapping[str, ProblemLike] | Iterable[ProblemLike],
        seeds: Iterable[int] | None = None,
        budget: BudgetLike | None = None,
        indicator: str = "hypervolume",
    ) -> None:
        self.algorithm = algorithm
        self.options = checked_space(options)
        self.indicator = check_choice("indicator", indicator, INDICATORS)
        self._grounds: Grounds = (
            SplitSuite(train, seeds, budget)
            if isinstance(train, Split)
            else OwnProblems(train, seeds, budget)
        )
        # An unknown option, or what does not fit, is told at once.
        some = {name: any_value(space) for name, space in self.options.items()}
        self._training = Training(
            self._grounds.training(self._compared(some)), self._grounds.reference, indicator
        )
        self._trials: list[Trial] = []

    def _compared(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """The algorithm as it comes, and with options."""
        return {DEFAULT: self.algorithm, TUNED: with_options(self.algorithm, options)}

    @property
    def instances(self) -> list[str]:
        """Names of what is tuned with: of a split, what the algorithm takes."""
        return list(self._training.problems)

    @property
    def trials(self) -> pd.DataFrame:
        """One row for each trial that was run by this object.

        The options, ``value`` (mean of the indicator), ``n_runs``, ``n_evaluations`` (distinct
        solutions of all its runs) and ``ended`` (how many runs ended for which reason; one that
        failed counts as having found nothing).
        """
        return trial_frame(self._trials)

    @property
    def n_runs(self) -> int:
        """Training runs that were made by this object, those of :meth:`objective` too."""
        return sum(trial.n_runs for trial in self._trials)

    @property
    def n_evaluations(self) -> int:
        """Distinct evaluations of all these runs: what the tuning cost."""
        return sum(trial.n_evaluations for trial in self._trials)

    def objective(self, options: Mapping[str, Any]) -> float:
        """Mean of the indicator over all training problems and seeds.

        Parameters
        ----------
        options : mapping of name to value
            Any options of the algorithm; those that are not named keep their defaults, so that
            ``{}`` is the algorithm as it comes.

        Raises
        ------
        RuntimeError
            If every run fails.
        """
        return self._trial(options).value

    def _trial(self, options: Mapping[str, Any]) -> Trial:
        trial = self._training.trial(options, with_options(self.algorithm, options))
        self._trials.append(trial)
        return trial

    def run_optuna(
        self,
        *,
        n_trials: int,
        seed: int,
        storage: StorageLike = None,
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
        storage : path, URL or Optuna storage, optional
            Where the study is kept: a file of SQLite, such as ``"tuning.sqlite"``, or what Optuna
            takes; one process at a time.
        name : str
            Of the study in its storage.

        Returns
        -------
        optuna.Study
            ``best_params``, ``best_value``, ``trials``, ``trials_dataframe()``, and all plots of
            Optuna. Each trial has what it cost as ``user_attrs``: ``n_runs``, ``n_evaluations``,
            ``ended``, those of earlier calls too.

        Raises
        ------
        ValueError
            If the storage holds a study of another tuning or seed under this name.
        TypeError
            If the options are pymoo's variables.
        ModuleNotFoundError
            If Optuna is not installed.
        """
        optuna = imported_optuna()
        check_kind(self.options, optuna.distributions.BaseDistribution, "Optuna distributions")
        check_integer("n_trials", n_trials, least=1)
        check_integer("seed", seed, least=0)
        study = open_study(
            storage, name, maximize=self._maximize, description=self._description(seed)
        )
        copy = copy_of(study)
        for number in range(len(study.trials), n_trials):
            asked = proposal(copy, self.options, seed=seed, number=number)
            trial = self._trial(asked.params)
            # In one step, once it is evaluated: a kill leaves all of a trial, or nothing.
            study.add_trial(
                optuna.trial.create_trial(
                    params=asked.params,
                    distributions=self.options,
                    value=trial.value,
                    user_attrs=trial.cost,
                )
            )
            copy.tell(asked, trial.value)
        return study

    def run_pymoo(self, *, n_trials: int, seed: int) -> Result:
        """Search with pymoo's ``HyperparameterProblem`` and its GA for mixed variables.

        Nothing is kept on the way: a search that was killed begins again.

        Parameters
        ----------
        n_trials : int
            Options that are evaluated; fewer, if no others are left.
        seed : int

        Returns
        -------
        pymoo.core.result.Result
            ``X`` are the best options; ``F`` is minimized, so the negative of an indicator of
            which more is better.

        Raises
        ------
        TypeError
            If the options are Optuna's distributions.
        """
        check_integer("n_trials", n_trials, least=1)
        check_integer("seed", seed, least=0)
        check_kind(self.options, Variable, "pymoo variables")
        return searched_by_pymoo(
            self.options, self.objective, maximize=self._maximize, n_trials=n_trials, seed=seed
        )

    @property
    def _maximize(self) -> bool:
        return INDICATORS[self.indicator].maximize

    def _description(self, seed: int) -> str:
        """All that decides the trials of a study, as JSON."""
        return json.dumps(
            {
                "options": {name: repr(space) for name, space in self.options.items()},
                "indicator": self.indicator,
                "seed": seed,
            }
            | self._training.description()
        )

    def validation(
        self,
        options: Mapping[str, Any],
        *,
        problems: Mapping[str, ProblemLike] | Iterable[ProblemLike] | None = None,
        seeds: Iterable[int] | None = None,
        name: str = "validation",
    ) -> Experiment:
        """The algorithm as it comes against the tuned one, on instances apart from the training.

        Parameters
        ----------
        options : mapping of name to value
            Such as ``study.best_params``.
        problems, seeds
            Of the test, as those of an :class:`~anonopt.experiments.Experiment`. A split of a suite
            has its own, of which `problems` may name some.
        name : str
            Of the experiment.

        Returns
        -------
        Experiment
            Of the algorithms ``default`` and ``tuned`` with the budget of the training, or those of
            the suite; run it, and its tables and tests say whether the tuning helped.

        Raises
        ------
        ValueError
            If an instance, by its fingerprint, or a seed is one of the training.
        """
        return self._grounds.test(self._compared(options), problems, seeds, name=name)
