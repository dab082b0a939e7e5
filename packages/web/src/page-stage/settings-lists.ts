import type {
  AdminLogEntry,
  AdminServer,
  AdminUser,
  AuditLogEntry,
  AutomodConfig,
  AutomodLogEntry,
  Ban,
  Bot,
  Invite,
  Passkey,
  Report,
  Safety,
  SearchReindexing,
  Webhook,
} from "@parley/client";
import type { FakeServer } from "./fake-server.js";
import { type Community, madeAt, newId, type Person } from "./fixtures.js";

// Data for the sections of all settings, with one of each in every list.

/** A reindexing of the search that runs. */
export const reindexing = (): SearchReindexing => ({
  state: "running",
  done: 40_000,
  total: 100_000,
  started_at: madeAt,
  finished_at: null,
});

/** Answers the requests of a server's settings; `other` appears in the lists, as actor or as target. */
export function answerServerSettings(server: FakeServer, { server: { id, owner_id } }: Community, other: Person): void {
  const about = { id: newId(), server_id: id, created_at: madeAt };
  const invite: Invite = { ...about, code: "Qu33nSid", created_by: owner_id, max_uses: 5, uses: 1, expires_at: null };
  const ban: Ban = {
    server_id: id,
    user_id: newId(),
    banned_by: owner_id,
    reason: "Came back loud",
    created_at: madeAt,
  };
  const logged: AuditLogEntry = {
    ...{ ...about, actor_id: owner_id, action: "member_ban", target_type: "user", target_id: other.id },
    ...{ details: { reason: "Came back loud" }, ip_address: null },
  };
  const automod: AutomodConfig = {
    ...{ server_id: id, enabled: true, spam_enabled: true, spam_max_messages: 5, spam_window_secs: 5 },
    ...{ spam_action: "delete", duplicate_enabled: false, word_filter_enabled: true, word_filter_action: "delete" },
    ...{ timeout_minutes: 10, updated_at: madeAt },
  };
  const stopped: AutomodLogEntry = {
    ...{ ...about, channel_id: null, user_id: other.id, username: other.username, rule_type: "word_filter" },
    ...{ action_taken: "delete", message_content: "something rude", matched_term: "rude" },
  };
  const bridge: Webhook = {
    ...{ ...about, created_by: owner_id, name: "Bridge", url: "https://example.com/hook", enabled: true },
    ...{ event_types: ["message.created"], delivery_failures: 0, last_used_at: null, updated_at: madeAt },
  };
  const report: Report = {
    ...{ ...about, author_id: other.id, content: "something rude", attachments: 0, reporters: [owner_id] },
    ...{ reasons: ["it hurts"], category: "harassment", source: "member", status: "open", closed_by: null, note: null },
    ...{ closed_at: null, message_id: null, channel_id: null },
  };
  const safety: Safety = {
    ...{ min_account_age_minutes: 0, min_membership_minutes: 0, require_verified_email: false, rules: "Touch, move." },
    ...{ rules_for_all: false, raid_shield: true, raid_joins_per_minute: 10, raid_new_accounts_hours: 24 },
    raid_minutes: 30,
  };
  server.on("GET /servers/:id/retention", () => ({ retention_days: null, instance_retention_days: null }));
  server.on("GET /servers/:id/invites", () => [invite]);
  server.on("GET /servers/:id/storage", () => ({ used: 2_500_000_000, quota: 50_000_000_000, files: 1 }));
  server.on("GET /servers/:id/insights", () => ({
    days: [
      {
        date: "2026-10-24",
        ...{ joins: 3, leaves: 1, members: 310, active_members: 8, writers: 4, messages: 1_000 },
      },
    ],
    channels: [{ channel_id: newId(), messages: 1_000, writers: 4 }],
    invites: [{ code: "chess", joins: 3, still_members: 2 }],
  }));
  server.on("GET /servers/:id/files", () => ({
    files: [
      {
        ...{ id: newId(), message_id: newId(), channel_id: newId(), filename: "opening.pdf", file_size: 12_345 },
        ...{ mime_type: "application/pdf", url: "/files/opening.pdf", width: null, height: null, created_at: madeAt },
      },
    ],
    next: null,
  }));
  const [asked, answer] = ["What do you play?", "Blitz"];
  server.on("GET /servers/:id/onboarding", () => ({
    ...{ enabled: true, welcome: "Hello!", channels: [] },
    questions: [
      {
        ...{ id: newId(), title: asked, single: true, required: false },
        options: [{ id: newId(), title: answer, emoji: "⚡", role_ids: [], channel_ids: [] }],
      },
    ],
  }));
  server.on("GET /servers/:id/bans", () => [ban]);
  server.on("GET /servers/:id/safety", () => safety);
  server.on("GET /servers/:id/incoming-webhooks", ({ params: { id: of = "" } }) => ({
    webhooks: [{ id: of, name: "Builds", channel_id: newId(), avatar_url: null, created_by: null, created_at: madeAt }],
  }));
  server.on("GET /servers/:id/webhooks", () => ({ webhooks: [bridge] }));
  server.on("GET /servers/:id/webhooks/:webhook/deliveries", () => ({
    deliveries: [
      {
        ...{ id: newId(), webhook_id: bridge.id, event: "message.created", status: "delivered", attempts: 1 },
        ...{ response_status: 200, duration_ms: 12, error: null, created_at: madeAt, finished_at: madeAt },
      },
    ],
  }));
  server.on("GET /servers/:id/reports", () => [report]);
  server.on("GET /servers/:id/audit-logs", () => [logged]);
  server.on("GET /servers/:id/automod", () => automod);
  server.on("GET /servers/:id/automod/words", () => [{ ...about, word: "rude", created_by: owner_id }]);
  server.on("GET /servers/:id/automod/rules", () => []);
  server.on("GET /servers/:id/automod/logs", () => [stopped]);
  server.on("GET /channels/:id/overrides", () => []);
}

