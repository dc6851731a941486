"""Regions of a local recoding that are grouped anew: neighbouring groups, and the best for them."""

from anonopt.local_recoding.regions.region_search import Regions as Regions
from anonopt.local_recoding.regions.region_search import RegionSearch as RegionSearch
from anonopt.local_recoding.regions.region_search import regrouped as regrouped
