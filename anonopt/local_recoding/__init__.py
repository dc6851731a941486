"""Local recodings: groups of rows, each generalized in its own way."""

from anonopt.local_recoding.bottom_up import bottom_up_groups as bottom_up_groups
from anonopt.local_recoding.bounds.exact_recoding import ExactRecoding as ExactRecoding
from anonopt.local_recoding.bounds.exact_recoding import exact_recoding as exact_recoding
from anonopt.local_recoding.bounds.recoding_bound import RecodingBound as RecodingBound
from anonopt.local_recoding.bounds.recoding_bound import recoding_bound as recoding_bound
from anonopt.local_recoding.k_member import k_member_groups as k_member_groups
from anonopt.local_recoding.lattice_groups import lattice_groups as lattice_groups
from anonopt.local_recoding.mondrian import mondrian_groups as mondrian_groups
from anonopt.local_recoding.regions.region_search import Regions as Regions
from anonopt.local_recoding.regions.region_search import RegionSearch as RegionSearch
from anonopt.local_recoding.regions.region_search import regrouped as regrouped
from anonopt.local_recoding.top_down import top_down_groups as top_down_groups
