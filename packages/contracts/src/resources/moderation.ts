import { z } from "zod";
import { timestamp, uuid } from "./identifiers.js";

/** Reason of a moderation action. */
export const reason = z.string().nullable().meta({ maxLength: 512, example: "Spam" });

/** A timeout of a member (docs/protocol/objects.md#4.21). */
export const Timeout = z
  .object({
    user_id: uuid,
    server_id: uuid,
    expires_at: timestamp,
    reason,
    created_by: uuid.nullable(),
    created_at: timestamp,
  })
  .meta({ id: "Timeout" });
export type Timeout = z.infer<typeof Timeout>;

/** A ban (docs/protocol/objects.md#4.22). */
export const Ban = z
  .object({
    user_id: uuid,
    server_id: uuid,
    banned_by: uuid.nullable(),
    reason,
    created_at: timestamp,
    expires_at: timestamp.optional().meta({ description: "When it ends by itself; no key without such a time" }),
  })
  .meta({ id: "Ban" });
export type Ban = z.infer<typeof Ban>;

/** Answer of a ban of many at once (docs/protocol/moderation.md#24.4). */
export const BulkBan = z
  .object({
    banned: z.array(uuid).meta({ description: "Users who are banned now" }),
    failed: z.array(
      z.object({
        user_id: uuid,
        error: z.string().meta({ description: "Text that the ban of this user alone is answered with" }),
      }),
    ),
  })
  .meta({ id: "BulkBan" });
export type BulkBan = z.infer<typeof BulkBan>;

/** The actions of the audit log, each with its target type (docs/protocol/moderation.md#10.4). */
export const auditActions = {
  member_kick: "user",
  member_ban: "user",
  member_timeout: "user",
  member_timeout_remove: "user",
  member_unban: "user",
  member_nickname: "user",
  member_role_add: "user",
  member_role_remove: "user",
  voice_mute: "user",
  voice_deafen: "user",
  voice_move: "user",
  voice_disconnect: "user",
  server_create: "server",
  server_update: "server",
  server_retention_update: "server",
  server_safety_update: "server",
  server_onboarding_update: "server",
  server_delete: "server",
  owner_change: "server",
  channel_create: "channel",
  channel_update: "channel",
  channel_delete: "channel",
  message_bulk_delete: "channel",
  channel_override_update: "channel",
  channel_override_delete: "channel",
  role_create: "role",
  role_update: "role",
  role_delete: "role",
  invite_create: "invite",
  invite_revoke: "invite",
  vanity_set: "invite",
  vanity_remove: "invite",
  bot_add: "user",
  incoming_webhook_create: "incoming_webhook",
  incoming_webhook_update: "incoming_webhook",
  incoming_webhook_delete: "incoming_webhook",
  report_close: "report",
  raid_start: "server",
  raid_end: "server",
} as const;
export type AuditAction = keyof typeof auditActions;

/** Actions of administrators, each with the kind of its target. */
export const adminActions = {
  user_update: "user",
  user_delete: "user",
  password_reset: "user",
  server_delete: "server",
  server_update: "server",
  settings_update: "settings",
  registration_approve: "user",
  registration_decline: "user",
  network_ban_create: "settings",
  network_ban_delete: "settings",
  search_reindexing_pause: "settings",
  search_reindexing_resume: "settings",
  report_close: "report",
  import_create: "import",
  import_start: "import",
  import_pause: "import",
  import_resume: "import",
  import_undo: "import",
  import_claim: "import",
  import_code: "import",
} as const;
export type AdminAction = keyof typeof adminActions;

/** An entry of the audit log (docs/protocol/objects.md#4.23). */
export const AuditLogEntry = z
  .object({
    id: uuid,
    server_id: uuid.nullable(),
    actor_id: uuid.nullable(),
    action: z.string().meta({ example: "member_kick" }),
    target_type: z.string().nullable().meta({ example: "user" }),
    target_id: uuid.nullable(),
    details: z.record(z.string(), z.unknown()).meta({ example: { reason: "Spam" } }),
    ip_address: z.null().meta({ type: "string", nullable: true, enum: [null], description: "Reserved" }),
    created_at: timestamp,
  })
  .meta({ id: "AuditLogEntry" });
export type AuditLogEntry = z.infer<typeof AuditLogEntry>;
