"""How records are put into groups: distances, MDAV, regions, clusters, and what stands for each."""
