"""Commands about stores."""
