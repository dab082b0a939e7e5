-- A small world for the tests of the schema's rules. @n stands for a fixed UUID.
INSERT INTO users (id, username, email) VALUES (@1, 'ann', 'ann@example.org'), (@2, 'bob', NULL), (@3, 'cid', NULL), (@4, 'cid-bot-00000000', NULL);
INSERT INTO refresh_sessions (id, user_id, family_id, token_hash, expires_at) VALUES (@5, @2, @5, repeat('0', 64), now());
INSERT INTO servers (id, name, owner_id) VALUES (@10, 'Chess', @1), (@11, 'Go', @1);
INSERT INTO members (server_id, user_id) VALUES (@10, @1), (@10, @2), (@10, @3), (@11, @1), (@11, @2);
INSERT INTO channels (id, server_id, name, position) VALUES (@20, @10, 'general', 0), (@21, @11, 'general', 0);
INSERT INTO roles (id, server_id, name, position) VALUES (@30, @10, 'mod', 1), (@31, @11, 'mod', 1);
INSERT INTO member_roles (server_id, user_id, role_id) VALUES (@10, @2, @30);
INSERT INTO server_onboardings (server_id, enabled, channels, questions) VALUES (@10, true, '[]', '[]');
INSERT INTO onboarding_gifts (server_id, user_id, role_ids, channel_ids) VALUES (@10, @2, '{}', '{}');
INSERT INTO channel_overrides (channel_id, role_id, user_id, allow, deny) VALUES (@20, @30, NULL, 1, 2), (@20, NULL, @2, 1, 2);
INSERT INTO invites (id, server_id, code, created_by, max_uses, uses) VALUES (@60, @10, 'abcdEF12', @2, 1, 1);
INSERT INTO custom_emojis (server_id, name, created_by, content_type, file_size) VALUES (@10, 'blob', @2, 'image/png', 10);
INSERT INTO messages (id, channel_id, server_id, author_id, content) VALUES
  (@40, @20, @10, @2, 'a root'), (@41, @20, @10, @1, 'a poll'), (@42, @20, @10, @1, 'another poll'), (@46, @21, @11, @1, 'elsewhere');
INSERT INTO messages (id, channel_id, server_id, author_id, content, reply_to, thread_id) VALUES
  (@43, @20, @10, @1, 'an answer', @40, NULL), (@44, @20, @10, @2, 'a reply', NULL, @40), (@45, @20, @10, @1, 'a reply', NULL, @40);
UPDATE messages SET pinned = true, pinned_by = @2, pinned_at = now() WHERE id = @41;
INSERT INTO reactions (message_id, emoji, user_id) VALUES (@40, '👍', @2);
INSERT INTO polls (id, message_id, question) VALUES (@50, @41, 'e4?'), (@52, @42, 'd4?');
INSERT INTO poll_options (id, poll_id, position, text) VALUES (@51, @50, 0, 'yes'), (@53, @52, 0, 'yes');
INSERT INTO poll_votes (poll_id, user_id, option_id) VALUES (@50, @2, @51);
INSERT INTO scheduled_events (id, message_id, channel_id, name, starts_at, created_by, created_at)
  VALUES (@54, @42, @20, 'Blitz', now(), @2, now()), (@55, @43, @20, 'Bullet', now(), @2, now());
INSERT INTO event_interests (event_id, user_id) VALUES (@54, @2);
INSERT INTO calendars (user_id, secret_hash) VALUES (@2, 'hash');
INSERT INTO attachments (message_id, filename, stored_name, file_size, mime_type) VALUES (@40, 'a.png', repeat('a', 32) || '_a.png', 1, 'image/png');
INSERT INTO message_previews (message_id, previews) VALUES (@40, '[{}]');
INSERT INTO preview_tasks (message_id, server_id, author_id) VALUES (@40, @10, @2);
INSERT INTO read_states (user_id, channel_id, last_read_at) VALUES (@2, @20, now());
INSERT INTO dm_channels (id, user_low, user_high) VALUES (@70, @1, @2);
INSERT INTO dm_messages (id, channel_id, author_id, content) VALUES (@71, @70, @2, 'hello');
INSERT INTO deleted_dm_messages (id, channel_id) VALUES (@72, @70);
INSERT INTO dm_reactions (message_id, emoji, user_id) VALUES (@71, '👍', @1);
INSERT INTO dm_attachments (message_id, upload_id, filename, stored_name, file_size, mime_type) VALUES (@71, @73, 'a.png', repeat('a', 32) || '_a.png', 1, 'image/png');
INSERT INTO dm_channels (id, name) VALUES (@77, 'group');
INSERT INTO dm_group_members (channel_id, user_id, position) VALUES (@77, @1, 1), (@77, @2, 2);
INSERT INTO dm_read_states (user_id, channel_id, last_read_at) VALUES (@2, @70, now());
INSERT INTO user_blocks (blocker_id, blocked_id) VALUES (@2, @3);
INSERT INTO notification_settings (user_id) VALUES (@2);
INSERT INTO notification_targets (user_id, kind, target_id) VALUES (@2, 'server', @10);
INSERT INTO planned_messages (id, user_id, kind, channel_id, content, nonce, send_at, due_at) VALUES (@95, @2, 'channel', @20, 'x', 'n', now(), now());
INSERT INTO inbox_items (id, user_id, kind, channel_id, place_id, message_id, by_id) VALUES (@43, @2, 'reply', @20, @20, @43, @1);
INSERT INTO inboxes (user_id) VALUES (@2);
INSERT INTO group_mentions (message_id, bucket, by_role, user_ids) VALUES (@40, 0, true, ARRAY[@2]::uuid[]);
INSERT INTO reminders (id, user_id, message_id, due_at) VALUES (@94, @2, @40, now());
INSERT INTO saves (user_id, message_id) VALUES (@2, @30);
INSERT INTO drafts (user_id, place_id, channel_id, content, updated_at, announced_at) VALUES (@2, @20, @20, 'x', now(), now());
INSERT INTO push_keys (public_key, private_key) VALUES ('p', 'k');
INSERT INTO push_subscriptions (user_id, endpoint, p256dh, auth) VALUES (@2, 'https://push.example/1', 'p', 'a');
INSERT INTO passkeys (user_id, credential_id, public_key, counter, transports, backed_up, name)
  VALUES (@2, '\x01', '\x01', 0, '{}', false, 'phone');
