"""The configuration: its keys, the kinds of value they take, and the YAML files that set them."""
