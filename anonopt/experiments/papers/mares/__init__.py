"""Items of the thesis, a file for each chapter or part of one."""
