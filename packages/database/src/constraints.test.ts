import { readFile } from "node:fs/promises";
import { createTestDatabase, type TestDatabase } from "@parley/testing";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";

let database: TestDatabase;
let client: pg.Client;

/** @n → a fixed UUID, as in test-world.sql. */
const withIds = (sql: string) =>
  sql.replaceAll(/@(\d+)/g, (_, n: string) => `'00000000-0000-7000-8000-${n.padStart(12, "0")}'`);

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(withIds(await readFile(new URL("test-world.sql", import.meta.url), "utf8")));
});
beforeEach(() => client.query("BEGIN"));
afterEach(() => client.query("ROLLBACK"));
afterAll(async () => {
  await client.end();
  await database.drop();
});

const insertMessage = (columns: string, values: string) =>
  `INSERT INTO messages (channel_id, server_id, content${columns}) VALUES (@20, @10, ${values})`;
const insertServer = (table: string, columns: string, values: string) =>
  `INSERT INTO ${table} (server_id, ${columns}) VALUES (@10, ${values})`;
const insertDays = (rows: string) =>
  `INSERT INTO insight_days SELECT id::uuid, at, 0, 0, 0, 0, 0, 0, '{}', at FROM (VALUES ${rows}) AS row (id, at)`;
const automod = (column: string, value: string) => `UPDATE automod_configs SET ${column} = ${value}`;

const rule = (column: string, value: string) => {
  const values = new Map([
    ["name", "'r'"],
    ["trigger", `'{"type": "invites"}'`],
    ["actions", `'[{"type": "flag"}]'`],
  ]);
  values.set(column, value);
  return insertServer("automod_rules", [...values.keys()].join(", "), [...values.values()].join(", "));
};

const announce = (columns: string, values: string) =>
  `INSERT INTO voice_announcements (channel_id, user_id, server_id, ${columns}) VALUES (@20, @1, @10, ${values})`;

const report = (values: string) =>
  `INSERT INTO reports (server_id, target_type, target_id, category, source) VALUES (${values}, 'other', 'member')`;
const safety = (column: string, value: string) => insertServer("server_safety", column, value);

const picture = (values: string) =>
  `INSERT INTO pictures (hash, upload_id, bytes_512, bytes_128, bytes_64) VALUES (${values})`;

const event = (column: string, value: string) => `UPDATE scheduled_events SET ${column} = ${value}`;

const signIn = (code: string, claims: string) =>
  `INSERT INTO oidc_sign_ins (code_hash, browser_hash, issuer, subject, expires_at, claims)
    SELECT ${code}, repeat('0', 64), 'i', 's', now(), ${claims}`;

