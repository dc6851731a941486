"""Lower bounds and exact optima of local recodings."""

from anonopt.local_recoding.bounds.recoding_bound import RecodingBound as RecodingBound
from anonopt.local_recoding.bounds.recoding_bound import recoding_bound as recoding_bound
