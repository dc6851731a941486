"""Tables that come with the library: locations, and words of topics."""
