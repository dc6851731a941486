"""What all searches of this library share: they say what they were made of, and refuse at once."""

from __future__ import annotations

from typing import Any

from pymoo.core.algorithm import Algorithm
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.core.termination import NoTermination, Termination
from pymoo.util.display.multi import MultiObjectiveOutput
from pymoo.util.display.output import Output
from pymoo.util.display.single import SingleObjectiveOutput

from anonopt.algorithms.entry import path_of
from anonopt.algorithms.registry import declared_refusal, refused
from anonopt.problems.recipes import Recipe


class Search(Algorithm):
    """Base class; subclasses implement ``_begin`` and pymoo's infill and advance.

    Constructors take keyword options only. The first infill and advance are those of every step,
    unless a subclass overrides them.

    Parameters
    ----------
    termination : pymoo Termination or tuple, optional
        A rule that may end the search before it ends by itself.
    output : pymoo Output, optional
        What is printed of a step where the run is verbose; by default pymoo's for one objective
        or several.
    archive : object, optional
        Kept in ``archive``; pymoo offers it the individuals of each generation by ``add``.

    Attributes
    ----------
    recipe : Recipe
        Class and options it was made with, so that a saved run can name them.
    end_reason : str
        Why the search ended by itself, in words for the message of a result; empty as long as
        there is nothing to say.

    Raises
    ------
    ValueError
        When it is set up, before anything is evaluated, if the problem does not fit what the
        registry declares of the class, or the search itself refuses it. The error names the
        algorithms that fit.
    """

    recipe: Recipe

    ends_by_itself = False
    """Whether it runs to its own end where no termination is given."""

    def __new__(cls, *args: Any, **options: Any) -> Any:
        """Note the options; pymoo's and Python's copies bring the note along."""
        search = super().__new__(cls)
        search.recipe = Recipe(path_of(cls), options)
        return search

    def __init__(
        self,
        *,
        termination: Termination | tuple[Any, ...] | None = None,
        output: Output | None = None,
        archive: Any = None,
    ) -> None:
        if termination is None and self.ends_by_itself:
            termination = NoTermination()
        super().__init__(termination=termination, output=output, archive=archive)
        self.end_reason = ""

    @property
    def is_proven(self) -> bool:
        """Whether the search has proven that no feasible solution is better than its best."""
        return False

    def refusal(self, problem: Problem) -> str | None:
        """Why the search does not take a problem; None if it does.

        Parameters
        ----------
        problem : pymoo Problem
        """
        declared = declared_refusal(type(self).__mro__, problem)
        return self.particular_refusal(problem) if declared is None else declared

    def particular_refusal(self, problem: Problem) -> str | None:
        """Why it does not take a problem that fits what the registry declares of its class."""
        return None

    def end(self, reason: str) -> None:
        """End the search after this step."""
        self.end_reason = reason
        self.termination.terminate()

    def setup(self, problem: Problem, **kwargs: Any) -> Algorithm:
        """Get ready for a problem, as pymoo's algorithms do."""
        if self.output is None and kwargs.get("output") is None:
            kwargs["output"] = default_output(problem.n_obj)
        return super().setup(problem, **kwargs)

    def _setup(self, problem: Problem, **kwargs: Any) -> None:
        reason = self.refusal(problem)
        if reason is not None:
            raise refused(type(self).__name__, problem, reason)
        self.end_reason = ""
        self._begin(problem)

    def _begin(self, problem: Problem) -> None:
        """Prepare a search of a problem that fits."""

    def _initialize_infill(self) -> Population:
        return self._infill()

    def _initialize_advance(self, infills: Population | None = None, **kwargs: Any) -> None:
        self._advance(infills)


def default_output(n_obj: int) -> Output:
    """What pymoo prints of a step of a search with so many objectives."""
    return SingleObjectiveOutput() if n_obj == 1 else MultiObjectiveOutput()
