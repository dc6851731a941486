"""Work that executors do: what their workers keep, and what becomes of workers that are lost."""
