"""`python -m playground.gemini`: the Gemini emulator as a process of its own."""

from playground.gemini.app import build
from playground.serve import run

if __name__ == "__main__":
    run("gemini", build)
