"""How long a test waits for what must come."""

import os

VARIABLE = "COUNTERSIGN_TEST_PATIENCE"
"""The environment variable that says another number of seconds: who expects tests to fail does not wait so long."""

PATIENCE_SECONDS = float(os.environ.get(VARIABLE, "180"))
"""Much longer than anything takes, whatever else the machine does: only a wait for what never comes ends by it."""
