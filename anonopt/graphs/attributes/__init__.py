"""What nodes say: places and topics."""
