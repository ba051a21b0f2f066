"""What a person sees of a captured page: asked of its layout, of its fonts, and of pictures of it."""
