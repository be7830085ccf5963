"""From an explanation to a rule and its certificate. Imports the certificate's form and the checker."""
