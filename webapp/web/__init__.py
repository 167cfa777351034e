"""What every request passes through: which phone asks, what it may do, and how it’s answered."""
