"""The device test: what a person with a real board measures once, and the report that a maintainer reads."""
