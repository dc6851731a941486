"""Runs: a search under a budget, its record and result, and saved runs."""

from anonopt.runs.callbacks import CallbackList
from anonopt.runs.memory import BudgetReached, MemoizingEvaluator
from anonopt.runs.result import Result
from anonopt.runs.saving.resume import resume_run, save_run
from anonopt.runs.solve import solve

__all__ = [
    "BudgetReached",
    "CallbackList",
    "MemoizingEvaluator",
    "Result",
    "resume_run",
    "save_run",
    "solve",
]
