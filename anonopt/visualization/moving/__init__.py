"""Pictures one after the other as files: pages with a slider, GIF, animated PNG, MP4."""
