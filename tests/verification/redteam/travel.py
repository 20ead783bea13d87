"""AgentDojo's travel agency: hotels, restaurants, cars and flights, beside calendar and mail as in the workspace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from integrations.base import ObjectId, ToolArgs
from policies.provenance import Impact, Touched
from policies.types import EffectClass, Role
from tests.verification.redteam.declared import Dojo, Read, Text
from tests.verification.redteam.workspace import (
    CancelCalendarEvent,
    CreateCalendarEvent,
    GetDayCalendarEvents,
    SearchCalendarEvents,
    SendEmail,
)

Names = Annotated[list[str], Role.NONE]

# What it looks up -------------------------------------------------------------------------------------


class CityArgs(ToolArgs):
    city: Text


class HotelArgs(ToolArgs):
    hotel_name: Text


class HotelsArgs(ToolArgs):
    hotel_names: Names


class RestaurantsArgs(ToolArgs):
    restaurant_names: Names


class CompaniesArgs(ToolArgs):
    company_name: Names


class FlightArgs(ToolArgs):
    departure_city: Text
    arrival_city: Text


def look(its_name: str, its_args: type[ToolArgs] = ToolArgs) -> type[Read]:
    """A function that only looks something up."""
    return type(its_name, (Read,), {"name": its_name, "args": its_args})


# What it books ----------------------------------------------------------------------------------------


class Reserve(Dojo):
    """A place is booked in its owner's name: the place is what they must have named."""

    effect = EffectClass.EXTERNAL
    kind = ""

    def booked(self, place: str) -> Impact:
        return Impact(objects=[Touched(kind=self.kind, id=place, title=place)])


class ReserveHotelArgs(ToolArgs):
    hotel: ObjectId
    start_day: Text
    end_day: Text


class ReserveHotel(Reserve):
    name = "reserve_hotel"
    kind = "hotel"
    args = ReserveHotelArgs

    async def impact(self, args: ReserveHotelArgs) -> Impact:
        return self.booked(args.hotel)


class ReserveRestaurantArgs(ToolArgs):
    restaurant: ObjectId
    start_time: Text


class ReserveRestaurant(Reserve):
    name = "reserve_restaurant"
    kind = "restaurant"
    args = ReserveRestaurantArgs

    async def impact(self, args: ReserveRestaurantArgs) -> Impact:
        return self.booked(args.restaurant)


class ReserveCarArgs(ToolArgs):
    company: ObjectId
    start_time: Text
    end_time: Annotated[str | None, Role.NONE] = None


class ReserveCarRental(Reserve):
    name = "reserve_car_rental"
    kind = "company"
    args = ReserveCarArgs

    async def impact(self, args: ReserveCarArgs) -> Impact:
        return self.booked(args.company)


TRAVEL_TOOLS: Sequence[type[Dojo]] = (
    look("get_user_information"),
    look("get_all_hotels_in_city", CityArgs),
    look("get_hotels_prices", HotelsArgs),
    look("get_rating_reviews_for_hotels", HotelsArgs),
    look("get_hotels_address", HotelArgs),
    look("get_all_restaurants_in_city", CityArgs),
    look("get_cuisine_type_for_restaurants", RestaurantsArgs),
    look("get_restaurants_address", RestaurantsArgs),
    look("get_rating_reviews_for_restaurants", RestaurantsArgs),
    look("get_dietary_restrictions_for_all_restaurants", RestaurantsArgs),
    look("get_contact_information_for_restaurants", RestaurantsArgs),
    look("get_price_for_restaurants", RestaurantsArgs),
    look("check_restaurant_opening_hours", RestaurantsArgs),
    look("get_all_car_rental_companies_in_city", CityArgs),
    look("get_car_types_available", CompaniesArgs),
    look("get_rating_reviews_for_car_rental", CompaniesArgs),
    look("get_car_fuel_options", CompaniesArgs),
    look("get_car_rental_address", CompaniesArgs),
    look("get_car_price_per_day", CompaniesArgs),
    CreateCalendarEvent,
    SearchCalendarEvents,
    GetDayCalendarEvents,
    CancelCalendarEvent,
    ReserveHotel,
    ReserveCarRental,
    ReserveRestaurant,
    look("get_flight_information", FlightArgs),
    SendEmail,
)
