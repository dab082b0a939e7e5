import { randomBytes } from "node:crypto";
import { pictureAddress } from "@parley/contracts";
import { defineStatement, type RawRow, type Statement, serverExists } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { revocation } from "../../apps/bots/repository.js";

/** Rows that one statement of a deletion changes. */
const batchMax = 500;
/** For how long a process has a deletion to itself; it renews this with every step. */
const claimSeconds = 60;

const step = (name: string, text: string): Statement<never> =>
  defineStatement({ name: `account_deletion_${name}`, text });

/** Rows of a table that are found by the account's id in a column, some at a time. */
const someOf = (table: string, column: string) =>
  `ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${column} = $1 LIMIT $2))`;

/** Stands where a name may not be null. No account can register it: names have no hyphen. */
const nameOfDeleted = "deleted-account";

/**
 * The delivery logs of the server `$1` name the account `$2` no longer as the author of its messages. A delivery that is
 * under way keeps the bytes that its next attempt sends. In the text of a message the quotation marks would be escaped.
 */
const clearAuthorStatement = defineStatement({
  name: "account_deletion_deliveries",
  text: `UPDATE webhook_deliveries SET body = replace(body, '"author_id":"' || $2 || '"', '"author_id":null')
    WHERE webhook_id IN (SELECT id FROM webhooks WHERE server_id = $1) AND status <> 'pending'
      AND position('"author_id":"' || $2 || '"' IN body) > 0`,
});

/**
 * Statements for rows of which an account may have many; each changes at most `$2` rows of the account `$1`. Without
 * them deleting the account's own row would delete all of them at once, or take the author from a million messages in
 * one statement.
 */
