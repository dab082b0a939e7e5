import type { DetailedMessage, Poll } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import { isShown } from "../ids/snowflake.js";
import { loadUsers } from "../loading/context.js";
import { afterQuery } from "../loading/cursors.js";
import { toUser } from "../objects/user.js";
import { discordError } from "../rest/errors.js";
import { numberOf, snowflakeQuery } from "../rest/input.js";
import { type BotCall, route } from "../rest/route.js";
import { placeOf } from "./channels.js";
import { getMessage, messageOf } from "./messages.js";

/** The poll of the message in the path. */
async function pollOf(call: BotCall): Promise<Poll> {
  const place = await placeOf(call);
  if (place.kind !== "channel") throw discordError(10008);
  const id = await messageOf(call, place);
  const { poll } = await call.api.get<DetailedMessage>(`/channels/${place.id}/messages/${id}`);
  if (poll === null) throw discordError(10008);
  return poll;
}

/** Those who chose the option $1, behind the identifier $2. */
const votersAfter = defineStatement({
  name: "discord_voters_after",
  text: `SELECT v.user_id FROM poll_options o JOIN poll_votes v ON v.poll_id = o.poll_id
    WHERE o.id = $1::uuid AND (v.option_id = o.id OR o.id = ANY (v.also)) AND v.user_id > $2::uuid
    ORDER BY v.user_id LIMIT $3::integer`,
  row: (row) => String(row.user_id),
});

async function listVoters(call: BotCall) {
  const { database, params, query } = call;
  const { options } = await pollOf(call);
  const limit = numberOf(query, "limit", { fallback: 25, min: 1, max: 100 });
  const { after } = afterQuery(snowflakeQuery(query, "after") ?? "0");
  const option = options[Number(params.answer_id) - 1];
  const ids = option === undefined ? [] : await database.query(votersAfter, [option.id, after, limit]);
  const users = await loadUsers(database, ids);
  return {
    users: ids
      .flatMap((id) => users.get(id) ?? [])
      .filter(isShown)
      .map(toUser),
  };
}

async function expire(call: BotCall) {
  await call.api.send("POST", `/polls/${(await pollOf(call)).id}/end`);
  return getMessage(call);
}

export const pollRoutes = [
  route("GET", "/channels/:channel_id/polls/:message_id/answers/:answer_id", listVoters),
  route("POST", "/channels/:channel_id/polls/:message_id/expire", expire),
];
