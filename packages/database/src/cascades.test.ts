import { createTestDatabase, type TestDatabase } from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** How many rows one row of the parent may take with it, or leave without it: every foreign key that acts on deletion. */
const bounds: Record<string, string> = {
  // A server's.
  channels_server_id_fkey: "500",
  roles_server_id_fkey: "250",
  invites_server_id_fkey: "1,000 in force and 1,000 others",
  custom_emojis_server_id_fkey: "50",
  automod_configs_server_id_fkey: "1",
  automod_words_server_id_fkey: "1,000",
  automod_rules_server_id_fkey: "50",
  automod_logs_server_id_fkey: "1,000 and those of ten minutes",
  webhooks_server_id_fkey: "10",
  incoming_webhooks_server_id_fkey: "15 in each channel",
  webhook_deliveries_webhook_id_fkey: "100",
  webhook_backlogs_webhook_id_fkey: "1",
  server_message_counts_server_id_fkey: "1",
  server_safety_server_id_fkey: "1",
  server_onboardings_server_id_fkey: "1",
  insight_days_server_id_fkey: "94",
  insight_counts_server_id_fkey: "1",
  // A channel's, a role's, a member's.
  channel_overrides_channel_id_fkey: "100",
  expirations_channel_id_fkey: "1",
  incoming_webhooks_channel_id_fkey: "15",
  automod_logs_channel_id_fkey: "those of its server",
  channel_overrides_role_id_fkey: "1 in each channel",
  member_roles_server_id_user_id_fkey: "250",
  onboarding_gifts_server_id_user_id_fkey: "1",
  // A message's: deletion and expiry take messages in batches, replies before their roots.
  messages_reply_to_fkey: "removed before",
  messages_thread_id_fkey: "removed before",
  reactions_message_id_fkey: "removed before, in batches, with a deleted channel; by age with at most 100 messages",
  threads_root_id_fkey: "1",
  polls_message_id_fkey: "1",
  poll_options_poll_id_fkey: "10",
  poll_votes_option_id_poll_id_fkey: "as with reactions",
  scheduled_events_message_id_fkey: "1",
  event_interests_event_id_fkey: "as with reactions",
  attachments_message_id_fkey: "10",
  message_previews_message_id_fkey: "1",
  preview_tasks_message_id_fkey: "1",
  group_mentions_message_id_fkey: "512",
  dm_attachments_message_id_fkey: "10",
  dm_reactions_message_id_fkey: "500: of both, 250 different emoji",
  // An import's: administrators make few, and a job empties one before it ends.
  import_parts_import_id_fkey: "640 of 32 MB",
  import_records_import_id_fkey: "removed before, in steps",
  import_mentions_person_id_fkey: "removed before, with the messages",
  // An account's.
  imports_created_by_fkey: "the imports of one administrator",
  import_people_id_fkey: "1",
  import_people_claimed_by_fkey: "the people that one account was",
  account_deletions_user_id_fkey: "1",
  admin_log_entries_admin_id_fkey: "removed before, in steps",
  audit_log_entries_actor_id_fkey: "removed before, in steps",
  automod_logs_user_id_fkey: "removed before, in steps",
  automod_rules_created_by_fkey: "removed before, in steps",
  automod_words_created_by_fkey: "removed before, in steps",
  bans_banned_by_fkey: "removed before, in steps",
  bans_user_id_fkey: "removed before, in steps",
  bots_created_by_fkey: "1,000",
  bots_user_id_fkey: "1",
  app_commands_bot_id_fkey: "100",
  channel_overrides_user_id_fkey: "removed before, in steps",
  custom_emojis_created_by_fkey: "removed before, in steps",
  dm_channels_user_high_fkey: "removed before, in steps",
  dm_channels_user_low_fkey: "removed before, in steps",
  dm_group_members_channel_id_fkey: "10",
  dm_group_members_user_id_fkey: "removed before, 100",
  dm_messages_author_id_fkey: "removed before, in steps",
  dm_messages_channel_id_fkey: "removed before, in steps",
  deleted_dm_messages_channel_id_fkey: "removed before, in steps",
  dm_reactions_user_id_fkey: "removed before, in steps",
  dm_read_states_channel_id_fkey: "10",
  dm_read_states_user_id_fkey: "removed before with their channels, in steps",
  email_changes_user_id_fkey: "3 for a new address, and those of seven days for former ones",
  email_verifications_user_id_fkey: "3",
  former_usernames_user_id_fkey: "6",
  friendships_user_high_fkey: "removed before",
  friendships_user_low_fkey: "removed before",
  incoming_webhooks_created_by_fkey: "15 in each channel",
  incoming_webhooks_user_id_fkey: "1",
  instance_settings_updated_by_fkey: "1",
  insight_marks_user_id_fkey: "removed before, in steps",
  invites_created_by_fkey: "removed before, in steps",
  login_addresses_user_id_fkey: "one for each address of 30 days",
  member_notes_author_id_fkey: "removed before, in steps",
  member_notes_user_id_fkey: "removed before, in steps",
  members_user_id_fkey: "200, of bots 10,000, each left before; only those of deleted servers are left",
  messages_author_id_fkey: "removed before, in steps",
  messages_pinned_by_fkey: "removed before, in steps",
  missed_messages_user_id_fkey: "removed before, in steps",
  notification_settings_user_id_fkey: "removed before, 1",
  notification_targets_user_id_fkey: "removed before, 2,000",
  passkeys_user_id_fkey: "removed before, 20",
  oidc_identities_user_id_fkey: "removed before, one for each provider",
  oidc_sessions_user_id_fkey: "those of 30 days",
  password_resets_user_id_fkey: "3",
  poll_votes_user_id_fkey: "removed before, in steps",
  preview_tasks_author_id_fkey: "20, each for ten minutes at most",
  push_subscriptions_user_id_fkey: "20",
  reactions_user_id_fkey: "removed before, in steps",
  read_states_user_id_fkey: "removed before, in steps",
  recovery_codes_user_id_fkey: "10",
  network_bans_created_by_fkey: "10,000",
  account_quotas_user_id_fkey: "1",
  server_quotas_server_id_fkey: "1",
  registrations_user_id_fkey: "1",
  refresh_sessions_user_id_fkey: "10 sessions, each with its tokens of 7 days",
  reports_author_id_fkey: "removed before, in steps",
  reports_closed_by_fkey: "removed before, in steps",
  event_interests_user_id_fkey: "removed before, in steps",
  calendars_user_id_fkey: "1",
  scheduled_events_created_by_fkey: "removed before, in steps",
  drafts_user_id_fkey: "1,000, and those deleted within a day",
  inboxes_user_id_fkey: "1",
  reminders_user_id_fkey: "100",
  planned_messages_user_id_fkey: "100",
  saves_user_id_fkey: "1,000",
  second_factors_user_id_fkey: "1",
  timeouts_created_by_fkey: "removed before, in steps",
  timeouts_user_id_fkey: "removed before, in steps",
  user_blocks_blocked_id_fkey: "removed before, in steps",
  user_blocks_blocker_id_fkey: "removed before",
  user_directory_user_id_fkey: "1",
  webhooks_created_by_fkey: "10 in each server",
};

test("every cascade has a bound", async () => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT conname AS name FROM pg_constraint
      WHERE contype = 'f' AND confdeltype <> 'r' AND connamespace = 'public'::regnamespace ORDER BY 1`,
  );
  expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(bounds).sort());
});

test("every table of orphans has an index that begins with what its rows belonged to", async () => {
  for (const [trigger, column] of [
    ["servers_orphans_delete", "server_id"],
    ["channels_orphans_delete", "channel_id"],
    ["roles_orphans_delete", "role_id"],
  ]) {
    const { rows } = await client.query<{ table: string; indexed: boolean }>(
      `SELECT child AS table, EXISTS (
          SELECT FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
          WHERE i.indrelid = child::regclass AND a.attname = $2) AS indexed
        FROM pg_trigger t, unnest(string_to_array(rtrim(encode(t.tgargs, 'escape'), '\\000'), '\\000')) AS child
        WHERE t.tgname = $1`,
      [trigger, column],
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ indexed }) => !indexed)).toEqual([]);
  }
});