INSERT INTO pushes (subscription_id, message_id, channel_id) VALUES (@1, @40, @20);
INSERT INTO pushed_channels (subscription_id, channel_id, pushed_at, message_at) VALUES (@1, @20, now(), now());
INSERT INTO missed_messages (user_id, message_id, is_direct, created_at) VALUES (@2, @46, false, now());
INSERT INTO friendships (user_low, user_high, requested_by) VALUES (@1, @2, @2);
INSERT INTO timeouts (server_id, user_id, expires_at, created_by) VALUES (@10, @3, now(), @2);
INSERT INTO bans (server_id, user_id, banned_by) VALUES (@11, @3, @2);
INSERT INTO audit_log_entries (id, server_id, actor_id, action) VALUES (@75, @10, @2, 'channel_create');
INSERT INTO automod_configs (server_id) VALUES (@10);
INSERT INTO automod_words (id, server_id, word, created_by) VALUES (@76, @10, 'zugzwang', @2);
INSERT INTO automod_logs (id, server_id, channel_id, user_id, username, rule_type, action_taken, message_content, message_id, judgement_id) VALUES (@77, @10, @20, @2, 'bob', 'spam', 'delete', 'x', @40, @78);
INSERT INTO reports (id, server_id, target_type, target_id, channel_id, author_id, content, reporters, reasons, category, source, closed_by)
  VALUES (@90, @10, 'message', @40, @20, @2, 'a root', ARRAY[@3]::uuid[], '{rude}', 'other', 'member', @1);
INSERT INTO member_notes (id, server_id, user_id, author_id, text) VALUES (@91, @10, @2, @1, 'warned');
INSERT INTO bots (id, user_id, name, created_by, token_hash) VALUES (@78, @4, 'Cid', @2, repeat('1', 64));
INSERT INTO interactions (id, bot_user_id, user_id, server_id, channel_id, type, name, due_at, expires_at)
  VALUES (@92, @4, @2, @10, @20, 'command', 'play', now(), now());
INSERT INTO app_commands (id, bot_id, position, name, description, context, options) VALUES (@79, @78, 0, 'play', 'Plays', 'server', '[]');
INSERT INTO webhooks (id, server_id, created_by, name, url, event_types, secret) VALUES (@80, @10, @2, 'hook', 'https://example.org', '{message.created}', repeat('2', 64));
INSERT INTO users (id, username, is_webhook) VALUES (@95, 'builds-webhook-00000000', true);
INSERT INTO incoming_webhooks (id, server_id, channel_id, user_id, created_by, name, token_hash) VALUES (@96, @10, @20, @95, @2, 'Builds', repeat('3', 64));
INSERT INTO webhook_deliveries (webhook_id, event, body) VALUES (@80, 'ping', '{}');
INSERT INTO users (id, username, imported) VALUES (@100, 'old_ada', true), (@103, 'old_eve', true);
INSERT INTO imports (id, state, filename, size, created_by) VALUES (@101, 'done', 'a.zip', 1, @2);
INSERT INTO import_parts (import_id, number, upload_id, size) VALUES (@101, 0, @102, 1);
INSERT INTO import_records (import_id, number, kind, external_id, place, data) VALUES (@101, 1, 'person', 'a', 1, '{}');
INSERT INTO import_items (workspace, kind, external_id, target_id, import_id) VALUES ('slack:T', 'person', 'a', @100, @101);
INSERT INTO import_people (id, workspace, external_id, name, claimed_by, code_hash, code_expires_at)
  VALUES (@100, 'slack:T', 'a', 'Ada', @2, repeat('0', 64), now());
INSERT INTO import_mentions (person_id, message_id) VALUES (@100, @40);
