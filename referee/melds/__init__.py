"""What cards are: sets and runs, why they are none, contracts, and what is left over."""