const steps: readonly Statement<never>[] = [
  step(
    "dm_messages",
    `DELETE FROM dm_messages WHERE id IN (
      SELECT m.id FROM (
        SELECT id FROM dm_channels WHERE user_low = $1 UNION ALL SELECT id FROM dm_channels WHERE user_high = $1) c
      JOIN dm_messages m ON m.channel_id = c.id LIMIT $2)`,
  ),
  step(
    "deleted_dm_messages",
    `DELETE FROM deleted_dm_messages WHERE id IN (
      SELECT m.id FROM (
        SELECT id FROM dm_channels WHERE user_low = $1 UNION ALL SELECT id FROM dm_channels WHERE user_high = $1) c
      JOIN deleted_dm_messages m ON m.channel_id = c.id LIMIT $2)`,
  ),
  step("dm_channels_low", `DELETE FROM dm_channels WHERE ${someOf("dm_channels", "user_low")}`),
  step("dm_channels_high", `DELETE FROM dm_channels WHERE ${someOf("dm_channels", "user_high")}`),
  step("interactions", `DELETE FROM interactions WHERE ${someOf("interactions", "user_id")}`),
  // Messages stay, without an author and without the files that they had of the account.
  step("files", `DELETE FROM attachments WHERE ${someOf("attachments", "author_id")}`),
  step("dm_files", `DELETE FROM dm_attachments WHERE ${someOf("dm_attachments", "author_id")}`),
  // In groups, which go on without the account.
  step("group_messages", `UPDATE dm_messages SET author_id = NULL WHERE ${someOf("dm_messages", "author_id")}`),
  step("dm_reactions", `DELETE FROM dm_reactions WHERE ${someOf("dm_reactions", "user_id")}`),
  step("messages", `UPDATE messages SET author_id = NULL WHERE ${someOf("messages", "author_id")}`),
  step("pins", `UPDATE messages SET pinned_by = NULL WHERE ${someOf("messages", "pinned_by")}`),
  step("reactions", `DELETE FROM reactions WHERE ${someOf("reactions", "user_id")}`),
  step("poll_votes", `DELETE FROM poll_votes WHERE ${someOf("poll_votes", "user_id")}`),
  step("event_interests", `DELETE FROM event_interests WHERE ${someOf("event_interests", "user_id")}`),
  step("missed_messages", `DELETE FROM missed_messages WHERE ${someOf("missed_messages", "user_id")}`),
  step("read_states", `DELETE FROM read_states WHERE ${someOf("read_states", "user_id")}`),
  step("insight_marks", `DELETE FROM insight_marks WHERE ${someOf("insight_marks", "user_id")}`),
  step("overrides", `DELETE FROM channel_overrides WHERE ${someOf("channel_overrides", "user_id")}`),
  step("audit", `UPDATE audit_log_entries SET actor_id = NULL WHERE ${someOf("audit_log_entries", "actor_id")}`),
  step("admin_log", `UPDATE admin_log_entries SET admin_id = NULL WHERE ${someOf("admin_log_entries", "admin_id")}`),
  step(
    "automod_logs",
    `UPDATE automod_logs SET user_id = NULL, username = '${nameOfDeleted}' WHERE ${someOf("automod_logs", "user_id")}`,
  ),
  // Uploaded by the creator, so they go, and members of the bots' servers get an event as for any other change of a
  // picture. A creator has 1,000 bots at most.
  step(
    "bot_pictures",
    `WITH bare AS (
      UPDATE users SET avatar_url = NULL WHERE id = ANY (ARRAY(
        SELECT b.user_id FROM bots b JOIN users u ON u.id = b.user_id
        WHERE b.created_by = $1 AND u.avatar_url LIKE '${pictureAddress("%")}' LIMIT $2 * 2))
      RETURNING id)
    INSERT INTO member_announcements (user_id, server_id, due_at)
    SELECT m.user_id, m.server_id, now() FROM members m JOIN bare ON bare.id = m.user_id WHERE ${serverExists("m.server_id")}
    ON CONFLICT DO NOTHING`,
  ),
  // Shown to its creator alone; the bot's account has a name of its own, and stays.
  step(
    "bots",
    `UPDATE bots SET created_by = NULL, name = '${nameOfDeleted}', description = NULL
      WHERE ${someOf("bots", "created_by")}`,
  ),
  step("timeouts", `DELETE FROM timeouts WHERE ${someOf("timeouts", "user_id")}`),
  step("timeouts_given", `UPDATE timeouts SET created_by = NULL WHERE ${someOf("timeouts", "created_by")}`),
  step("bans", `DELETE FROM bans WHERE ${someOf("bans", "user_id")}`),
  step("bans_given", `UPDATE bans SET banned_by = NULL WHERE ${someOf("bans", "banned_by")}`),
  // The copy in a report of a user or a member is their name.
  step(
    "reports",
    `UPDATE reports SET author_id = NULL,
        content = CASE WHEN target_type IN ('user', 'member') THEN NULL ELSE content END
      WHERE ${someOf("reports", "author_id")}`,
  ),
  step("reports_closed", `UPDATE reports SET closed_by = NULL WHERE ${someOf("reports", "closed_by")}`),
  step(
    "reporters",
    `UPDATE reports SET reporters = array_remove(reporters, $1::uuid) WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM reports WHERE reporters @> ARRAY[$1::uuid] LIMIT $2))`,
  ),
  step("blocked_by", `DELETE FROM user_blocks WHERE ${someOf("user_blocks", "blocked_id")}`),
  step("notes", `DELETE FROM member_notes WHERE ${someOf("member_notes", "user_id")}`),
  step("notes_written", `UPDATE member_notes SET author_id = NULL WHERE ${someOf("member_notes", "author_id")}`),
  step("invites", `UPDATE invites SET created_by = NULL WHERE ${someOf("invites", "created_by")}`),
  step("rules", `UPDATE automod_rules SET created_by = NULL WHERE ${someOf("automod_rules", "created_by")}`),
  step("words", `UPDATE automod_words SET created_by = NULL WHERE ${someOf("automod_words", "created_by")}`),
  step("emojis", `UPDATE custom_emojis SET created_by = NULL WHERE ${someOf("custom_emojis", "created_by")}`),
  step("events", `UPDATE scheduled_events SET created_by = NULL WHERE ${someOf("scheduled_events", "created_by")}`),
];

