"""Runs: a search under a budget, its record and result, and saved runs."""

from anonopt.runs.callbacks import CallbackList as CallbackList
from anonopt.runs.memory import BudgetReached as BudgetReached
from anonopt.runs.memory import MemoizingEvaluator as MemoizingEvaluator
from anonopt.runs.result import Result as Result
from anonopt.runs.saving.loading import load_run as load_run
from anonopt.runs.saving.resume import resume_run as resume_run
from anonopt.runs.saving.resume import save_run as save_run
from anonopt.runs.solve import solve as solve
