"""Statistics of comparisons: ranks over problems, tests, sizes of effects, intervals, power."""

from anonopt.experiments.statistics.bayesian import SignedRankPosterior as SignedRankPosterior
from anonopt.experiments.statistics.bayesian import bayesian_signed_rank as bayesian_signed_rank
from anonopt.experiments.statistics.effects import a12 as a12
from anonopt.experiments.statistics.effects import cliffs_delta as cliffs_delta
from anonopt.experiments.statistics.effects import magnitude as magnitude
from anonopt.experiments.statistics.friedman import FriedmanTest as FriedmanTest
from anonopt.experiments.statistics.friedman import friedman as friedman
from anonopt.experiments.statistics.intervals import bootstrap_interval as bootstrap_interval
from anonopt.experiments.statistics.pairs import PairTest as PairTest
from anonopt.experiments.statistics.pairs import holm as holm
from anonopt.experiments.statistics.pairs import mann_whitney as mann_whitney
from anonopt.experiments.statistics.pairs import sign_test as sign_test
from anonopt.experiments.statistics.pairs import wilcoxon as wilcoxon
from anonopt.experiments.statistics.posthoc import against_control as against_control
from anonopt.experiments.statistics.posthoc import critical_difference as critical_difference
from anonopt.experiments.statistics.posthoc import nemenyi as nemenyi
from anonopt.experiments.statistics.power import effect_shown as effect_shown
from anonopt.experiments.statistics.power import power as power
from anonopt.experiments.statistics.power import runs_needed as runs_needed
from anonopt.experiments.statistics.ranks import mean_ranks as mean_ranks
from anonopt.experiments.statistics.ranks import ranks as ranks