const beginStatement = defineStatement({
  name: "account_deletion_begin",
  text: `INSERT INTO account_deletions (user_id, claimed_until) VALUES ($1, now() + make_interval(secs => $2))
    ON CONFLICT DO NOTHING`,
});

const claimStatement = defineStatement({
  name: "account_deletion_claim",
  text: `UPDATE account_deletions SET claimed_until = now() + make_interval(secs => $1)
    WHERE user_id = (
      SELECT user_id FROM account_deletions WHERE claimed_until < now()
      ORDER BY claimed_until LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING user_id`,
  row: (row: RawRow) => String(row.user_id),
});
const renewStatement = defineStatement({
  name: "account_deletion_renew",
  text: "UPDATE account_deletions SET claimed_until = now() + make_interval(secs => $2) WHERE user_id = $1",
});
const deleteStatement = defineStatement({ name: "account_deletion_account", text: "DELETE FROM users WHERE id = $1" });

/** Whether an account owns a server. */
export async function ownsServer({ prisma }: Queryable, userId: string): Promise<boolean> {
  return (await prisma.server.findFirst({ where: { owner_id: userId }, select: { id: true } })) !== null;
}

/**
 * Deletes the personal data and the tokens of an account, revokes its bots and notes that the rest is to be deleted.
 *
 * @returns the accounts whose access has ended: its own and those of its bots
 */
export async function beginDeletion(transaction: Transaction, userId: string): Promise<Set<string>> {
  const { prisma } = transaction;
  await prisma.user.update({
    where: { id: userId },
    data: {
      // Cannot collide with a registered name: these have no hyphen.
      username: `deleted-${randomBytes(12).toString("hex")}`,
      email: null,
      email_verified_at: null,
      password_hash: null,
      display_name: null,
      avatar_url: null,
      bio: null,
      pronouns: null,
      custom_status: null,
      status_expires_at: null,
      activity: null,
      dms_from: null,
      is_admin: false,
      admin_by_setting: false,
      disabled_at: new Date(),
    },
    select: { id: true },
  });
  await prisma.userDirectoryEntry.deleteMany({ where: { user_id: userId } });
  await prisma.refreshSession.deleteMany({ where: { user_id: userId } });
  await prisma.passkey.deleteMany({ where: { user_id: userId } });
  await prisma.emailVerification.deleteMany({ where: { user_id: userId } });
  await prisma.emailChange.deleteMany({ where: { user_id: userId } });
  // The person may come again, as somebody new.
  await prisma.oidcIdentity.deleteMany({ where: { user_id: userId } });
  await prisma.userBlock.deleteMany({ where: { blocker_id: userId } });
  await prisma.notificationSettings.deleteMany({ where: { user_id: userId } });
  await prisma.notificationTarget.deleteMany({ where: { user_id: userId } });
  const bots = await prisma.bot.updateManyAndReturn({
    where: { OR: [{ created_by: userId }, { user_id: userId }], revoked_at: null },
    data: revocation(),
    select: { user_id: true },
  });
  await transaction.execute(beginStatement, [userId, claimSeconds]);
  return new Set([userId, ...bots.map((bot) => bot.user_id)]);
}

/** Takes a deletion that another process left unfinished. @returns the account's id; undefined when there is none */
export async function claimDeletion(connection: Queryable): Promise<string | undefined> {
  const [userId] = await connection.query(claimStatement, [claimSeconds]);
  return userId;
}

/** No delivery log of the server names the account any more. */
export async function clearAuthor(connection: Queryable, serverId: string, userId: string): Promise<void> {
  await connection.execute(clearAuthorStatement, [serverId, userId]);
}

/** Deletes the account and its remaining rows, in small steps until the signal. All steps can be repeated. */
export async function deleteAccount(connection: Queryable, userId: string, signal: AbortSignal): Promise<void> {
  for (const step of steps) {
    while (!signal.aborted && (await connection.execute(step, [userId, batchMax])) === batchMax) {
      await connection.execute(renewStatement, [userId, claimSeconds]);
    }
  }
  if (!signal.aborted) await connection.execute(deleteStatement, [userId]);
}
