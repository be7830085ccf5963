"""Pages and services of this machine: what a browser or another program is answered."""
