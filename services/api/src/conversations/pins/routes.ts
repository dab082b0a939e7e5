import { DetailedMessage, errorTexts } from "@parley/contracts";
import { z } from "zod";
import { inChannel } from "../../access/may.js";
import { viewing } from "../../access/needs.js";
import { identifier } from "../../platform/http/input.js";
import { messageChunkMax } from "../../platform/http/limits.js";
import { noContent, ok, type Route, route, type Success } from "../../platform/http/route.js";
import { sendLongList } from "../../platform/http/send-list.js";
import { includeQuery } from "../core/schema.js";
import { mayPin, type PinService } from "./service.js";

const channelParams = z.object({ channel_id: identifier });
const params = channelParams.extend({ message_id: identifier });
const path = "/channels/:channel_id/messages/:message_id/pin";
// Typed as Success, because the body is written as text.
const list: Success = ok(z.array(DetailedMessage));

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
        may: inChannel(viewing),
        query: includeQuery,
        success: list,
        errors: { invalid_input: [errorTexts.include_invalid] },
      },
      async ({ may, query, response }) =>
        sendLongList(response, pins.list(await may.access(), query.include), messageChunkMax),
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
        may: mayPin,
        success: noContent("Pinned, or pinned already"),
      },
      ({ may }) => pins.pin(may),
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
        may: mayPin,
        success: noContent("Unpinned"),
        errors: { not_found: [errorTexts.not_pinned] },
      },
      ({ may }) => pins.unpin(may),
    ),
  ];
}