/** Answers the requests of an account's settings. */
export function answerAccount(server: FakeServer): void {
  const passkey: Passkey = { id: newId(), name: "Laptop", created_at: madeAt, last_used_at: null, backed_up: false };
  const bot: Bot = {
    ...{ id: newId(), user_id: newId(), name: "Chess", description: "Plays chess", created_by: null, revoked_at: null },
    ...{ created_at: madeAt, is_public: false, requested_permissions: 0, interactions_url: null },
  };
  server.on("GET /instance/sign-in", () => ({ password: true, oidc: null, passkeys: true }));
  server.on("GET /instance/push-key", () => ({ public_key: "BAAA" }));
  server.on("GET /users/@me/push-subscriptions", () => ({ subscriptions: [] }));
  server.on("GET /users/@me/storage", () => ({ used: 4_800_000_000, quota: 5_000_000_000, files: 12 }));
  server.on("GET /auth/email", () => ({ email: "ada@example.com", verified: true }));
  server.on("GET /auth/passkeys", () => [passkey]);
  server.on("GET /auth/second-factor", () => ({ active: true, recovery_codes_left: 9 }));
  server.on("GET /auth/sessions", () => [
    { id: newId(), user_agent: "node", created_at: madeAt, last_used_at: madeAt, expires_at: madeAt, current: true },
  ]);
  server.on("GET /bots", () => ({ bots: [bot] }));
}

/** Answers the requests of the installation's administration. */
export function answerAdministration(server: FakeServer, admin: Person): void {
  const lena: AdminUser = {
    ...{ id: newId(), username: "lena", email: null, avatar_url: null, status: "online", is_admin: false },
    ...{ disabled: false, disabled_at: null, created_at: madeAt, server_count: 1, message_count: 2 },
  };
  const club: AdminServer = {
    ...{ id: newId(), name: "Chess club", owner_id: lena.id, owner_username: "lena", icon_url: null, is_public: true },
    ...{ member_count: 1, channel_count: 1, message_count: 2, created_at: madeAt },
  };
  const entry: AdminLogEntry = {
    ...{ id: newId(), admin_id: admin.id, action: "settings_update", target_type: "settings", target_id: null },
    ...{ details: {}, created_at: madeAt },
  };
  const page = { total: 1, page: 1, per_page: 50 };
  server.on("GET /admin/stats", () => ({
    ...{ total_users: 2, total_servers: 1, total_messages: 2, total_channels: 1, active_ws_connections: 1 },
    ...{ uptime_secs: 60, db_latency_ms: 1, storage_bytes: 0 },
  }));
  server.on("GET /admin/search-reindexing", reindexing);
  server.on("GET /admin/users", () => ({ users: [lena], ...page }));
  server.on("GET /admin/servers", () => ({ servers: [club], ...page }));
  server.on("GET /admin/reports", () => [
    {
      ...{ id: newId(), author_id: lena.id, content: "something rude", attachments: 0, reporters: [admin.id] },
      ...{ reasons: ["it hurts"], category: "harassment", source: "member", status: "open", closed_by: null },
      ...{ note: null, created_at: madeAt, closed_at: null, target_type: "user", target_id: lena.id },
    },
  ]);
  server.on("GET /admin/registrations", () => ({
    registrations: [
      {
        ...{ user_id: newId(), username: "omar", email: "omar@example.org", application: "I play on Sundays." },
        ...{ created_at: madeAt, network: "192.0.2.0/24" },
      },
    ],
    total: 1,
  }));
  server.on("GET /admin/network-bans", () => ({
    bans: [
      {
        ...{ id: newId(), cidr: "198.51.100.0/24", reason: "Spam", expires_at: null, created_by: admin.id },
        created_at: madeAt,
      },
    ],
    total: 1,
  }));
  server.on("GET /admin/imports", () => ({ imports: [] }));
  server.on("GET /admin/settings", () => ({ id: 1, registration_mode: "open", updated_at: madeAt, updated_by: null }));
  server.on("GET /admin/audit-log", () => [entry]);
}
