"""Masking methods by name."""

from __future__ import annotations

import pytest

from anonopt.masking import METHODS, get_method, list_methods


def test_list_has_what_is_known_of_each():
    listed = list_methods()
    assert list(listed.index) == list(METHODS)
    assert list(listed.columns) == ["summary", "paper", "parameters"]
    assert (listed["summary"] != "").all()
    assert (listed["paper"] != "").all()
    assert listed.loc["pre-clustered", "parameters"] == "method, n_clusters, n_starts, random_state"


@pytest.mark.parametrize("name", METHODS)
def test_methods_are_made_by_name(name):
    required = dict.fromkeys(METHODS[name].required_parameters(), 2)
    method = get_method(name, **required)
    assert type(method) is METHODS[name]
    assert {**method.get_params(), **required} == method.get_params()


def test_unknown_name():
    with pytest.raises(ValueError, match="unknown masking method 'mdaw'; did you mean mdav"):
        get_method("mdaw")
