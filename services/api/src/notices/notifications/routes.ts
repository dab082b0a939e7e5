import { caps, errorTexts, NotificationSettings } from "@parley/contracts";
import { capText } from "../../access/caps.js";
import { addressOf } from "../../platform/http/address-of.js";
import { ok, type Route, route } from "../../platform/http/route.js";
import { mailLanguageOf } from "../../platform/mail/account-texts.js";
import { describedNotificationsBody, patchNotificationsBody } from "./schema.js";
import type { NotificationService } from "./service.js";

const path = "/users/@me/notifications";

export function notificationRoutes(notifications: NotificationService): Route[] {
  return [
    route(
      {
        method: "get",
        path,
        name: "notifications.get",
        summary: "Get what one wants to hear of",
        caller: "account",
        success: ok(NotificationSettings),
      },
      ({ identity }) => notifications.get(identity.userId),
    ),
    route(
      {
        method: "patch",
        path,
        name: "notifications.update",
        summary: "Change what one wants to hear of",
        description:
          "What is given is merged with what is set; null removes the entry of a server, a channel or a thread. A thread goes " +
          "before its channel, a channel before its server, a server before the default; what is muted mutes all below it. " +
          "The first fault is named by its path.",
        caller: "account",
        causes: ["NOTIFICATIONS_UPDATE"],
        body: patchNotificationsBody,
        describedBody: describedNotificationsBody,
        success: ok(NotificationSettings),
        errors: {
          invalid_input: [
            errorTexts.notification_default_invalid(".level: …"),
            errorTexts.notification_servers_invalid(".<id>.level: …"),
            errorTexts.notification_channels_invalid(".<id>.level: …"),
            errorTexts.notification_threads_invalid(".<id>.level: …"),
            errorTexts.notification_quiet_invalid(".from: …"),
            errorTexts.notification_timezone_invalid(": …"),
            errorTexts.notification_push_invalid(".enabled: …"),
            errorTexts.notification_mail_invalid(": …"),
            errorTexts.email_verification_needed,
            capText(caps.notifications),
          ],
        },
      },
      ({ identity, body, request }) =>
        notifications.change(identity.userId, body, {
          language: mailLanguageOf(request),
          url: addressOf(request),
        }),
    ),
  ];
}
