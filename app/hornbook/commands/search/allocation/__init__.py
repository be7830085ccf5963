"""Commands that learn in which positions a deeper search pays off."""
