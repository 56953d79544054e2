"""What a stranger may send to a page, made from the page's own parameters, and what must hold of the answer."""
