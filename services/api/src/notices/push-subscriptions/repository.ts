import type { Identity } from "@parley/auth";
import { PushSubscription } from "@parley/contracts";
import { defineStatement, jsonTime, type RawRow } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import { defineExpiry } from "../../platform/jobs/expiry-repository.js";
import type { Subscribe } from "./schema.js";

const columns = `s.id, s.label, ${jsonTime("s.created_at")} AS created_at, ${jsonTime("s.last_used_at")} AS last_used_at`;

const isSame = "s.user_id = EXCLUDED.user_id";

/** Two of one account at once are serialized by its lock; two of different accounts by the row of the endpoint. */
const storeStatement = defineStatement({
  name: "push_subscription_store",
  // A device that moves to another account becomes another device, so that pushes of the former account do not reach
  // it. A push of the same account may be under way, and the next one waits for it. A pause that the push service asked
  // for stays.
  text: `INSERT INTO push_subscriptions AS s (user_id, session_id, endpoint, p256dh, auth, label)
    VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (endpoint) DO UPDATE SET
      id = CASE WHEN ${isSame} THEN s.id ELSE EXCLUDED.id END,
      created_at = CASE WHEN ${isSame} THEN s.created_at ELSE EXCLUDED.created_at END,
      last_used_at = CASE WHEN ${isSame} THEN s.last_used_at END,
      sender = CASE WHEN ${isSame} THEN s.sender END,
      busy_until = CASE WHEN ${isSame} THEN s.busy_until END,
      user_id = EXCLUDED.user_id, session_id = EXCLUDED.session_id, p256dh = EXCLUDED.p256dh, auth = EXCLUDED.auth,
      label = EXCLUDED.label, failing_since = NULL
    RETURNING ${columns}, old.id IS NOT NULL AS known`,
  row: z.object({ ...PushSubscription.shape, known: z.boolean() }),
});

const trimStatement = defineStatement({
  name: "push_subscription_trim",
  text: `DELETE FROM push_subscriptions WHERE user_id = $1 AND id IN (
      SELECT id FROM push_subscriptions WHERE user_id = $1
      ORDER BY id = $2 DESC, coalesce(last_used_at, created_at) DESC, id DESC OFFSET $3)`,
});

const listStatement = defineStatement({
  name: "push_subscription_list",
  text: `SELECT ${columns} FROM push_subscriptions s WHERE s.user_id = $1 ORDER BY s.created_at, s.id`,
  row: PushSubscription,
});

const removeStatement = defineStatement({
  name: "push_subscription_remove",
  text: "DELETE FROM push_subscriptions WHERE id = $2 AND user_id = $1",
});

const removeAllStatement = defineStatement({
  name: "push_subscription_remove_all",
  text: "DELETE FROM push_subscriptions WHERE user_id = $1",
});

const removeOfSessionStatement = defineStatement({
  name: "push_subscription_remove_of_session",
  text: "DELETE FROM push_subscriptions WHERE user_id = $1 AND session_id = $2",
});

/** The lock keeps the end of all sessions waiting, which changes the account's row. */
const holdStatement = defineStatement({
  name: "push_subscription_hold_sessions",
  text: `SELECT u.id FROM users u
    WHERE u.id = $1 AND u.session_version = $2 AND u.disabled_at IS NULL
      AND NOT EXISTS (SELECT FROM ended_sessions e WHERE e.id = $3)
    FOR SHARE OF u`,
  row: ({ id }: RawRow) => String(id),
});

const sessionOf = (identity: Identity) => (identity.kind === "user" ? identity.sessionId : null);

/**
 * Keeps the ends of the caller's sessions waiting until the transaction ends, so that they find its rows. Taken after
 * the lock of the account.
 *
 * @returns false when the session has ended since the caller was identified
 */
export async function holdSession(transaction: Transaction, identity: Identity): Promise<boolean> {
  const values = [identity.userId, identity.sessionVersion, sessionOf(identity)];
  return (await transaction.query(holdStatement, values)).length > 0;
}

/** Stores a device, or replaces its columns. @returns it, and whether the endpoint was known */
export async function storeSubscription(
  transaction: Transaction,
  identity: Identity,
  { endpoint, keys, label = null }: Subscribe,
): Promise<{ subscription: PushSubscription; known: boolean }> {
  const values = [identity.userId, sessionOf(identity), endpoint, keys.p256dh, keys.auth, label];
  const [stored] = await transaction.query(storeStatement, values);
  if (stored === undefined) throw new Error("An upsert returned no row");
  const { known, ...subscription } = stored;
  return { subscription, known };
}

/** Removes the devices of an account that were unused longest, beyond `max` with the one that stays. */
export async function trimSubscriptions(
  transaction: Transaction,
  { userId, keptId, max }: { userId: string; keptId: string; max: number },
): Promise<void> {
  await transaction.execute(trimStatement, [userId, keptId, max]);
}

/** The devices of an account, oldest first. */
export function findSubscriptions(connection: Queryable, userId: string): Promise<PushSubscription[]> {
  return connection.query(listStatement, [userId]);
}

/** Removes a device. @returns false when the account has none with this id */
export async function removeSubscription(connection: Queryable, userId: string, id: string): Promise<boolean> {
  return (await connection.execute(removeStatement, [userId, id])) > 0;
}

/** Removes all devices of an account whose sessions have all ended. */
export async function removeSubscriptions(transaction: Transaction, userId: string): Promise<void> {
  await transaction.execute(removeAllStatement, [userId]);
}

/** Removes the devices that a session has named, which has ended. */
export async function removeSubscriptionsOf(
  transaction: Transaction,
  session: { userId: string; sessionId: string },
): Promise<void> {
  await transaction.execute(removeOfSessionStatement, [session.userId, session.sessionId]);
}

/** How long rows of pushes are kept at least: no event asks for them again. */
const pushesKeptMs = 3_600_000;

/**
 * One that is still to be sent a day after it was due never will be.
 *
 * @param eventsMaxAgeMs for how long events can be read again, and ask for it
 */
export const expiredPushes = (eventsMaxAgeMs: number) =>
  defineExpiry({
    name: "expired pushes",
    table: "pushes",
    key: "subscription_id, message_id",
    where: `created_at < now() - make_interval(secs => $2 / 1000.0)
      AND (due_at IS NULL OR due_at < now() - interval '1 day')`,
    order: "created_at",
    values: [Math.max(pushesKeptMs, eventsMaxAgeMs)],
  });

/** A push is shown for a day at most, its TTL, so there is nothing to take back after that. */
const pushedChannelHours = 25;

export const expiredPushedChannels = defineExpiry({
  name: "expired pushed channels",
  table: "pushed_channels",
  key: "subscription_id, channel_id",
  where: "pushed_at < now() - make_interval(hours => $2)",
  order: "pushed_at",
  values: [pushedChannelHours],
});

/** Devices of sessions that expired or were dropped by newer ones; those of ended sessions are gone already. */
export const expiredPushSubscriptions = defineExpiry({
  name: "expired push subscriptions",
  table: "push_subscriptions",
  where: `session_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM refresh_sessions r WHERE r.family_id = t.session_id AND r.expires_at > now())`,
  order: "id",
});
