"""The door of a house: joining it by a link, and the phones that were let in."""