/** For every CHECK and UNIQUE: a statement that it refuses. */
const violations: [constraint: string, sql: string][] = [
  ["users_username_check", "INSERT INTO users (username) VALUES ('a')"],
  ["users_username_check", "INSERT INTO users (username) VALUES ('a b')"],
  ["users_username_key", "INSERT INTO users (username) VALUES ('ann')"],
  ["users_email_key", "INSERT INTO users (username, email) VALUES ('eve', 'ann@example.org')"],
  ["users_mailbox_key", "INSERT INTO users (username, email) VALUES ('eve', 'Ann@Example.ORG')"],
  ["users_status_check", "UPDATE users SET status = 'busy'"],
  ["refresh_sessions_token_hash_check", "UPDATE refresh_sessions SET token_hash = repeat('F', 64)"],
  [
    "refresh_sessions_token_hash_key",
    "INSERT INTO refresh_sessions (user_id, family_id, token_hash, expires_at) VALUES (@1, @1, repeat('0', 64), now())",
  ],
  ["refresh_sessions_user_agent_check", "UPDATE refresh_sessions SET user_agent = repeat('x', 257)"],
  ["files_to_delete_pkey", "INSERT INTO files_to_delete (id, key) SELECT @1::uuid, 'x' FROM generate_series(1, 2)"],
  ["account_quotas_pkey", "INSERT INTO account_quotas SELECT @1::uuid, 1 FROM generate_series(1, 2)"],
  ["account_quotas_quota_check", "INSERT INTO account_quotas VALUES (@1, -1)"],
  ["server_quotas_pkey", "INSERT INTO server_quotas SELECT @10::uuid, 1 FROM generate_series(1, 2)"],
  ["server_quotas_quota_check", "INSERT INTO server_quotas VALUES (@10, -1)"],
  [
    "account_storage_pkey",
    "INSERT INTO account_storage SELECT @1::uuid, @20::uuid, @10::uuid, 1, 1 FROM generate_series(1, 2)",
  ],
  ["channel_storage_pkey", "INSERT INTO channel_storage SELECT @20::uuid, 1, 1 FROM generate_series(1, 2)"],
  ["storage_changes_pkey", "INSERT INTO storage_changes (id, bytes, files) SELECT 1, 1, 1 FROM generate_series(1, 2)"],
  [
    "storage_reservations_pkey",
    "INSERT INTO storage_reservations (id, bytes, expires_at) SELECT @1::uuid, 1, now() FROM generate_series(1, 2)",
  ],
  [
    "storage_reservations_bytes_check",
    "INSERT INTO storage_reservations (id, bytes, expires_at) VALUES (@1, 0, now())",
  ],
  ["storage_total_pkey", "INSERT INTO storage_total DEFAULT VALUES"],
  ["storage_total_id_check", "UPDATE storage_total SET id = 2"],
  [
    "registrations_pkey",
    "INSERT INTO registrations (user_id, network, language) SELECT @1::uuid, '192.0.2.0/24', 'en' FROM generate_series(1, 2)",
  ],
  [
    "registrations_state_check",
    "INSERT INTO registrations (user_id, network, language, state) VALUES (@1, 'x', 'en', 'waiting')",
  ],
  [
    "registrations_decided_check",
    "INSERT INTO registrations (user_id, network, language, state) VALUES (@1, 'x', 'en', 'declined')",
  ],
  [
    "network_bans_pkey",
    "INSERT INTO network_bans (id, cidr) SELECT @1::uuid, '192.0.2.0/24' FROM generate_series(1, 2)",
  ],
  ["network_bans_cidr_check", "INSERT INTO network_bans (cidr) VALUES ('2001:DB8::/32')"],
  ["search_reindexing_pkey", "INSERT INTO search_reindexing (total) VALUES (0)"],
  ["search_reindexing_id_check", "UPDATE search_reindexing SET id = 2"],
  ["instance_settings_pkey", "INSERT INTO instance_settings DEFAULT VALUES"],
  ["instance_settings_id_check", "UPDATE instance_settings SET id = 2"],
  ["instance_settings_chosen_check", "UPDATE instance_settings SET chosen = '[]'"],
  ["instance_settings_terms_check", "UPDATE instance_settings SET terms_asked = 1"],
  ["instance_settings_registration_mode_check", "UPDATE instance_settings SET registration_mode = 'shut'"],
  [
    "admin_log_entries_pkey",
    "INSERT INTO admin_log_entries (id, action, target_type) SELECT @1::uuid, 'x', 'user' FROM generate_series(1, 2)",
  ],
  [
    "admin_log_entries_target_type_check",
    "INSERT INTO admin_log_entries (action, target_type) VALUES ('x', 'channel')",
  ],
  [
    "admin_log_entries_details_check",
    "INSERT INTO admin_log_entries (action, target_type, details) VALUES ('x', 'user', '[]')",
  ],
  ["imports_pkey", "INSERT INTO imports (id, state, filename, size) VALUES (@101, 'ready', 'a', 1)"],
  ["imports_state_check", "UPDATE imports SET state = 'new'"],
  ["imports_source_check", "UPDATE imports SET source = 'irc'"],
  ["imports_filename_check", "UPDATE imports SET filename = ''"],
  ["imports_size_check", "UPDATE imports SET size = 0"],
  ["import_parts_pkey", "INSERT INTO import_parts (import_id, number, upload_id, size) VALUES (@101, 0, @1, 1)"],
  ["import_parts_number_check", "UPDATE import_parts SET number = -1"],
  ["import_parts_size_check", "UPDATE import_parts SET size = 0"],
  [
    "import_records_pkey",
    "INSERT INTO import_records (import_id, number, kind, external_id, place, data) VALUES (@101, 1, 'x', 'x', 1, '{}')",
  ],
  [
    "import_items_pkey",
    "INSERT INTO import_items (workspace, kind, external_id, target_id, import_id) VALUES ('slack:T', 'person', 'a', @1, @1)",
  ],
  ["import_people_pkey", "INSERT INTO import_people (id, workspace, external_id, name) VALUES (@100, 'x', 'x', 'x')"],
  [
    "import_people_workspace_external_id_key",
    "INSERT INTO import_people (id, workspace, external_id, name) VALUES (@103, 'slack:T', 'a', 'x')",
  ],
  [
    "import_people_code_hash_key",
    `INSERT INTO import_people (id, workspace, external_id, name, code_hash, code_expires_at)
      VALUES (@103, 'slack:T', 'b', 'x', repeat('0', 64), now())`,
  ],
  ["import_people_code_hash_check", "UPDATE import_people SET code_hash = repeat('F', 64)"],
  ["import_people_code_check", "UPDATE import_people SET code_hash = NULL"],
  ["import_mentions_pkey", "INSERT INTO import_mentions (person_id, message_id) VALUES (@100, @40)"],
  [
    "user_directory_pkey",
    "INSERT INTO user_directory (user_id, username, search_name, created_at) VALUES (@1, 'ann', 'ann', now())",
  ],
  ["server_message_counts_pkey", "INSERT INTO server_message_counts (server_id) VALUES (@10)"],
  [
    "message_count_changes_pkey",
    "INSERT INTO message_count_changes (id, server_id, messages) SELECT 0, @10::uuid, 1 FROM generate_series(1, 2)",
  ],
  [
    "password_resets_pkey",
    "INSERT INTO password_resets (token_hash, user_id, expires_at) SELECT repeat('0', 64), @1::uuid, now() FROM generate_series(1, 2)",
  ],
  [
    "password_resets_token_hash_check",
    "INSERT INTO password_resets (token_hash, user_id, expires_at) VALUES (repeat('F', 64), @1, now())",
  ],
  [
    "oidc_identities_pkey",
    "INSERT INTO oidc_identities (issuer, subject, user_id) SELECT 'https://id.example', 'x', unnest(ARRAY[@1::uuid, @2::uuid])",
  ],
  [
    "oidc_identities_user_id_issuer_key",
    "INSERT INTO oidc_identities (issuer, subject, user_id) SELECT 'https://id.example', unnest(ARRAY['x', 'y']), @1::uuid",
  ],
  [
    "oidc_identities_length_check",
    "INSERT INTO oidc_identities (issuer, subject, user_id) VALUES ('https://id.example', repeat('x', 1025), @1)",
  ],
  [
    "oidc_identities_user_id_fkey",
    "INSERT INTO oidc_identities (issuer, subject, user_id) VALUES ('https://id.example', 'x', @99)",
  ],
  [
    "oidc_sessions_pkey",
    "INSERT INTO oidc_sessions (session_id, user_id, issuer, subject) SELECT @1::uuid, @1::uuid, 'i', 's' FROM generate_series(1, 2)",
  ],
  [
    "oidc_sessions_length_check",
    "INSERT INTO oidc_sessions (session_id, user_id, issuer, subject, sid) VALUES (@1, @1, 'i', 's', repeat('x', 1025))",
  ],
  [
    "oidc_sessions_user_id_fkey",
    "INSERT INTO oidc_sessions (session_id, user_id, issuer, subject) VALUES (@1, @99, 'i', 's')",
  ],
  ["oidc_sign_ins_pkey", signIn("repeat('0', 64)", "'{}' FROM generate_series(1, 2)")],
  ["oidc_sign_ins_hash_check", signIn("repeat('F', 64)", "'{}'")],
  ["oidc_sign_ins_claims_check", signIn("repeat('0', 64)", "'[]'")],
  [
    "oidc_used_tokens_pkey",
    "INSERT INTO oidc_used_tokens (token_hash, expires_at) SELECT repeat('0', 64), now() FROM generate_series(1, 2)",
  ],
  [
    "oidc_used_tokens_token_hash_check",
    "INSERT INTO oidc_used_tokens (token_hash, expires_at) VALUES (repeat('F', 64), now())",
  ],
  ["administrator_listings_pkey", "INSERT INTO administrator_listings VALUES ('ann'), ('ann')"],
  [
    "member_announcements_pkey",
    "INSERT INTO member_announcements (user_id, server_id, due_at) SELECT @1::uuid, @10::uuid, now() FROM generate_series(1, 2)",
  ],
  ["account_deletions_pkey", "INSERT INTO account_deletions (user_id) SELECT @1::uuid FROM generate_series(1, 2)"],
  [
    "email_verifications_pkey",
    "INSERT INTO email_verifications (token_hash, user_id, email, expires_at) SELECT repeat('0', 64), @1::uuid, 'a@example.org', now() FROM generate_series(1, 2)",
  ],
  [
    "email_verifications_token_hash_check",
    "INSERT INTO email_verifications (token_hash, user_id, email, expires_at) VALUES (repeat('F', 64), @1, 'a@example.org', now())",
  ],
  [
    "email_changes_pkey",
    "INSERT INTO email_changes (token_hash, user_id, kind, email, verified, expires_at) SELECT repeat('0', 64), @1::uuid, 'confirm', 'a@example.org', true, now() FROM generate_series(1, 2)",
  ],
  [
    "email_changes_token_hash_check",
    "INSERT INTO email_changes (token_hash, user_id, kind, email, verified, expires_at) VALUES (repeat('F', 64), @1, 'confirm', 'a@example.org', true, now())",
  ],
  [
    "email_changes_kind_check",
    "INSERT INTO email_changes (token_hash, user_id, kind, email, verified, expires_at) VALUES (repeat('0', 64), @1, 'other', 'a@example.org', true, now())",
  ],
  [
    "former_usernames_pkey",
    "INSERT INTO former_usernames (username, user_id) SELECT 'ann', @1::uuid FROM generate_series(1, 2)",
  ],
  [
    "second_factors_pkey",
    "INSERT INTO second_factors (user_id, sealed_secret) SELECT @1::uuid, 'x' FROM generate_series(1, 2)",
  ],
  [
    "recovery_codes_pkey",
    "INSERT INTO recovery_codes (user_id, code_hash) SELECT @1::uuid, repeat('0', 64) FROM generate_series(1, 2)",
  ],
  ["recovery_codes_code_hash_check", "INSERT INTO recovery_codes (user_id, code_hash) VALUES (@1, repeat('F', 64))"],
  [
    "passkeys_pkey",
    "INSERT INTO passkeys SELECT id, user_id, '\\x02', public_key, counter, transports, backed_up, name FROM passkeys",
  ],
  [
    "passkeys_credential_id_key",
    "INSERT INTO passkeys (user_id, credential_id, public_key, counter, transports, backed_up, name) VALUES (@1, '\\x01', '\\x01', 0, '{}', false, 'a')",
  ],
  ["passkeys_credential_id_check", "UPDATE passkeys SET credential_id = decode(repeat('00', 1024), 'hex')"],
  ["passkeys_name_check", "UPDATE passkeys SET name = ''"],
  ["passkeys_user_id_fkey", "UPDATE passkeys SET user_id = @99"],
  ["ended_sessions_pkey", "INSERT INTO ended_sessions (id) SELECT @1::uuid FROM generate_series(1, 2)"],
  [
    "login_addresses_address_hash_check",
    "INSERT INTO login_addresses (user_id, address_hash) VALUES (@1, repeat('F', 64))",
  ],
  [
    "login_addresses_pkey",
    "INSERT INTO login_addresses (user_id, address_hash) SELECT @1::uuid, repeat('0', 64) FROM generate_series(1, 2)",
  ],
  [
    "voice_announcements_pkey",
    `INSERT INTO voice_announcements (channel_id, user_id, kind, server_id)
      SELECT @20::uuid, @1::uuid, 'go_live', @10::uuid FROM generate_series(1, 2)`,
  ],
  ["voice_announcements_kind_check", announce("kind", "'video'")],
  ["voice_announcements_username_check", announce("kind", "'voice'")],
  ["servers_tags_check", "UPDATE servers SET tags = '{a,b,c,d,e,f}'"],
  ["servers_member_count_check", "UPDATE servers SET member_count = -1"],
  ["members_server_id_fkey", "INSERT INTO members (server_id, user_id) VALUES (@10, @4), (@99, @4)"],
  ["members_nickname_check", "UPDATE members SET nickname = ''"],
  ["members_nickname_check", "UPDATE members SET nickname = repeat('é', 33)"],
  ["members_pkey", insertServer("members", "user_id", "@2")],
  ["channels_type_check", "UPDATE channels SET type = 'stage'"],
  ["channels_user_limit_check", "UPDATE channels SET user_limit = 100"],
  ["channels_slow_mode_seconds_check", "UPDATE channels SET slow_mode_seconds = 21601"],
  ["channels_position_check", "UPDATE channels SET position = -1"],
  ["servers_everyone_permissions_check", "UPDATE servers SET everyone_permissions = 32768"],
  ["servers_everyone_permissions_check", "UPDATE servers SET everyone_permissions = 8192"],
  ["servers_everyone_rights_check", "UPDATE servers SET everyone_rights = 128"],
  ["roles_rights_check", "UPDATE roles SET rights = 128"],
  ["roles_permissions_check", "UPDATE roles SET permissions = 32768"],
  ["roles_permissions_check", "UPDATE roles SET permissions = -1"],
  ["roles_color_check", "UPDATE roles SET color = '#12345g'"],
  ["roles_position_check", "UPDATE roles SET position = -1"],
  ["server_onboardings_pkey", insertServer("server_onboardings", "enabled, channels, questions", "true, '[]', '[]'")],
  ["server_onboardings_server_id_fkey", "INSERT INTO server_onboardings VALUES (@99, true, NULL, '[]', '[]')"],
  ["server_onboardings_lists_check", "UPDATE server_onboardings SET questions = '{}'"],
  ["servers_timezone_check", "UPDATE servers SET timezone = ''"],
  ["membership_changes_pkey", "INSERT INTO membership_changes SELECT * FROM membership_changes LIMIT 1"],
  ["insight_days_pkey", insertDays("(@10, now()), (@10, now())")],
  ["insight_days_server_id_fkey", insertDays("(@99, now())")],
  ["insight_counts_pkey", "INSERT INTO insight_counts (server_id) VALUES (@10)"],
  ["insight_counts_server_id_fkey", "UPDATE insight_counts SET server_id = @99 WHERE server_id = @10"],
  ["insight_marks_pkey", "INSERT INTO insight_marks VALUES (@10, @20, @1, now()), (@10, @20, @1, now())"],
  ["insight_marks_user_id_fkey", "INSERT INTO insight_marks VALUES (@10, @20, @99, now())"],
  ["onboarding_gifts_pkey", insertServer("onboarding_gifts", "user_id, role_ids, channel_ids", "@2, '{}', '{}'")],
  ["onboarding_gifts_server_id_user_id_fkey", "INSERT INTO onboarding_gifts VALUES (@11, @3, '{}', '{}')"],
  ["member_roles_pkey", insertServer("member_roles", "user_id, role_id", "@2, @30")],
  ["member_roles_role_id_server_id_fkey", insertServer("member_roles", "user_id, role_id", "@2, @31")],
  ["member_roles_server_id_user_id_fkey", "INSERT INTO member_roles VALUES (@11, @3, @31)"],
  [
    "channel_overrides_target_key",
    "INSERT INTO channel_overrides (channel_id, allow, deny) SELECT @20, 0, 0 FROM generate_series(1, 2)",
  ],
  ["channel_overrides_target_check", "UPDATE channel_overrides SET role_id = @30, user_id = @2"],
  ["channel_overrides_allow_check", "UPDATE channel_overrides SET allow = 32768"],
  ["channel_overrides_deny_check", "UPDATE channel_overrides SET deny = -2, allow = 1"],
  ["channel_overrides_overlap_check", "UPDATE channel_overrides SET allow = 3"],
  [
    "channel_overrides_channel_id_role_id_key",
    "INSERT INTO channel_overrides (channel_id, role_id, allow, deny) VALUES (@20, @30, 0, 0)",
  ],
  [
    "channel_overrides_channel_id_user_id_key",
    "INSERT INTO channel_overrides (channel_id, user_id, allow, deny) VALUES (@20, @2, 0, 0)",
  ],
  ["invites_code_check", insertServer("invites", "code", "'abc_efgh'")],
  ["invites_role_ids_check", insertServer("invites", "code, role_ids", "'abcdefgh', array_fill(uuidv7(), ARRAY[6])")],
  ["invites_vanity_check", insertServer("invites", "code, vanity, max_uses", "'abcdefgh', true, 1")],
  [
    "invites_vanity_key",
    `${insertServer("invites", "code, vanity", "'first', true")}; ${insertServer("invites", "code, vanity", "'second', true")}`,
  ],
  ["invites_code_key", insertServer("invites", "code", "'abcdEF12'")],
  ["invites_max_uses_check", insertServer("invites", "code, max_uses", "'12345678', 0")],
  ["invites_uses_check", "UPDATE invites SET uses = uses + 1"],
  ["custom_emojis_name_check", "UPDATE custom_emojis SET name = 'Blob'"],
  ["custom_emojis_content_type_check", "UPDATE custom_emojis SET content_type = 'image/svg+xml'"],
  ["custom_emojis_file_size_check", "UPDATE custom_emojis SET file_size = 262145"],
  [
    "custom_emojis_server_id_name_key",
    insertServer("custom_emojis", "name, created_by, content_type, file_size", "'blob', @1, 'image/gif', 1"),
  ],
  ["pictures_pkey", picture("repeat('a', 64), uuidv7(), 1, 1, 1), (repeat('a', 64), uuidv7(), 1, 1, 1")],
  ["pictures_hash_check", picture("repeat('A', 64), uuidv7(), 1, 1, 1")],
  ["pictures_bytes_check", picture("repeat('a', 64), uuidv7(), 1, 0, 1")],
  ["messages_content_check", insertMessage("", "repeat('é', 4001)")],
  ["messages_thread_reply_count_check", "UPDATE messages SET thread_reply_count = -1"],
  ["messages_pin_check", "UPDATE messages SET pinned = true WHERE id = @40"],
  ["messages_pin_check", "UPDATE messages SET pinned_by = @1 WHERE id = @40"],
  [
    "messages_channel_id_server_id_fkey",
    "INSERT INTO messages (channel_id, server_id, content) VALUES (@20, @11, 'x')",
  ],
  ["messages_reply_to_fkey", insertMessage(", reply_to", "'x', @99")],
  ["servers_retention_days_check", "UPDATE servers SET retention_days = 0"],
  ["expirations_pkey", "INSERT INTO expirations (channel_id, before) VALUES (@20, now()), (@20, now())"],
  ["orphans_pkey", "INSERT INTO orphans (table_name, parent_id) VALUES ('messages', @20), ('messages', @20)"],
  ["reactions_pkey", "INSERT INTO reactions (message_id, emoji, user_id) VALUES (@40, '👍', @2)"],
  ["reactions_emoji_check", "INSERT INTO reactions (message_id, emoji, user_id) VALUES (@40, repeat('é', 33), @2)"],
  ["reactions_emoji_check", "INSERT INTO reactions (message_id, emoji, user_id) VALUES (@40, '', @2)"],
  ["polls_multiple_check", "UPDATE polls SET multiple = 11"],
  ["polls_message_id_key", "INSERT INTO polls (message_id, question) VALUES (@41, 'x')"],
  ["scheduled_events_name_check", event("name", "repeat('a', 201)")],
  ["scheduled_events_description_check", event("description", "''")],
  ["scheduled_events_place_check", event("place", "''")],
  ["scheduled_events_interested_count_check", "UPDATE scheduled_events SET interested_count = -1"],
  ["scheduled_events_notice_id_key", "UPDATE scheduled_events SET notice_id = @99"],
  ["event_interests_pkey", "INSERT INTO event_interests (event_id, user_id) VALUES (@54, @2)"],
  ["calendars_pkey", "INSERT INTO calendars (user_id, secret_hash) VALUES (@2, 'other')"],
  ["calendars_secret_hash_key", "INSERT INTO calendars (user_id, secret_hash) VALUES (@1, 'hash')"],
  ["scheduled_events_message_id_key", event("message_id", "@42")],
  ["poll_options_position_check", "INSERT INTO poll_options (poll_id, position, text) VALUES (@50, 10, 'x')"],
  ["poll_options_poll_id_position_key", "INSERT INTO poll_options (poll_id, position, text) VALUES (@50, 0, 'x')"],
  ["poll_votes_pkey", "INSERT INTO poll_votes (poll_id, user_id, option_id) VALUES (@50, @2, @51)"],
  ["poll_votes_option_id_poll_id_fkey", "INSERT INTO poll_votes (poll_id, user_id, option_id) VALUES (@50, @1, @53)"],
  ["attachments_filename_check", "UPDATE attachments SET filename = repeat('a', 256)"],
  ["attachments_stored_name_check", "UPDATE attachments SET stored_name = repeat('a', 32) || '_../a'"],
  ["attachments_file_size_check", "UPDATE attachments SET file_size = 0"],
  ["attachments_dimensions_check", "UPDATE attachments SET width = 1"],
  [
    "attachments_message_id_stored_name_key",
    "INSERT INTO attachments (message_id, filename, stored_name, file_size, mime_type) SELECT message_id, filename, stored_name, 1, 'x' FROM attachments",
  ],
  [
    "attachments_upload_id_stored_name_key",
    "INSERT INTO attachments (message_id, upload_id, filename, stored_name, file_size, mime_type) SELECT id, @1, 'a', repeat('a', 32) || '_b', 1, 'x' FROM messages",
  ],
  ["message_previews_pkey", "INSERT INTO message_previews VALUES (@40, '[]')"],
  ["message_previews_previews_check", "UPDATE message_previews SET previews = '{}'"],
  ["message_previews_previews_check", "UPDATE message_previews SET previews = '[1, 2, 3, 4]'"],
  ["preview_tasks_pkey", "INSERT INTO preview_tasks (message_id, server_id, author_id) VALUES (@40, @10, @2)"],
  ["read_states_channel_id_fkey", "INSERT INTO read_states VALUES (@2, @99, now())"],
  ["read_states_pkey", "INSERT INTO read_states VALUES (@2, @20, now())"],
  ["dm_channels_pair_check", "INSERT INTO dm_channels (user_low, user_high) VALUES (@2, @1)"],
  ["dm_channels_pair_check", "INSERT INTO dm_channels (user_low, user_high) VALUES (@1, @1)"],
  ["dm_channels_user_low_user_high_key", "INSERT INTO dm_channels (user_low, user_high) VALUES (@1, @2)"],
  ["user_blocks_pkey", "INSERT INTO user_blocks (blocker_id, blocked_id) VALUES (@2, @3)"],
  ["user_blocks_blocked_id_check", "INSERT INTO user_blocks (blocker_id, blocked_id) VALUES (@1, @1)"],
  ["notification_settings_pkey", "INSERT INTO notification_settings (user_id) VALUES (@2)"],
  ["notification_settings_user_id_fkey", "INSERT INTO notification_settings (user_id) VALUES (@99)"],
  ["notification_settings_level_check", "UPDATE notification_settings SET level = 'some'"],
  ["notification_settings_quiet_check", "UPDATE notification_settings SET quiet_from = '22:00'"],
  ["notification_settings_quiet_check", "UPDATE notification_settings SET quiet_from = '24:00', quiet_to = '07:00'"],
  ["notification_settings_mail_check", "UPDATE notification_settings SET mail = 'weekly'"],
  ["notification_settings_mail_language_check", "UPDATE notification_settings SET mail_language = 'fr'"],
  ["notification_settings_mail_attempts_check", "UPDATE notification_settings SET mail_attempts = -1"],
  [
    "missed_messages_pkey",
    "INSERT INTO missed_messages (user_id, message_id, is_direct, created_at) VALUES (@2, @46, false, now())",
  ],
  ["missed_messages_user_id_fkey", "UPDATE missed_messages SET user_id = @99"],
  ["missed_message_marks_pkey", "INSERT INTO missed_message_marks (message_id, dm_message_id) VALUES (@46, @46)"],
  ["missed_message_marks_single_check", "UPDATE missed_message_marks SET id = 2"],
  [
    "notification_targets_pkey",
    "INSERT INTO notification_targets (user_id, kind, target_id) VALUES (@2, 'server', @10)",
  ],
  ["threads_pkey", "INSERT INTO threads SELECT * FROM threads"],
  ["threads_root_id_fkey", "UPDATE threads SET root_id = @99"],
  ["threads_title_check", "UPDATE threads SET title = ''"],
  ["inbox_changes_check", "INSERT INTO inbox_changes (user_id, root_id) VALUES (@2, @40)"],
  ["inbox_items_pkey", "INSERT INTO inbox_items (id, user_id, kind) VALUES (@43, @2, 'invite')"],
  ["inbox_items_kind_check", "UPDATE inbox_items SET kind = 'like', place_id = NULL"],
  ["inbox_items_place_check", "UPDATE inbox_items SET place_id = NULL"],
  ["inbox_items_reminder_check", "UPDATE inbox_items SET reminder_id = @94"],
  ["reminders_pkey", "INSERT INTO reminders SELECT * FROM reminders"],
  ["reminders_user_id_fkey", "UPDATE reminders SET user_id = @99"],
  ["reminders_text_check", "UPDATE reminders SET text = ''"],
  ["reminders_check", "UPDATE reminders SET message_id = NULL"],
  ["inboxes_pkey", "INSERT INTO inboxes (user_id) VALUES (@2)"],
  ["inboxes_user_id_fkey", "UPDATE inboxes SET user_id = @99"],
  ["inboxes_unread_check", "UPDATE inboxes SET unread = -1"],
  ["inbox_changes_pkey", "INSERT INTO inbox_changes (id, user_id) SELECT 0, @2::uuid FROM generate_series(1, 2)"],
  ["group_mentions_pkey", "INSERT INTO group_mentions SELECT * FROM group_mentions"],
  ["group_mentions_message_id_fkey", "UPDATE group_mentions SET message_id = @99"],
  ["group_mentions_bucket_check", "UPDATE group_mentions SET bucket = 256"],
  ["planned_messages_pkey", "INSERT INTO planned_messages SELECT * FROM planned_messages"],
  [
    "planned_messages_user_id_channel_id_nonce_key",
    "INSERT INTO planned_messages SELECT (jsonb_populate_record(p, jsonb_build_object('id', @96))).* FROM planned_messages p",
  ],
  ["planned_messages_user_id_fkey", "UPDATE planned_messages SET user_id = @99"],
  ["planned_messages_kind_check", "UPDATE planned_messages SET kind = 'group'"],
  ["planned_messages_content_check", "UPDATE planned_messages SET content = ''"],
  ["planned_messages_nonce_check", "UPDATE planned_messages SET nonce = ''"],
  ["planned_messages_check", "UPDATE planned_messages SET due_at = NULL"],
  ["saves_pkey", "INSERT INTO saves (user_id, message_id) VALUES (@2, @30)"],
  ["saves_user_id_fkey", "UPDATE saves SET user_id = @99"],
  ["saves_note_check", "UPDATE saves SET note = ''"],
  ["saves_note_check", "UPDATE saves SET note = repeat('x', 501)"],
  ["drafts_pkey", "INSERT INTO drafts SELECT * FROM drafts"],
  ["drafts_user_id_fkey", "UPDATE drafts SET user_id = @99"],
  ["drafts_content_check", "UPDATE drafts SET content = ''"],
  ["drafts_content_check", "UPDATE drafts SET content = repeat('x', 4001)"],
  ["notification_targets_user_id_fkey", "UPDATE notification_targets SET user_id = @99"],
  ["notification_targets_kind_check", "UPDATE notification_targets SET kind = 'role'"],
  ["notification_targets_level_check", "UPDATE notification_targets SET level = 'some'"],
  ["push_keys_pkey", "INSERT INTO push_keys (public_key, private_key) VALUES ('p', 'k')"],
  ["push_keys_id_check", "UPDATE push_keys SET id = 2"],
  [
    "push_subscriptions_pkey",
    "INSERT INTO push_subscriptions (id, user_id, endpoint, p256dh, auth) SELECT id, @2, 'x', 'p', 'a' FROM push_subscriptions",
  ],
  [
    "push_subscriptions_endpoint_key",
    "INSERT INTO push_subscriptions (user_id, endpoint, p256dh, auth) VALUES (@3, 'https://push.example/1', 'p', 'a')",
  ],
  ["push_subscriptions_endpoint_check", "UPDATE push_subscriptions SET endpoint = repeat('x', 2049)"],
  ["push_subscriptions_user_id_fkey", "UPDATE push_subscriptions SET user_id = @99"],
  ["pushes_pkey", "INSERT INTO pushes (subscription_id, message_id, channel_id) VALUES (@1, @40, @20)"],
  [
    "pushed_channels_pkey",
    "INSERT INTO pushed_channels (subscription_id, channel_id, pushed_at, message_at) VALUES (@1, @20, now(), now())",
  ],
  ["friendships_pkey", "INSERT INTO friendships (user_low, user_high, requested_by) VALUES (@1, @2, @1)"],
  ["friendships_user_low_check", "INSERT INTO friendships (user_low, user_high, requested_by) VALUES (@3, @2, @2)"],
  ["friendships_requested_by_check", "UPDATE friendships SET requested_by = @3"],
  ["users_dms_from_check", "UPDATE users SET dms_from = 'nobody'"],
  ["dm_channels_kind_check", "INSERT INTO dm_channels (user_low) VALUES (@1)"],
  ["dm_channels_kind_check", "INSERT INTO dm_channels (user_high) VALUES (@1)"],
  ["dm_channels_kind_check", "UPDATE dm_channels SET name = 'two' WHERE id = @70"],
  ["dm_channels_kind_check", "UPDATE dm_channels SET icon_url = '/media/x' WHERE id = @70"],
  ["dm_channels_name_check", "INSERT INTO dm_channels (name) VALUES ('')"],
  ["dm_channels_name_check", "INSERT INTO dm_channels (name) VALUES (repeat('a', 101))"],
  ["dm_group_members_pkey", "INSERT INTO dm_group_members (channel_id, user_id, position) VALUES (@77, @1, 3)"],
  ["dm_group_members_position_check", "UPDATE dm_group_members SET position = position - 1"],
  [
    "dm_group_members_channel_id_position_key",
    "INSERT INTO dm_group_members (channel_id, user_id, position) VALUES (@77, @3, 2)",
  ],
  ["dm_messages_content_check", "UPDATE dm_messages SET content = repeat('a', 4001)"],
  ["deleted_dm_messages_pkey", "INSERT INTO deleted_dm_messages (id, channel_id) VALUES (@72, @70)"],
  ["dm_reactions_pkey", "INSERT INTO dm_reactions (message_id, emoji, user_id) VALUES (@71, '👍', @1)"],
  ["dm_reactions_emoji_check", "INSERT INTO dm_reactions (message_id, emoji, user_id) VALUES (@71, '', @2)"],
  ["dm_attachments_filename_check", "UPDATE dm_attachments SET filename = repeat('a', 256)"],
  ["dm_attachments_stored_name_check", "UPDATE dm_attachments SET stored_name = repeat('a', 32) || '_../a'"],
  ["dm_attachments_file_size_check", "UPDATE dm_attachments SET file_size = 0"],
  ["dm_attachments_dimensions_check", "UPDATE dm_attachments SET width = 1"],
  [
    "dm_attachments_message_id_stored_name_key",
    "INSERT INTO dm_attachments (message_id, filename, stored_name, file_size, mime_type) SELECT message_id, filename, stored_name, 1, 'x' FROM dm_attachments",
  ],
  [
    "dm_attachments_upload_id_stored_name_key",
    "INSERT INTO dm_attachments (id, message_id, upload_id, filename, stored_name, file_size, mime_type) SELECT @74::uuid, @75::uuid, upload_id, filename, stored_name, 1, 'x' FROM dm_attachments",
  ],
  ["message_nonces_pkey", "INSERT INTO message_nonces VALUES (@2, @20, 'a', @40), (@2, @20, 'a', @44)"],
  ["message_nonces_nonce_check", "INSERT INTO message_nonces VALUES (@2, @20, '', @40)"],
  ["message_nonces_nonce_check", "INSERT INTO message_nonces VALUES (@2, @20, repeat('a', 65), @40)"],
  ["dm_read_states_pkey", "INSERT INTO dm_read_states VALUES (@2, @70, now())"],
  ["timeouts_server_id_fkey", "INSERT INTO timeouts (server_id, user_id, expires_at) VALUES (@99, @3, now())"],
  ["timeouts_pkey", insertServer("timeouts", "user_id, expires_at, created_by", "@3, now(), @1")],
  ["timeouts_reason_check", "UPDATE timeouts SET reason = repeat('a', 513)"],
  ["bans_server_id_fkey", "INSERT INTO bans (server_id, user_id) VALUES (@99, @3)"],
  ["bans_pkey", "INSERT INTO bans (server_id, user_id) VALUES (@11, @3)"],
  [
    "ban_purges_pkey",
    "INSERT INTO ban_purges (server_id, user_id, since) SELECT @10::uuid, @3::uuid, now() FROM generate_series(1, 2)",
  ],
  ["bans_reason_check", "UPDATE bans SET reason = repeat('a', 513)"],
  ["server_safety_pkey", "INSERT INTO server_safety (server_id) VALUES (@10), (@10)"],
  ["server_safety_min_account_age_minutes_check", safety("min_account_age_minutes", "525601")],
  ["server_safety_min_membership_minutes_check", safety("min_membership_minutes", "-1")],
  ["server_safety_rules_check", safety("rules, rules_since", "repeat('x', 4001), now()")],
  ["server_safety_rules_check", safety("rules, rules_since", "'', now()")],
  ["server_safety_rules_since_check", safety("rules", "'Be kind.'")],
  ["server_safety_raid_joins_per_minute_check", safety("raid_joins_per_minute", "0")],
  ["server_safety_raid_new_accounts_hours_check", safety("raid_new_accounts_hours", "8761")],
  ["server_safety_raid_minutes_check", safety("raid_minutes", "1441")],
  ["server_safety_raid_check", safety("raid_until", "now()")],
  [
    "raid_joins_pkey",
    "INSERT INTO raid_joins (server_id, user_id, joined_at) SELECT @10::uuid, @1::uuid, now() FROM generate_series(1, 2)",
  ],
  ["audit_log_entries_target_type_check", "UPDATE audit_log_entries SET target_type = 'message'"],
  ["audit_log_entries_details_check", "UPDATE audit_log_entries SET details = '[]'"],
  ["automod_configs_pkey", "INSERT INTO automod_configs (server_id) VALUES (@10)"],
  ["automod_configs_spam_max_messages_check", automod("spam_max_messages", "51")],
  ["automod_configs_spam_window_secs_check", automod("spam_window_secs", "0")],
  ["automod_configs_spam_action_check", automod("spam_action", "'warn'")],
  ["automod_configs_word_filter_action_check", automod("word_filter_action", "'warn'")],
  ["automod_configs_timeout_minutes_check", automod("timeout_minutes", "10081")],
  ["automod_words_word_check", "UPDATE automod_words SET word = ''"],
  ["automod_words_server_id_word_key", insertServer("automod_words", "word", "'zugzwang'")],
  ["automod_rules_name_check", rule("name", "''")],
  ["automod_rules_trigger_check", rule("trigger", "'[]'")],
  ["automod_rules_actions_check", rule("actions", "'[]'")],
  ["automod_logs_rule_type_check", "UPDATE automod_logs SET rule_type = 'caps'"],
  ["automod_logs_rule_type_check", "UPDATE automod_logs SET rule_id = server_id"],
  ["automod_logs_action_taken_check", "UPDATE automod_logs SET action_taken = 'block'"],
  ["automod_logs_action_taken_check", "UPDATE automod_logs SET action_taken = 'warn'"],
  ["automod_logs_matched_term_check", "UPDATE automod_logs SET matched_term = 'x'"],
  [
    "automod_logs_message_id_key",
    insertServer(
      "automod_logs",
      "username, rule_type, action_taken, message_content, message_id",
      "'bob', 'spam', 'delete', 'x', @40",
    ),
  ],
  [
    "automod_logs_judgement_id_key",
    insertServer(
      "automod_logs",
      "username, rule_type, action_taken, message_content, judgement_id",
      "'bob', 'spam', 'delete', 'x', @78",
    ),
  ],
  ["reports_target_type_check", "UPDATE reports SET target_type = 'user'"],
  ["reports_target_type_check", "UPDATE reports SET server_id = NULL"],
  ["reports_reporters_check", "UPDATE reports SET reporters = array_fill(@1::uuid, ARRAY[26])"],
  ["reports_reporters_check", "UPDATE reports SET reasons = array_fill('x'::text, ARRAY[26])"],
  ["reports_category_check", "UPDATE reports SET category = 'boring'"],
  ["reports_source_check", "UPDATE reports SET source = 'webhook'"],
  ["reports_status_check", "UPDATE reports SET status = 'closed'"],
  ["reports_status_check", "UPDATE reports SET status = 'kept', closed_at = now()"],
  ["reports_note_check", "UPDATE reports SET note = repeat('a', 1001)"],
  ["reports_server_id_fkey", report("@99, 'message', @40")],
  ["reports_target_key", report("@10, 'message', @40")],
  ["reports_target_key", `${report("NULL, 'user', @2")}, (NULL, 'user', @2, 'other', 'member')`],
  ["member_notes_text_check", "UPDATE member_notes SET text = ''"],
  ["member_notes_text_check", "UPDATE member_notes SET text = repeat('a', 2001)"],
  ["member_notes_server_id_fkey", "INSERT INTO member_notes (server_id, user_id, text) VALUES (@99, @2, 'x')"],
  ["bots_token_hash_check", "UPDATE bots SET token_hash = 'x'"],
  ["bots_token_hash_key", "INSERT INTO bots (user_id, name, token_hash) VALUES (@3, 'x', repeat('1', 64))"],
  ["bots_requested_permissions_check", "UPDATE bots SET requested_permissions = 32768"],
  ["bots_interactions_url_check", "UPDATE bots SET interactions_url = 'https://example.com'"],
  ["bots_interactions_secret_check", "UPDATE bots SET interactions_url = 'x', interactions_secret = 'x'"],
  ["app_commands_name_check", "UPDATE app_commands SET name = 'Play'"],
  ["app_commands_context_check", "UPDATE app_commands SET context = 'channel'"],
  ["app_commands_options_check", "UPDATE app_commands SET options = '{}'"],
  ["app_commands_default_permissions_check", "UPDATE app_commands SET default_permissions = -1"],
  ["app_commands_form_check", "UPDATE app_commands SET form = '[]'"],
  [
    "app_commands_bot_id_context_name_key",
    `INSERT INTO app_commands (bot_id, position, name, description, context, options)
      VALUES (@78, 1, 'play', 'x', 'server', '[]')`,
  ],
  [
    "interactions_pkey",
    `INSERT INTO interactions (id, bot_user_id, user_id, server_id, channel_id, type, name, due_at, expires_at)
      VALUES (@92, @4, @2, @10, @20, 'command', 'play', now(), now())`,
  ],
  ["interactions_type_check", "UPDATE interactions SET type = 'x'"],
  ["interactions_state_check", "UPDATE interactions SET state = 'x', due_at = NULL"],
  ["interactions_due_at_check", "UPDATE interactions SET state = 'answered'"],
  ["bots_user_id_key", "INSERT INTO bots (user_id, name, token_hash) VALUES (@4, 'x', repeat('3', 64))"],
  ["incoming_webhooks_name_check", "UPDATE incoming_webhooks SET name = ''"],
  ["incoming_webhooks_token_hash_check", "UPDATE incoming_webhooks SET token_hash = 'x'"],
  [
    "incoming_webhooks_user_id_key",
    "INSERT INTO incoming_webhooks (server_id, channel_id, user_id, name, token_hash) VALUES (@10, @20, @95, 'x', repeat('4', 64))",
  ],
  ["webhooks_event_types_check", "UPDATE webhooks SET event_types = '{}'"],
  ["webhooks_event_types_check", "UPDATE webhooks SET event_types = '{message.created,ping}'"],
  ["webhooks_secret_check", "UPDATE webhooks SET secret = 'x'"],
  ["webhooks_delivery_failures_check", "UPDATE webhooks SET delivery_failures = -1"],
  ["webhook_deliveries_status_check", "UPDATE webhook_deliveries SET status = 'lost'"],
  ["webhook_deliveries_attempts_check", "UPDATE webhook_deliveries SET attempts = 4"],
  [
    "webhook_backlogs_pkey",
    "INSERT INTO webhook_backlogs (webhook_id, from_sequence) SELECT id, 1 FROM webhooks, generate_series(1, 2)",
  ],
];

