"""What Google answers, as values."""

from __future__ import annotations

from integrations.calendar.wire import FreeBusy


def test_free_busy_is_read_whatever_the_case_of_an_address_is() -> None:
    """The case of an address does not count; an address that was not answered is not seen."""
    busy = {"busy": [{"start": "2026-11-24T13:00:00Z", "end": "2026-11-24T14:00:00Z"}]}
    answer = FreeBusy.model_validate({"calendars": {"dana@x.example": busy, "Luis@X.example": {"errors": [{}]}}})
    assert answer.shows("Dana@X.example")
    assert [start.isoformat() for start, _ in answer.busy_times("Dana@X.example")] == ["2026-11-24T13:00:00+00:00"]
    assert not answer.shows("luis@x.example")
    assert (answer.shows("eve@x.example"), answer.busy_times("eve@x.example")) == (False, ())
