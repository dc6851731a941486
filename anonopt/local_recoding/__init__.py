"""Local recodings: groups of rows, each generalized in its own way."""

from anonopt.local_recoding.bottom_up import bottom_up_groups as bottom_up_groups
from anonopt.local_recoding.k_member import k_member_groups as k_member_groups
from anonopt.local_recoding.lattice_groups import lattice_groups as lattice_groups
from anonopt.local_recoding.mondrian import mondrian_groups as mondrian_groups
from anonopt.local_recoding.top_down import top_down_groups as top_down_groups
