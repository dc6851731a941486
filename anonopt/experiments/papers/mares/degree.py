"""What the thesis prints of the attribute DEGREE of its Housing survey, which is not public."""

from __future__ import annotations

NOT_PUBLIC = "the extract of the 1993 American Housing Survey is not public"
"""Why a number of the survey stands alone, in every chapter."""

CATEGORIES = ("1", "2", "3", "4", "5", "6", "9", ".")
"""Of Table 4.2; no record has the last one."""

FREQUENCIES = (98, 173, 251, 195, 170, 80, 33, 0)
"""Of Table 4.2."""

RATED = FREQUENCIES[:6]
"""Of the categories of Tables 4.8 and 4.9, those of 80 records and more."""

TABLE_4_1 = """
0.500 0.067 0.060 0.065 0.067 0.076 0.080 0.083
0.073 0.500 0.058 0.064 0.066 0.075 0.080 0.083
0.072 0.064 0.500 0.062 0.064 0.074 0.080 0.083
0.073 0.065 0.057 0.500 0.066 0.075 0.080 0.083
0.073 0.066 0.058 0.064 0.500 0.075 0.080 0.083
0.074 0.068 0.061 0.066 0.068 0.500 0.080 0.083
0.075 0.068 0.062 0.067 0.069 0.076 0.500 0.083
0.075 0.069 0.062 0.067 0.069 0.077 0.081 0.500
"""
"""Frequency matrix of Eq. 2.3 with p = 0.5."""

TABLE_4_6 = """
0.011 0.009 0.011 0.009 0.926 0.009 0.011 0.014
0.000 0.004 0.971 0.005 0.005 0.005 0.004 0.004
0.027 0.625 0.009 0.027 0.205 0.036 0.036 0.036
0.049 0.037 0.432 0.074 0.062 0.259 0.049 0.037
0.032 0.005 0.006 0.928 0.006 0.008 0.006 0.008
0.892 0.008 0.033 0.008 0.011 0.017 0.017 0.014
0.003 0.030 0.004 0.004 0.466 0.487 0.003 0.003
0.430 0.416 0.005 0.006 0.019 0.006 0.006 0.111
"""
"""Matrix that a search ended with."""

TABLE_4_7 = ("96", "171", "250", "181", "181", "81", "17", "23")
"""Frequencies after masking with the matrix of Table 4.6."""

INITIAL, INVARIANT = "Initial Matrix", "Only Invariance"

FIRST_ROWS = {
    INITIAL: "0.846 1.634 2.629 1.894 1.599 0.676",
    INVARIANT: "0.981 2.356 4.838 2.911 2.287 0.740",
}
"""Rows that Tables 4.8 and 4.9 share."""

EVOLVED_ROWS = {
    "DEGREE-SCH": {
        "Evol. Invariant Control": "0.926 1.859 4.490 1.834 1.813 0.691",
        "Evol. Non-Invariant Control": "1.019 3.268 5.198 1.536 1.567 1.200",
        "Evol. Non-Invariant No Control": "0.586 4.028 4.885 5.226 4.244 1.850",
    },
    "DEGREE-METRO": {
        "Evol. Invariant Control": "0.982 2.356 4.837 2.911 2.283 0.739",
        "Evol. Non-Invariant Control": "1.596 3.113 2.985 3.609 1.213 1.388",
        "Evol. Non-Invariant No Control": "0.943 1.327 10.205 5.181 1.240 0.866",
    },
}
"""The other rows of Tables 4.8 and 4.9, of matrices that are not printed."""

UTILITY_AND_RISK = {
    "DEGREE-SCH": {
        "Evol. Invariant Control": ("5.38", "2.338"),
        "Evol. Non-Invariant Control": ("6.10", "2.722"),
        INVARIANT: ("6.41", "2.827"),
        "Evol. Non-Invariant No Control": ("5.84", "4.001"),
        INITIAL: ("8.99", "1.780"),
    },
    "DEGREE-METRO": {
        "Evol. Invariant Control": ("8.27", "2.826"),
        INVARIANT: ("8.69", "2.827"),
        "Evol. Non-Invariant No Control": ("8.01", "4.316"),
        "Evol. Non-Invariant Control": ("11.74", "2.549"),
        INITIAL: ("12.00", "1.780"),
    },
}
"""Difference in percent and mean risk of Tables 4.10 and 4.11."""