test.each(violations)("the constraint %s refuses: %s", async (constraint, sql) => {
  await expect(client.query(withIds(sql))).rejects.toMatchObject({ constraint });
});

test("every CHECK and every unique index has a case above", async () => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT conname AS name FROM pg_constraint WHERE contype = 'c' AND connamespace = 'public'::regnamespace
     UNION SELECT relname FROM pg_class JOIN pg_index ON indexrelid = oid
       WHERE indisunique AND relnamespace = 'public'::regnamespace
         -- Keys of generated ids cannot be violated; (id, …) exists only to be referenced.
         AND pg_get_indexdef(oid) !~ '\\((id|id, [a-z_]+)\\)$'`,
  );
  const covered = new Set(violations.map(([constraint]) => constraint));
  expect(rows.map(({ name }) => name).filter((name) => !covered.has(name))).toEqual([]);
});

test.each([
  ["usernames that differ in case", "INSERT INTO users (username) VALUES ('Ann')"],
  ["any number of accounts without e-mail", "INSERT INTO users (username) VALUES ('eve'), ('fay')"],
  ["4000 code points outside the basic plane", insertMessage("", "repeat('😀', 4000)")],
  [
    "a nonce of 64 code points outside the basic plane",
    "INSERT INTO message_nonces VALUES (@2, @20, repeat('😀', 64), @40)",
  ],
  [
    "the nonces of others, and of other channels",
    "INSERT INTO message_nonces VALUES (@1, @20, 'a', @40), (@2, @20, 'a', @40), (@2, @70, 'a', @71)",
  ],
  [
    "a direct message without text, and a reply to one that is gone",
    "UPDATE dm_messages SET content = '', reply_to = @99",
  ],
  ["a reaction of 64 bytes", "INSERT INTO reactions (message_id, emoji, user_id) VALUES (@40, repeat('é', 32), @2)"],
  ["the same emoji name on another server", "UPDATE custom_emojis SET server_id = @11"],
  ["an invite without a limit", "UPDATE invites SET max_uses = NULL, uses = 1000"],
  ["a pin whose author is gone", "UPDATE messages SET pinned_by = NULL WHERE pinned"],
  ["a report of the same name in another server", report("@11, 'message', @40")],
  ["any number of automod log entries that judge no stored message", "UPDATE automod_logs SET message_id = NULL"],
])("accepts %s", async (_, sql) => {
  await expect(client.query(withIds(sql))).resolves.toMatchObject({ rowCount: expect.any(Number) });
});
