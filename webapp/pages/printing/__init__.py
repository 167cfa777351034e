"""Scorepads on paper."""
