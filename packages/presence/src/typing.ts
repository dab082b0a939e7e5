import { createEvent, type EventTarget } from "@parley/contracts";
import { type Database, defineStatement, directParticipants, isDirectParticipant, mayMessage } from "@parley/database";
import { type Messaging, publishLive } from "@parley/messaging";
import { accessColumns, accessRow, hasPermission, resolveAccess } from "@parley/permissions";
import { createTokenBucket, type RedisConnection } from "@parley/redis";
import { z } from "zod";
import { typingPauseMs, typingsPerSecondMax } from "./limits.js";

const Server = accessRow.extend({ server_id: z.string() });
const Direct = z.object({ server_id: z.null(), participants: z.array(z.string()), is_group: z.boolean() });

const otherParticipant = "CASE WHEN d.user_low = u.id THEN d.user_high ELSE d.user_low END";

/** The channel, if the user is a member of its server, or a participant who may write there: in groups all may. */
const channelStatement = defineStatement({
  name: "typing_channel",
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

/** Notifies every viewer of a channel, the user included, that the user types there. @param channelId UUID */
export type Typing = (userId: string, channelId: string) => Promise<void>;

/**
 * TYPING_START (docs/protocol/events.md#14.5). The rate of docs/protocol/limits.md#16.3 holds over all processes; calls above it
 * cost one call of Redis and no statement.
 *
 * @param options.pauseMs from one of a user in a channel to the next
 */
export function createTyping(options: {
  database: Pick<Database, "query">;
  redis: RedisConnection;
  messaging: Messaging;
  pauseMs?: number | undefined;
}): Typing {
  const { database, redis, messaging, pauseMs = typingPauseMs } = options;
  const rate = { ratePerSecond: typingsPerSecondMax, burst: typingsPerSecondMax };
  const perUser = createTokenBucket({ redis, name: "typing", ...rate });
  const perChannel = createTokenBucket({ redis, name: "typing-channel", ratePerSecond: 1_000 / pauseMs, burst: 1 });
  return async (userId, channel_id) => {
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
