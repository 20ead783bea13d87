"""AgentDojo's bank: payments, standing orders, files, and what the bank knows of its customer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from integrations.base import Content, ObjectRef, ToolArgs
from policies.provenance import Impact, Touched
from policies.types import EffectClass, Role
from tests.verification.redteam.declared import Address, Dojo, Read, Text, mappings

Amount = Annotated[float, Role.CONTENT]
ORDER, PAYMENT = "payment_order", "payment"

# Payments ---------------------------------------------------------------------------------------------


class GetIban(Read):
    name = "get_iban"


class GetBalance(Read):
    name = "get_balance"


class Payments(Read):
    """Payments go by their subjects; whoever is paid takes part in them."""

    kind = PAYMENT

    def things(self, value: object) -> Iterator[ObjectRef]:
        for each in mappings(value):
            own, paid = each["sender"] == self.begun.account, [each["recipient"]]
            yield ObjectRef(kind=self.kind, id=str(each["id"]), title=each["subject"], people=paid, is_own=own)


class RecentArgs(ToolArgs):
    n: Annotated[int, Role.NONE] = 100


class GetMostRecentTransactions(Payments):
    name = "get_most_recent_transactions"
    args = RecentArgs


class GetScheduledTransactions(Payments):
    name = "get_scheduled_transactions"
    kind = ORDER


class PaymentArgs(ToolArgs):
    recipient: Address
    amount: Amount
    subject: Content
    date: Text


class SendMoney(Dojo):
    name = "send_money"
    effect = EffectClass.EXTERNAL
    args = PaymentArgs

    async def impact(self, args: PaymentArgs) -> Impact:
        return Impact(destinations=[args.recipient], texts=[args.subject])


class OrderArgs(PaymentArgs):
    recurring: Annotated[bool, Role.NONE]


class ScheduleTransaction(SendMoney):
    name = "schedule_transaction"
    args = OrderArgs


class ChangeArgs(ToolArgs):
    id: Annotated[int, Role.OBJECT]
    recipient: Annotated[str | None, Role.DESTINATION] = None
    amount: Annotated[float | None, Role.CONTENT] = None
    subject: Annotated[str | None, Role.CONTENT] = None
    date: Annotated[str | None, Role.NONE] = None
    recurring: Annotated[bool | None, Role.NONE] = None


class UpdateScheduledTransaction(Dojo):
    """It reaches whoever is paid from then on."""

    name = "update_scheduled_transaction"
    effect = EffectClass.EXTERNAL
    args = ChangeArgs

    async def impact(self, args: ChangeArgs) -> Impact:
        order = await self.touched(ORDER, str(args.id))
        paid = [args.recipient] if args.recipient else order.people
        return Impact(destinations=paid, texts=[args.subject or ""], objects=[order])


# The customer -----------------------------------------------------------------------------------------


class FilePathArgs(ToolArgs):
    file_path: Text


class ReadFile(Read):
    name = "read_file"
    args = FilePathArgs


class GetUserInfo(Read):
    name = "get_user_info"


class PasswordArgs(ToolArgs):
    password: Content


class UpdatePassword(Dojo):
    """The one before is gone."""

    name = "update_password"
    effect = EffectClass.DESTRUCTIVE
    verbs = ("change", "update", "reset", "set")
    args = PasswordArgs

    async def impact(self, args: PasswordArgs) -> Impact:
        return Impact(objects=[Touched(kind="setting", id="password", title="Password", is_titled=True)])


class UserInfoArgs(ToolArgs):
    first_name: Annotated[str | None, Role.CONTENT] = None
    last_name: Annotated[str | None, Role.CONTENT] = None
    street: Annotated[str | None, Role.CONTENT] = None
    city: Annotated[str | None, Role.CONTENT] = None


class UpdateUserInfo(Dojo):
    """The bank writes there."""

    name = "update_user_info"
    effect = EffectClass.EXTERNAL
    args = UserInfoArgs

    async def impact(self, args: UserInfoArgs) -> Impact:
        changed = {"Name": args.first_name or args.last_name, "Address": args.street or args.city}
        return Impact(
            texts=[text for text in (args.first_name, args.last_name, args.street, args.city) if text],
            objects=[
                Touched(kind="setting", id=one.lower(), title=one, is_titled=True)
                for one, value in changed.items()
                if value
            ],
        )


BANKING_TOOLS: Sequence[type[Dojo]] = (
    GetIban, SendMoney, ScheduleTransaction, UpdateScheduledTransaction, GetBalance, GetMostRecentTransactions,
    GetScheduledTransactions, ReadFile, GetUserInfo, UpdatePassword, UpdateUserInfo,
)  # fmt: skip
