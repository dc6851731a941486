"""Loss and risk of a protected social graph (Mares 2013, Sections 6.3 and 6.4)."""
