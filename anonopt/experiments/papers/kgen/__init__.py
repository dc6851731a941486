"""De Pascale et al. 2022: items by kind."""
