"""A window of ours as somebody sent it: what stands in its fields, and what Slack does with it then."""

from __future__ import annotations

from collections.abc import Mapping

from bot.slack.connection.schema import Objects, SlackModel, SlackRequest, Text, Texts, at
from bot.slack.views.blocks import VALUE, Block
from bot.slack.views.form import NOTHING
from bot.slack.views.plain import one_line
from bot.tools.forms import Filled

ERROR_LIMIT = 150

Answer = Mapping[str, object]
"""What Slack does with a window that was sent; it closes it where there is nothing."""


class _Option(SlackModel):
    value: Text = ""


class ElementState(SlackModel):
    """The state of one element (docs.slack.dev/reference/views/view-object, "state")."""

    type: Text = ""
    value: Text = ""
    selected_date: Text = ""
    selected_time: Text = ""
    selected_date_time: int | None = None  # seconds since 1970
    selected_option: _Option | None = None
    selected_options: Objects[_Option] = ()
    selected_user: Text = ""
    selected_users: Texts = ()

    @property
    def choice(self) -> str:
        """The option that was chosen."""
        return self.selected_option.value if self.selected_option else ""

    @property
    def filled(self) -> Filled:
        """What stands in it."""
        match self.type:
            case "checkboxes":
                return bool(self.selected_options)
            case "datepicker":
                return self.selected_date
            case "static_select":
                return "" if self.choice == NOTHING else self.choice
            case _:
                return self.value


class SentWindow(SlackRequest):
    """docs.slack.dev/reference/interaction-payloads/view-interactions-payload."""

    user: str = at("user", "id")
    values: dict[str, dict[str, ElementState]] = at("view", "state", "values")

    def field(self, name: str, action: str = VALUE) -> ElementState:
        """What stands in a field; an empty one where the window has none of this name."""
        return self.values.get(name, {}).get(action) or ElementState()

    def at_fields(self, faults: Mapping[str, str], elsewhere: str = "") -> Mapping[str, str]:
        """What is wrong, by field, as short as Slack shows it. `elsewhere` is what belongs to none of this window: it
        stands at its first. Nothing for a window without fields.
        """
        here = {name: text for name, text in faults.items() if name in self.values}
        if elsewhere and self.values:
            first = next(iter(self.values))
            here[first] = f"{elsewhere} {here.get(first, '')}"
        return {name: one_line(text, ERROR_LIMIT) for name, text in here.items()}

    def wrong(self, faults: Mapping[str, str]) -> Answer:
        """It stays open, with what is wrong at its fields; what belongs to none of them stands at its first."""
        return wrong(self.at_fields(faults, " ".join(self.strays(faults).values())))

    def strays(self, faults: Mapping[str, str]) -> Mapping[str, str]:
        """What is wrong and belongs to no field of this window."""
        return {name: text for name, text in faults.items() if name not in self.values}


def wrong(errors: Mapping[str, str]) -> Answer:
    """It stays open, with what is wrong at its fields."""
    return {"response_action": "errors", "errors": dict(errors)}


def instead(view: Block) -> Answer:
    """Another one stands in its place."""
    return {"response_action": "update", "view": view}
