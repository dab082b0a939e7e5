import { z } from "zod";
import { identifier } from "../../platform/http/input.js";
import { noContent, type Route, route } from "../../platform/http/route.js";
import { maySeeEvent } from "../event-changes/service.js";
import { changeInterest } from "./service.js";

const path = "/events/:event_id/interested";
const params = z.object({ event_id: identifier });

export function eventInterestRoutes(): Route[] {
  return [
    route(
      {
        method: "put",
        path,
        name: "scheduledEvents.interested",
        summary: "Say that one is interested in an event",
        description: "Devices of the account get a push 15 minutes before the event and at its start.",
        caller: "account",
        causes: ["EVENT_UPDATE", "EVENT_INTEREST_ADD"],
        params,
        may: maySeeEvent,
        success: noContent(),
      },
      ({ may }) => changeInterest(may, true),
    ),
    route(
      {
        method: "delete",
        path,
        name: "scheduledEvents.notInterested",
        summary: "Say that one is no longer interested in an event",
        caller: "account",
        causes: ["EVENT_UPDATE", "EVENT_INTEREST_REMOVE"],
        params,
        may: maySeeEvent,
        success: noContent(),
      },
      ({ may }) => changeInterest(may, false),
    ),
  ];
}
