"""What of a page a person sees, and why not the rest."""
