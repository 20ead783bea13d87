"""The newer colour spaces of CSS as sRGB (CSS Color Level 4, §10 to §12). What sRGB does not hold is cut to it."""

from __future__ import annotations

import math

Triple = tuple[float, float, float]

_D50 = (0.9643, 1.0, 0.8251)
_FROM_D50 = ((3.1341, -1.6174, -0.4907), (-0.9788, 1.9161, 0.0335), (0.0719, -0.229, 1.4057))
_FROM_D65 = ((3.241, -1.5374, -0.4986), (-0.9692, 1.876, 0.0416), (0.0556, -0.204, 1.0571))
_FROM_P3 = ((1.2249, -0.2247, 0.0), (-0.0421, 1.0421, 0.0), (-0.0196, -0.0786, 1.0979))
_FROM_LMS = ((4.0767, -3.3077, 0.231), (-1.2684, 2.6098, -0.3413), (-0.0042, -0.7034, 1.7076))
_LMS = ((1.0, 0.3963, 0.2158), (1.0, -0.1056, -0.0639), (1.0, -0.0895, -1.2915))

WHOLES: dict[str, Triple] = {
    "lab": (100.0, 125.0, 125.0),
    "lch": (100.0, 150.0, 360.0),
    "oklab": (1.0, 0.4, 0.4),
    "oklch": (1.0, 0.4, 360.0),
    **dict.fromkeys(("srgb", "srgb-linear", "display-p3", "xyz", "xyz-d65", "xyz-d50"), (1.0, 1.0, 1.0)),
}
"""What 100 % of each part is."""


def srgb(space: str, color: Triple) -> Triple:
    """A colour as red, green and blue from 0 to 255."""
    match space:
        case "lch" | "oklch":
            light, chroma, hue = color
            turned = light, chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))
            return srgb(space.replace("lch", "lab"), turned)
        case "lab":
            linear = _times(_FROM_D50, _xyz_of_lab(*color))
        case "oklab":
            long, medium, short = _times(_LMS, color)
            linear = _times(_FROM_LMS, (long**3, medium**3, short**3))
        case "display-p3":
            linear = _times(_FROM_P3, (_linear(color[0]), _linear(color[1]), _linear(color[2])))
        case "xyz" | "xyz-d65":
            linear = _times(_FROM_D65, color)
        case "xyz-d50":
            linear = _times(_FROM_D50, color)
        case "srgb":
            return _whole(color[0]), _whole(color[1]), _whole(color[2])
        case _:
            linear = color
    return _whole(_gamma(linear[0])), _whole(_gamma(linear[1])), _whole(_gamma(linear[2]))


def _times(matrix: tuple[Triple, Triple, Triple], color: Triple) -> Triple:
    one, two, three = (row[0] * color[0] + row[1] * color[1] + row[2] * color[2] for row in matrix)
    return one, two, three


def _xyz_of_lab(light: float, a: float, b: float) -> Triple:
    middle = (light + 16) / 116
    x, y, z = (
        part**3 * white if part > 6 / 29 else 3 * (6 / 29) ** 2 * (part - 4 / 29) * white
        for part, white in zip((middle + a / 500, middle, middle - b / 200), _D50, strict=True)
    )
    return x, y, z


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _gamma(part: float) -> float:
    return part * 12.92 if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055


def _whole(part: float) -> float:
    return min(max(part, 0.0), 1.0) * 255
