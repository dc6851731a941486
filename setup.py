"""Finds the packages, which pyproject.toml cannot do for folders that are mapped into another one.

Everything else about the package stands in pyproject.toml.
"""

from setuptools import find_packages, setup

FOLDERS = {"anonopt": "anonopt", "anonopt.operators": "operators", "anonopt.problems": "problems"}

setup(
    package_dir=FOLDERS,
    packages=[
        *FOLDERS,
        *(f"{name}.{inner}" for name, folder in FOLDERS.items() for inner in find_packages(folder)),
    ],
)
