"""Tables of local recodings: what every way loses on real data, and the page that shows it."""
