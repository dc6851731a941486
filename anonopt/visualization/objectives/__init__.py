"""Pictures of objective space: dominance, and boxes of an archive."""
