"""A course on anonymization as optimization: what it shows, its exercises, and their checks.

The lecture is ``docs/course/lecture.py``, the exercises ``docs/course/exercises.py``;
``anonopt demo --tour`` walks through the same in a terminal.
"""

from anonopt.teaching.checked_answers import Verdict as Verdict
from anonopt.teaching.checked_answers import check_exercise as check_exercise
from anonopt.teaching.disclosure import class_sizes as class_sizes
from anonopt.teaching.disclosure import exposure as exposure
from anonopt.teaching.disclosure import patients_register as patients_register
from anonopt.teaching.disclosure import rows_together as rows_together
from anonopt.teaching.exercises import Exercise as Exercise
from anonopt.teaching.exercises import get_exercise as get_exercise
from anonopt.teaching.exercises import list_exercises as list_exercises
from anonopt.teaching.lesson import FONT_SIZE as FONT_SIZE
from anonopt.teaching.lesson import RELEASES as RELEASES
from anonopt.teaching.lesson import Lesson as Lesson
from anonopt.teaching.tour import Stop as Stop
from anonopt.teaching.tour import tour as tour
