"""What commands write: checked, recorded, and published."""
