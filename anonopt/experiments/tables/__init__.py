"""Tables of comparisons: values, ranks, tests, and how papers print them."""
