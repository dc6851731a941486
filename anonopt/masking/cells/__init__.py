"""Cell suppression: single cells are left out until every row has k matches."""
