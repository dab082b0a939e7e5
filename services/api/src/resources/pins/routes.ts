import { DetailedMessage } from "@parley/contracts";
import { z } from "zod";
import { cannotView } from "../../access/channel-access.js";
import { accessErrors } from "../../access/error-texts.js";
import { identifier } from "../../http/input.js";
import { messageChunkMax } from "../../http/limits.js";
import { noContent, ok, type Route, route, type Success } from "../../http/route.js";
import { sendLongList } from "../../http/send-list.js";
import { messageErrors } from "../messages/error-texts.js";
import { includeQuery } from "../messages/schema.js";
import { pinErrors } from "./error-texts.js";
import type { PinService } from "./service.js";

const channelParams = z.object({ channel_id: identifier });
const params = channelParams.extend({ message_id: identifier });
const path = "/channels/:channel_id/messages/:message_id/pin";
const notFound = [accessErrors.channelNotFound, messageErrors.notFound];
// Typed as Success, because the body is written as text.
const list: Success = ok(z.array(DetailedMessage));
const forbidden = [cannotView, pinErrors.needManageMessages];

export function pinRoutes(pins: PinService): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/channels/:channel_id/pinned-messages",
        tag: "pins",
        summary: "List a channel's pinned messages, the latest pin first",
        caller: "account",
        params: channelParams,
        query: includeQuery,
        success: list,
        errors: {
          invalid_input: [messageErrors.include],
          not_found: [accessErrors.channelNotFound],
          forbidden: [cannotView],
        },
      },
      ({ identity, params, query, response }) =>
        sendLongList(response, pins.list(identity.userId, params.channel_id, query.include), messageChunkMax),
    ),
    route(
      {
        method: "post",
        path,
        tag: "pins",
        summary: "Pin a message",
        caller: "account",
        params,
        success: noContent("Pinned, or pinned already"),
        errors: { not_found: notFound, forbidden },
      },
      ({ identity, params }) => pins.pin(identity.userId, params),
    ),
    route(
      {
        method: "delete",
        path,
        tag: "pins",
        summary: "Unpin a message",
        caller: "account",
        params,
        success: noContent("Unpinned"),
        errors: { not_found: [...notFound, pinErrors.notPinned], forbidden },
      },
      ({ identity, params }) => pins.unpin(identity.userId, params),
    ),
  ];
}
