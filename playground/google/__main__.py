"""`python -m playground.google`: the Google emulator as a process of its own."""

from playground.google.app import build
from playground.serve import run

if __name__ == "__main__":
    run("google", build)
