import type { DetailedMessage } from "@parley/contracts";
import { discordError } from "../rest/errors.js";
import { type BotCall, route } from "../rest/route.js";
import { placeOf } from "./channels.js";
import { messageOf } from "./messages.js";

/** A poll's message, which has an answer of this number where one is named. */
async function pollOf(call: BotCall): Promise<DetailedMessage> {
  const place = await placeOf(call);
  if (place.kind !== "channel") throw discordError(10008);
  const id = await messageOf(call, place);
  const message = await call.api.get<DetailedMessage>(`/channels/${place.id}/messages/${id}`);
  if (message.poll === null) throw discordError(10008);
  return message;
}

export const pollRoutes = [
  // Nobody learns who voted for which answer here.
  route("GET", "/channels/:channel_id/polls/:message_id/answers/:answer_id", async (call) => {
    await pollOf(call);
    return { users: [] };
  }),
  // Polls end with their message only (docs/protocol/messages.md#7.5).
  route("POST", "/channels/:channel_id/polls/:message_id/expire", async (call) => {
    await pollOf(call);
    throw discordError(50024);
  }),
];
