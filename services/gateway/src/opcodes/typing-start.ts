import { clientOps, createEvent, type EventTarget } from "@parley/contracts";
import { type Database, defineStatement, directParticipants, isDirectParticipant, mayMessage } from "@parley/database";
import { type Messaging, publishLive } from "@parley/messaging";
import { accessColumns, accessRow, hasPermission, resolveAccess } from "@parley/permissions";
import { createTokenBucket, type RedisConnection } from "@parley/redis";
import { z } from "zod";
import { typingPauseMs as defaultPauseMs, typingsPerSecondMax } from "../limits.js";
import type { OpHandler } from "../session/client-messages.js";

const Server = accessRow.extend({ server_id: z.string() });
const Direct = z.object({ server_id: z.null(), participants: z.array(z.string()), is_group: z.boolean() });

const otherParticipant = "CASE WHEN d.user_low = u.id THEN d.user_high ELSE d.user_low END";

/** The channel, if the user is a member of its server, or a participant who may write there: in groups all may. */
const channelStatement = defineStatement({
  name: "gateway_typing_channel",
  text: `SELECT u.username, channel.*
    FROM users u, LATERAL (
      SELECT c.server_id, ${accessColumns("u.id")}, NULL::text[] AS participants, NULL::boolean AS is_group
      FROM channels c
      JOIN servers s ON s.id = c.server_id
      JOIN members m ON m.server_id = c.server_id AND m.user_id = u.id
      WHERE c.id = $2
      UNION ALL
      SELECT NULL, NULL, NULL, NULL, NULL, (${directParticipants("d")})::text[], d.user_low IS NULL
      FROM dm_channels d
      WHERE d.id = $2 AND ${isDirectParticipant("d", "u.id")}
        AND (d.user_low IS NULL OR ${mayMessage("u.id", otherParticipant)})) AS channel
    WHERE u.id = $1`,
  row: z.union([Server, Direct]).and(z.object({ username: z.string() })),
});

/**
 * TYPING_START: published to every viewer of the channel, the sender included (docs/protocol/connecting.md#14.3,
 * docs/protocol/events.md#14.5). The rate holds over all nodes; ops above it cost one call of Redis and no statement.
 */
export function createTypingStart(options: {
  database: Pick<Database, "query">;
  redis: RedisConnection;
  messaging: Messaging;
  /** From one of a user in a channel to the next. */
  typingPauseMs?: number | undefined;
}): OpHandler {
  const { database, redis, messaging, typingPauseMs = defaultPauseMs } = options;
  const perUser = createTokenBucket({
    redis,
    name: "typing",
    ratePerSecond: typingsPerSecondMax,
    burst: typingsPerSecondMax,
  });
  const perChannel = createTokenBucket({
    redis,
    name: "typing-channel",
    ratePerSecond: 1_000 / typingPauseMs,
    burst: 1,
  });
  return async ({ userId }, d) => {
    const op = clientOps.TYPING_START.safeParse(d);
    if (!op.success) return;
    const { channel_id } = op.data;
    if (!(await perUser.take(userId)).allowed || !(await perChannel.take(`${userId}:${channel_id}`)).allowed) return;
    const [channel] = await database.query(channelStatement, [userId, channel_id]);
    if (channel === undefined) return;
    const payload = { user_id: userId, username: channel.username, channel_id, timestamp: new Date().toISOString() };
    // Groups are for connections with `v=2` only.
    const routing = channel.server_id === null && channel.is_group ? { version: 2 as const } : {};
    for (const target of audienceOf(channel, userId, channel_id)) {
      publishLive(messaging, createEvent("TYPING_START", target, payload, routing));
    }
  };
}

function audienceOf(
  channel: z.infer<typeof Server> | z.infer<typeof Direct>,
  userId: string,
  channel_id: string,
): EventTarget<"TYPING_START">[] {
  if (channel.server_id === null) return channel.participants.map((user_id) => ({ user_id }));
  const { server_id } = channel;
  return hasPermission(resolveAccess(channel, userId), "SEND_MESSAGES") ? [{ server_id, channel_id }] : [];
}
