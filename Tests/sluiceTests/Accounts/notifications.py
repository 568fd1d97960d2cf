"""A service for the notifications of a desktop (Desktop Notifications Specification 1.2). It prints each one, and presses its button."""
import asyncio
import sys

from dbus_next.aio import MessageBus
from dbus_next.service import ServiceInterface, method, signal


class Notifications(ServiceInterface):
    def __init__(self):
        super().__init__("org.freedesktop.Notifications")
        self.last = 0

    @method()
    def Notify(self, app: "s", replaces: "u", icon: "s", title: "s", text: "s", actions: "as", hints: "a{sv}", time: "i") -> "u":
        self.last += 1
        print(title, "|", text, "|", actions, flush=True)
        asyncio.get_running_loop().call_later(0.2, self.ActionInvoked, self.last, "login")
        return self.last

    @signal()
    def ActionInvoked(self, number, action) -> "us":
        return [number, action]


async def serve():
    bus = await MessageBus().connect()
    bus.export("/org/freedesktop/Notifications", Notifications())
    await bus.request_name("org.freedesktop.Notifications")
    await asyncio.Event().wait()


asyncio.run(serve())
