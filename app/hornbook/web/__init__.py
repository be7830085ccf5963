"""HTTP servers on this machine: pages for a browser and a service for programs."""
