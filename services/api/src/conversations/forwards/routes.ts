import { AnySentMessage, errorTexts } from "@parley/contracts";
import { created, type Route, route } from "../../platform/http/route.js";
import { answerSent, repeated } from "../../platform/nonces/sent.js";
import type { Kind, MessageAccess } from "../core/kind.js";
import { toMessage } from "../core/may.js";
import { sendForbidden, sendLimited } from "../messages/schema.js";
import { forwardBody, forwardErrors } from "./schema.js";
import type { Forwards } from "./service.js";

const names = { channel: "messages.forward", direct: "directMessages.forward" } as const;

/** @param mayNot texts of the 403s of the rights to send to either kind of place */
export function forwardRoutes<F extends MessageAccess>(
  kind: Kind<F>,
  forwards: Forwards,
  mayNot: readonly string[],
): Route[] {
  const { path, params } = kind.paths.messages;
  return [
    route(
      {
        method: "post",
        path: `${path}/forward`,
        name: names[kind.name],
        summary: "Forward a message to a channel or a direct message",
        description:
          "The caller needs to read the message, and to send to the other place, with its files if it has any.",
        caller: "account",
        causes: ["MESSAGE_CREATE", "DM_MESSAGE_CREATE"],
        params,
        may: toMessage(kind, kind.paths.messages),
        body: forwardBody,
        success: created(AnySentMessage),
        otherAnswers: [repeated(AnySentMessage)],
        errors: {
          invalid_input: forwardErrors,
          not_found: [errorTexts.message_not_found, errorTexts.channel_not_found, errorTexts.dm_channel_not_found],
          forbidden: [...mayNot, ...sendForbidden, errorTexts.attach_files_required, errorTexts.cannot_message_user],
          rate_limited: sendLimited,
        },
      },
      async ({ may, body, setStatus }) =>
        answerSent(await forwards.forward(kind.name, await may.access(), body), setStatus),
    ),
  ];
}
