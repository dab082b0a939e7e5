import { Calendar, errorTexts } from "@parley/contracts";
import { z } from "zod";
import { addressOf } from "../../platform/http/address-of.js";
import { none, ok, type Route, route } from "../../platform/http/route.js";
import { type Calendars, calendarsPath } from "./service.js";

export function calendarRoutes(calendars: Calendars): Route[] {
  return [
    route(
      {
        method: "post",
        path: "/users/@me/calendar",
        name: "scheduledEvents.makeCalendar",
        summary: "Make a new address for the calendar of the events that one is interested in",
        description: "The address has a secret; the one from before ends.",
        caller: "account",
        causes: none("nothing else shows the address"),
        success: ok(Calendar),
      },
      ({ identity, request }) => calendars.make(identity.userId, addressOf(request)),
    ),
    route(
      {
        method: "get",
        path: `${calendarsPath}/:secret`,
        name: "scheduledEvents.calendar",
        summary: "Read the events that the account of a calendar is interested in and may see",
        description: "For calendar programs: iCalendar, RFC 5545.",
        caller: "anyone",
        attempts: { secret: "unguessable" },
        params: z.object({ secret: z.string() }),
        success: { status: 200, description: "The calendar", schema: z.string(), contentType: "text/calendar" },
        errors: { not_found: [errorTexts.calendar_not_found] },
      },
      async ({ params, request, response }) => {
        const text = await calendars.read(params.secret, addressOf(request));
        // The address itself is the right to read it.
        response.setHeader("Cache-Control", "private, no-store");
        response.setHeader("Referrer-Policy", "no-referrer");
        response.type("text/calendar").send(text);
        return "";
      },
    ),
  ];
}
