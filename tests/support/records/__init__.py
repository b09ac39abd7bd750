"""Records: orders, lists and whole businesses as tests send, draw or expect them."""
