import { DetailedMessage, errorTexts } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../../platform/http/input.js";
import { messageChunkMax } from "../../platform/http/limits.js";
import { noContent, ok, type Route, route, type Success } from "../../platform/http/route.js";
import { sendLongList } from "../../platform/http/send-list.js";
import { includeQuery } from "../core/schema.js";
import type { PinService } from "./service.js";

const channelParams = z.object({ channel_id: identifier });
const params = channelParams.extend({ message_id: identifier });
const path = "/channels/:channel_id/messages/:message_id/pin";
const notFound = [errorTexts.channel_not_found, errorTexts.message_not_found];
// Typed as Success, because the body is written as text.
const list: Success = ok(z.array(DetailedMessage));
const forbidden = [errorTexts.view_channel_required, errorTexts.manage_messages_required_to_pin];

export function pinRoutes(pins: PinService): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/channels/:channel_id/pinned-messages",
        name: "pins.list",
        summary: "List a channel's pinned messages, the latest pin first",
        caller: "account",
        params: channelParams,
        query: includeQuery,
        success: list,
        errors: {
          invalid_input: [errorTexts.include_invalid],
          not_found: [errorTexts.channel_not_found],
          forbidden: [errorTexts.view_channel_required],
        },
      },
      ({ identity, params, query, response }) =>
        sendLongList(response, pins.list(identity.userId, params.channel_id, query.include), messageChunkMax),
    ),
    route(
      {
        method: "post",
        path,
        name: "pins.add",
        summary: "Pin a message",
        caller: "account",
        causes: ["MESSAGE_PIN"],
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
        name: "pins.remove",
        summary: "Unpin a message",
        caller: "account",
        causes: ["MESSAGE_UNPIN"],
        params,
        success: noContent("Unpinned"),
        errors: { not_found: [...notFound, errorTexts.not_pinned], forbidden },
      },
      ({ identity, params }) => pins.unpin(identity.userId, params),
    ),
  ];
}
