import type { InteractionMessage } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import { z } from "zod";
import { readInteractionToken } from "../ids/interaction-token.js";
import { rangeOf } from "../ids/snowflake.js";
import { forwardedFor } from "../rest/caller.js";
import { discordError } from "../rest/errors.js";
import type { BotCall, Call } from "../rest/route.js";

const findInteraction = defineStatement({
  name: "discord_interaction",
  text: `
SELECT i.id, i.server_id, i.channel_id, i.bot_user_id, i.user_id, i.type, i.state, i.pressed_id, i.is_ephemeral,
  i.answer -> 'message' AS ephemeral, u.session_version, b.id AS bot_id, i.original,
  i.pressed_id IS NOT NULL AND NOT EXISTS (SELECT FROM messages m WHERE m.id = i.pressed_id) AS pressed_alone,
  -- An api of the version before stored none: the messages of follow-ups are later.
  coalesce(i.original_id, (SELECT m.id FROM messages m WHERE m.channel_id = i.channel_id AND m.listed
    AND m.created_at >= i.created_at AND m.interaction ->> 'id' = i.id::text
    ORDER BY m.created_at, m.id LIMIT 1)) AS original_id
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
    /** The message that it began with is for the invoker alone. */
    pressed_alone: z.boolean(),
    /** The first answer, where it is for the invoker alone. */
    original: z.custom<InteractionMessage>().nullable(),
    session_version: z.int(),
    bot_id: z.string(),
    original_id: z.string().nullable(),
  }),
});

/** A message of a channel that answers this interaction: one that it began with, too. */
const findAnswer = defineStatement({
  name: "discord_answer",
  text: `
SELECT id FROM messages WHERE id BETWEEN $1::uuid AND $2::uuid AND channel_id = $3::uuid
  AND (interaction ->> 'id' = $4::uuid::text OR id = $5::uuid) ORDER BY id LIMIT 1`,
  row: (row) => String(row.id),
});

/**
 * The UUID of a message of the channel that the token of an interaction opens: one of its answers, by its snowflake.
 *
 * @throws DiscordError 10008 for every other message
 */
export async function answerOfChannel({ call, row }: OpenInteraction, snowflake: string): Promise<string> {
  const { id, channel_id, original_id } = await row();
  const range = rangeOf(snowflake);
  if (range === null) throw discordError(10008);
  const [found] = await call.database.query(findAnswer, [range.from, range.to, channel_id, id, original_id]);
  if (found === undefined) throw discordError(10008);
  return found;
}

/** An interaction by its token. */
export interface OpenInteraction {
  /** UUID. */
  readonly id: string;
  /** The api's token: the only credential of an answer. */
  readonly token: string;
  /** The call, without a credential. */
  readonly call: Call;
  /** The stored state when it is first asked for. @throws DiscordError 10062 when the interaction is over */
  readonly row: () => Promise<ReturnType<(typeof findInteraction)["parse"]>>;
  /** The call with the access of the bot. */
  readonly asBot: () => Promise<BotCall>;
}

/** The interaction whose token is in the path. @throws DiscordError when that is invalid */
export function openInteraction(call: Call): OpenInteraction {
  const { database, interactionTokens, tokens, connections, request } = call;
  const read = readInteractionToken(call.params.token ?? "");
  if (read === null || !interactionTokens.isValid(read.id, read.token)) throw discordError(50027);
  const { id, token } = read;
  const find = async () => {
    const [row] = await database.query(findInteraction, [id]);
    if (row === undefined) throw discordError(10062);
    return row;
  };
  let found: ReturnType<typeof find> | undefined;
  const row = () => {
    found ??= find();
    return found;
  };
  const asBot = async () => {
    const { bot_user_id: userId, bot_id: botId, session_version: version } = await row();
    const access = tokens.issue({ userId, bot: true, session: { id: null, version } });
    const api = connections.of(`Bearer ${access}`, forwardedFor(request));
    return { ...call, api, bot: { botId, userId, token: access } };
  };
  return { id, token, call, row, asBot };
}
