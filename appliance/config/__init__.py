"""The configuration: the YAML file, the kinds of value in it, and the keys it has."""
