"""Fuzz: bytes of any kind where what others send comes in, or goes into another text."""
