"""Tests of `hornbook serve` under load and under kills."""
