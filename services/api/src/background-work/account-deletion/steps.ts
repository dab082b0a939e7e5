import { defineStatement, type Statement } from "@parley/database";

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
export const forgetAuthorStatement = defineStatement({
  name: "account_deletion_deliveries",
  text: `UPDATE webhook_deliveries SET body = replace(body, '"author_id":"' || $2 || '"', '"author_id":null')
    WHERE webhook_id IN (SELECT id FROM webhooks WHERE server_id = $1) AND status <> 'pending'
      AND position('"author_id":"' || $2 || '"' IN body) > 0`,
});

/**
 * What can be much of an account, each a statement that changes at most `$2` rows of the account `$1`. Without them the
 * account's own row would take all of it with it at once, or leave a million messages without their author in one
 * statement.
 */
export const deletionSteps: readonly Statement<never>[] = [
  step(
    "dm_messages",
    `DELETE FROM dm_messages WHERE id IN (
      SELECT m.id FROM (
        SELECT id FROM dm_channels WHERE user_low = $1 UNION ALL SELECT id FROM dm_channels WHERE user_high = $1) c
      JOIN dm_messages m ON m.channel_id = c.id LIMIT $2)`,
  ),
  step("dm_channels_low", `DELETE FROM dm_channels WHERE ${someOf("dm_channels", "user_low")}`),
  step("dm_channels_high", `DELETE FROM dm_channels WHERE ${someOf("dm_channels", "user_high")}`),
  step("messages", `UPDATE messages SET author_id = NULL WHERE ${someOf("messages", "author_id")}`),
  step("pins", `UPDATE messages SET pinned_by = NULL WHERE ${someOf("messages", "pinned_by")}`),
  step("reactions", `DELETE FROM reactions WHERE ${someOf("reactions", "user_id")}`),
  step("poll_votes", `DELETE FROM poll_votes WHERE ${someOf("poll_votes", "user_id")}`),
  step("read_states", `DELETE FROM read_states WHERE ${someOf("read_states", "user_id")}`),
  step("overrides", `DELETE FROM channel_overrides WHERE ${someOf("channel_overrides", "user_id")}`),
  step("audit", `UPDATE audit_log_entries SET actor_id = NULL WHERE ${someOf("audit_log_entries", "actor_id")}`),
  step("admin_log", `UPDATE admin_log_entries SET admin_id = NULL WHERE ${someOf("admin_log_entries", "admin_id")}`),
  step(
    "automod_logs",
    `UPDATE automod_logs SET user_id = NULL, username = '${nameOfDeleted}' WHERE ${someOf("automod_logs", "user_id")}`,
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
  step("invites", `UPDATE invites SET created_by = NULL WHERE ${someOf("invites", "created_by")}`),
  step("words", `UPDATE automod_words SET created_by = NULL WHERE ${someOf("automod_words", "created_by")}`),
  step("emojis", `UPDATE custom_emojis SET created_by = NULL WHERE ${someOf("custom_emojis", "created_by")}`),
  step("events", `UPDATE scheduled_events SET created_by = NULL WHERE ${someOf("scheduled_events", "created_by")}`),
];
