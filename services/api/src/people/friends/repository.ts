import type { FriendState } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";

/** The state of another user for an account; absent where nothing is stored. */
const stored = z.enum(["friends", "incoming", "outgoing"]);

/** SQL: the {@link stored} state of a row from the view of `$1`. */
const stateColumn = `CASE WHEN accepted_at IS NOT NULL THEN 'friends' WHEN requested_by = $1 THEN 'outgoing'
  ELSE 'incoming' END AS state`;
const otherColumn = "CASE WHEN user_low = $1 THEN user_high ELSE user_low END AS user_id";
const ofPair = "user_low = least($1::uuid, $2::uuid) AND user_high = greatest($1::uuid, $2::uuid)";

const listStatement = defineStatement({
  name: "friend_list",
  text: `SELECT ${otherColumn}, ${stateColumn} FROM friendships WHERE user_low = $1 OR user_high = $1`,
  row: z.object({ user_id: z.string(), state: stored }),
});

const stateStatement = defineStatement({
  name: "friend_state",
  text: `SELECT ${stateColumn} FROM friendships WHERE ${ofPair}`,
  row: z.object({ state: stored }).transform(({ state }) => state),
});

const countStatement = defineStatement({
  name: "friend_count",
  text: `SELECT state, count(*)::integer AS count
    FROM (SELECT ${stateColumn} FROM friendships WHERE user_low = $1 OR user_high = $1) AS own GROUP BY state`,
  row: z.object({ state: stored, count: z.int() }),
});

const requestStatement = defineStatement({
  name: "friend_request",
  text: `INSERT INTO friendships (user_low, user_high, requested_by)
    VALUES (least($1::uuid, $2::uuid), greatest($1::uuid, $2::uuid), $1)`,
});

const acceptStatement = defineStatement({
  name: "friend_accept",
  text: `UPDATE friendships SET accepted_at = now() WHERE ${ofPair}`,
});

const deleteStatement = defineStatement({
  name: "friend_delete",
  text: `DELETE FROM friendships WHERE ${ofPair}`,
});

const deleteAllStatement = defineStatement({
  name: "friend_delete_all",
  text: `DELETE FROM friendships WHERE user_low = $1 OR user_high = $1 RETURNING ${otherColumn}`,
  row: z.object({ user_id: z.string() }).transform(({ user_id }) => user_id),
});

/** All users with a state for an account, in no order. */
export function findFriends(
  connection: Queryable,
  userId: string,
): Promise<{ user_id: string; state: Exclude<FriendState, "none"> }[]> {
  return connection.query(listStatement, [userId]);
}

/** The state of another account for a user. */
export async function findFriendState(connection: Queryable, userId: string, otherId: string): Promise<FriendState> {
  const [state] = await connection.query(stateStatement, [userId, otherId]);
  return state ?? "none";
}

/** How many friends and waiting requests an account has. */
export async function countFriends(
  transaction: Transaction,
  userId: string,
): Promise<Record<Exclude<FriendState, "none">, number>> {
  const counts = { friends: 0, incoming: 0, outgoing: 0 };
  for (const { state, count } of await transaction.query(countStatement, [userId])) counts[state] = count;
  return counts;
}

/** Stores the request of a user. */
export async function insertRequest(transaction: Transaction, userId: string, otherId: string): Promise<void> {
  await transaction.execute(requestStatement, [userId, otherId]);
}

/** Makes two users friends after a request of one of them. */
export async function acceptRequest(transaction: Transaction, userId: string, otherId: string): Promise<void> {
  await transaction.execute(acceptStatement, [userId, otherId]);
}

/** @returns whether the two were something to each other */
export async function deleteFriend(transaction: Transaction, userId: string, otherId: string): Promise<boolean> {
  return (await transaction.execute(deleteStatement, [userId, otherId])) > 0;
}

/** Deletes every friendship and request of an account. @returns the others */
export function deleteFriends(transaction: Transaction, userId: string): Promise<string[]> {
  return transaction.query(deleteAllStatement, [userId]);
}
