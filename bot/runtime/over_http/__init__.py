"""Conversations over HTTP: prompts taken in, what came of them, and how their runs are followed."""
