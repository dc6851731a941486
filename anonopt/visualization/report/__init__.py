"""Reports: one HTML file of an experiment or of a run, which needs no network."""

from anonopt.visualization.report.experiment.experiment_page import (
    experiment_page as experiment_page,
)
from anonopt.visualization.report.page import page_html as page_html
from anonopt.visualization.report.parts import Entry as Entry
from anonopt.visualization.report.parts import Page as Page
from anonopt.visualization.report.parts import Panel as Panel
from anonopt.visualization.report.parts import Picture as Picture
from anonopt.visualization.report.parts import Plot as Plot
from anonopt.visualization.report.parts import Points as Points
from anonopt.visualization.report.parts import Section as Section
from anonopt.visualization.report.parts import Solution as Solution
from anonopt.visualization.report.parts import Table as Table
from anonopt.visualization.report.parts import Text as Text
from anonopt.visualization.report.parts import Weights as Weights
from anonopt.visualization.report.runs.run_page import run_page as run_page
from anonopt.visualization.report.runs.run_page import saved_run_page as saved_run_page
from anonopt.visualization.report.writing import report_page as report_page
from anonopt.visualization.report.writing import write_report as write_report
