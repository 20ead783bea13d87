"""Runs the page's modules in the Node that Playwright brings, without a browser: what they compute, not what they
draw.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import playwright

import playground.page.app

STATIC = Path(playground.page.app.__file__).parent / "static"
NODE = Path(playwright.__file__).parent / "driver" / "node"

_READ = """
import {{ readFileSync }} from "node:fs";
import * as module from {module};
import {{ state }} from {server};
const {{ state: given, args }} = JSON.parse(readFileSync(0, "utf8"));
Object.assign(state, given);
const said = await ({compute})(module, ...args);
console.log(JSON.stringify(said ?? null));
"""


def computed(module: str, compute: str, *args: object, state: object = None) -> Any:
    """What the function `compute`, JavaScript that gets the module and the arguments, returns for this state; it may be
    async.
    """
    uris = {name: json.dumps((STATIC / file).as_uri()) for name, file in (("module", module), ("server", "server.js"))}
    ran = subprocess.run(
        [NODE, "--input-type=module", "--eval", _READ.format(compute=compute, **uris)],
        input=json.dumps({"state": state or {}, "args": args}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)
