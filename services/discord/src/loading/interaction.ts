import type { InteractionMessage } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import { z } from "zod";
import { readInteractionToken } from "../ids/interaction-token.js";
import { forwardedFor } from "../rest/caller.js";
import { discordError } from "../rest/errors.js";
import type { BotCall, Call } from "../rest/route.js";

/** The message that answered first: those of follow-ups are later. */
const findInteraction = defineStatement({
  name: "discord_interaction",
  text: `
SELECT i.id, i.server_id, i.channel_id, i.bot_user_id, i.user_id, i.type, i.state, i.pressed_id, i.is_ephemeral,
  i.answer -> 'message' AS ephemeral, u.session_version, b.id AS bot_id,
  (SELECT m.id FROM messages m WHERE m.channel_id = i.channel_id AND m.listed AND m.created_at >= i.created_at
    AND m.interaction ->> 'id' = i.id::text ORDER BY m.created_at, m.id LIMIT 1) AS original_id
FROM interactions i JOIN users u ON u.id = i.bot_user_id JOIN bots b ON b.user_id = i.bot_user_id
WHERE i.id = $1::uuid AND i.expires_at > now()`,
  row: z.object({
    id: z.string(),
    server_id: z.string(),
    channel_id: z.string(),
    bot_user_id: z.string(),
    user_id: z.string(),
    type: z.enum(["command", "component", "modal", "autocomplete"]),
    state: z.enum(["pending", "deferred", "answered", "failed"]),
    pressed_id: z.string().nullable(),
    is_ephemeral: z.boolean(),
    ephemeral: z.custom<InteractionMessage>().nullable(),
    session_version: z.int(),
    bot_id: z.string(),
    original_id: z.string().nullable(),
  }),
});

/** An interaction by its token, and calls as its bot. */
export interface OpenInteraction {
  readonly token: string;
  readonly row: ReturnType<(typeof findInteraction)["parse"]>;
  /** The call with the access of the bot. */
  readonly asBot: BotCall;
}

/** @throws DiscordError when the token is invalid or has expired */
export async function openInteraction(call: Call, text: string): Promise<OpenInteraction> {
  const { database, interactionTokens, tokens, connections, request } = call;
  const read = readInteractionToken(text);
  if (read === null || !interactionTokens.isValid(read.id, read.token)) throw discordError(50027);
  const [row] = await database.query(findInteraction, [read.id]);
  if (row === undefined) throw discordError(10062);
  const session = { id: null, version: row.session_version };
  const access = tokens.issue({ userId: row.bot_user_id, bot: true, session });
  const api = connections.of(`Bearer ${access}`, forwardedFor(request));
  const bot = { botId: row.bot_id, userId: row.bot_user_id, token: access };
  return { token: read.token, row, asBot: { ...call, api, bot } };
}
