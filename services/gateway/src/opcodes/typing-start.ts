import { clientOps, createEvent, type EventTarget } from "@parley/contracts";
import { type Database, defineStatement } from "@parley/database";
import { type Messaging, publishLive } from "@parley/messaging";
import { hasPermission, resolveChannelPermissions } from "@parley/permissions";
import { createTokenBucket, type RedisConnection } from "@parley/redis";
import { z } from "zod";
import { typingPauseMs, typingsPerSecondMax } from "../limits.js";
import type { OpHandler } from "../session/client-messages.js";

const ServerPlace = z.object({
  kind: z.literal("server"),
  username: z.string(),
  server_id: z.string(),
  owner_id: z.string(),
  roles: z.array(z.object({ id: z.string(), permissions: z.int() })),
  overrides: z.array(
    z.object({ role_id: z.string().nullable(), user_id: z.string().nullable(), allow: z.int(), deny: z.int() }),
  ),
});
const DirectPlace = z.object({ kind: z.literal("direct"), username: z.string(), participants: z.array(z.string()) });

/** The channel, if the user is a member of its server or a participant. */
const placeStatement = defineStatement({
  name: "gateway_typing_place",
  text: `
SELECT json_build_object('kind', 'server', 'username', u.username, 'server_id', s.id, 'owner_id', s.owner_id,
  'roles', coalesce((
    SELECT json_agg(json_build_object('id', r.id, 'permissions', r.permissions))
    FROM member_roles mr JOIN roles r ON r.id = mr.role_id
    WHERE mr.server_id = s.id AND mr.user_id = u.id), '[]'),
  'overrides', coalesce((
    SELECT json_agg(json_build_object('role_id', o.role_id, 'user_id', o.user_id, 'allow', o.allow, 'deny', o.deny))
    FROM channel_overrides o
    WHERE o.channel_id = c.id AND (o.user_id = u.id OR o.role_id IS NOT NULL)), '[]')) AS place
FROM channels c
JOIN servers s ON s.id = c.server_id
JOIN members m ON m.server_id = s.id AND m.user_id = $1
JOIN users u ON u.id = m.user_id
WHERE c.id = $2
UNION ALL
SELECT json_build_object('kind', 'direct', 'username', u.username,
  'participants', json_build_array(d.user_low, d.user_high)) AS place
FROM dm_channels d
JOIN users u ON u.id = $1
WHERE d.id = $2 AND $1 IN (d.user_low, d.user_high)`,
  row: z.object({ place: z.discriminatedUnion("kind", [ServerPlace, DirectPlace]) }),
});

/**
 * TYPING_START: published to all who may view the channel, the sender included (docs/interface.md#14.3,
 * docs/interface.md#14.5). The rate holds over all nodes; ops above it cost one call of Redis and no statement.
 */
export function createTypingStart(options: {
  database: Pick<Database, "query">;
  redis: RedisConnection;
  messaging: Messaging;
}): OpHandler {
  const { database, redis, messaging } = options;
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
    const [row] = await database.query(placeStatement, [userId, channel_id]);
    if (row === undefined) return;
    const { place } = row;
    const payload = { user_id: userId, username: place.username, channel_id, timestamp: new Date().toISOString() };
    for (const target of audienceOf(place, userId, channel_id)) {
      publishLive(messaging, createEvent("TYPING_START", target, payload));
    }
  };
}

function audienceOf(
  place: z.infer<typeof ServerPlace> | z.infer<typeof DirectPlace>,
  userId: string,
  channel_id: string,
): EventTarget<"TYPING_START">[] {
  if (place.kind === "direct") return place.participants.map((user_id) => ({ user_id }));
  const { server_id, owner_id, roles, overrides } = place;
  const bits = resolveChannelPermissions({ isOwner: owner_id === userId, userId, roles, overrides });
  return hasPermission(bits, "SEND_MESSAGES") ? [{ server_id, channel_id }] : [];
}
