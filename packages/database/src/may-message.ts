import { serverExists } from "./server-exists.js";

/**
 * SQL: whether one of two users has blocked the other (docs/protocol/conversations.md#28.3). OFFSET 0 keeps both look-ups by key: a
 * prepared statement may otherwise read all blockers of a user, whose number has no bound.
 */
export const isBlocked = (one: string, other: string) =>
  `(EXISTS (SELECT FROM user_blocks block WHERE block.blocker_id = ${one} AND block.blocked_id = ${other} OFFSET 0)
    OR EXISTS (SELECT FROM user_blocks block WHERE block.blocker_id = ${other} AND block.blocked_id = ${one} OFFSET 0))`;

/** SQL: whether a user has blocked the author of a message; not for one without an author. */
export const isByBlocked = (user: string, author: string) =>
  `EXISTS (SELECT FROM user_blocks block WHERE block.blocker_id = ${user} AND block.blocked_id = ${author})`;

const areFriends = (one: string, other: string) =>
  `EXISTS (SELECT FROM friendships friendship WHERE friendship.user_low = least(${one}, ${other})
    AND friendship.user_high = greatest(${one}, ${other}) AND friendship.accepted_at IS NOT NULL)`;

/**
 * OFFSET 0 keeps it a look-up for each membership of the other: a prepared statement may otherwise read all members of all
 * servers until it meets two of one server, and strangers have none.
 */
const shareServer = (one: string, other: string) =>
  `EXISTS (SELECT FROM members membership WHERE membership.user_id = ${other} AND EXISTS (
    SELECT FROM members shared WHERE shared.server_id = membership.server_id AND shared.user_id = ${one} OFFSET 0)
    AND ${serverExists("membership.server_id")})`;

/**
 * SQL: whether a user may write to another directly (docs/protocol/conversations.md#28.3): neither has blocked the other, and the
 * recipient's `dms_from` lets them.
 *
 * @param sender SQL of an id, of type uuid, like `recipient`; not of the tables' names here: block, account, friendship,
 * membership, shared, existing
 */
export const mayMessage = (sender: string, recipient: string) =>
  `(NOT ${isBlocked(sender, recipient)}
    AND CASE (SELECT account.dms_from FROM users account WHERE account.id = ${recipient})
      WHEN 'friends' THEN ${areFriends(sender, recipient)}
      WHEN 'servers' THEN ${areFriends(sender, recipient)} OR ${shareServer(sender, recipient)}
      ELSE true END)`;
