import { caps, errorTexts, Reminder, ReminderList } from "@parley/contracts";
import { z } from "zod";
import { capText } from "../../access/caps.js";
import { identifier } from "../../platform/http/input.js";
import { created, noContent, ok, type Route, route } from "../../platform/http/route.js";
import { reminderBody, reminderErrors } from "./schema.js";
import type { Reminders } from "./service.js";

const path = "/users/@me/reminders";
const causes = ["REMINDER_UPDATE"] as const;

export function reminderRoutes(reminders: Reminders): Route[] {
  return [
    route(
      {
        method: "get",
        path,
        name: "reminders.list",
        summary: "List the reminders that one has set, the next one first",
        caller: "account",
        success: ok(ReminderList),
      },
      ({ identity }) => reminders.list(identity.userId),
    ),
    route(
      {
        method: "post",
        path,
        name: "reminders.add",
        summary: "Be reminded of a message or a text at a time",
        description: "At its time it is an item of the inbox, a push, and in a mail, by the settings of the account.",
        caller: "account",
        causes,
        body: reminderBody,
        success: created(Reminder),
        errors: {
          invalid_input: [...reminderErrors, capText(caps.reminders)],
          not_found: [errorTexts.message_not_found],
        },
      },
      ({ identity, body }) => reminders.add(identity.userId, body),
    ),
    route(
      {
        method: "delete",
        path: `${path}/:id`,
        name: "reminders.remove",
        summary: "Delete a reminder before its time",
        caller: "account",
        causes,
        params: z.object({ id: identifier }),
        success: noContent(),
        errors: { not_found: [errorTexts.reminder_not_found] },
      },
      ({ identity, params }) => reminders.remove(identity.userId, params.id),
    ),
  ];
}
