"""How local recodings are made by cuts from random keys, and measured fast."""
