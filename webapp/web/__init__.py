"""What every request passes: who asks, what it may, what it sent, and how it is answered."""
