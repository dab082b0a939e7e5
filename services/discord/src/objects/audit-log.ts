import type { AuditAction, AuditLogEntry } from "@parley/contracts";
import { type APIAuditLogEntry, AuditLogEvent, AuditLogOptionsType } from "discord-api-types/v10";
import { isShown, snowflakeOf } from "../ids/snowflake.js";

/** Discord's actions for ours; others are left out. */
const actions: Partial<Record<AuditAction, AuditLogEvent>> = {
  server_update: AuditLogEvent.GuildUpdate,
  channel_create: AuditLogEvent.ChannelCreate,
  channel_update: AuditLogEvent.ChannelUpdate,
  channel_delete: AuditLogEvent.ChannelDelete,
  channel_override_update: AuditLogEvent.ChannelOverwriteUpdate,
  channel_override_delete: AuditLogEvent.ChannelOverwriteDelete,
  member_kick: AuditLogEvent.MemberKick,
  member_ban: AuditLogEvent.MemberBanAdd,
  member_unban: AuditLogEvent.MemberBanRemove,
  member_timeout: AuditLogEvent.MemberUpdate,
  member_timeout_remove: AuditLogEvent.MemberUpdate,
  member_nickname: AuditLogEvent.MemberUpdate,
  member_role_add: AuditLogEvent.MemberRoleUpdate,
  member_role_remove: AuditLogEvent.MemberRoleUpdate,
  bot_add: AuditLogEvent.BotAdd,
  role_create: AuditLogEvent.RoleCreate,
  role_update: AuditLogEvent.RoleUpdate,
  role_delete: AuditLogEvent.RoleDelete,
  invite_create: AuditLogEvent.InviteCreate,
  invite_revoke: AuditLogEvent.InviteDelete,
  incoming_webhook_create: AuditLogEvent.WebhookCreate,
  incoming_webhook_update: AuditLogEvent.WebhookUpdate,
  incoming_webhook_delete: AuditLogEvent.WebhookDelete,
  message_bulk_delete: AuditLogEvent.MessageBulkDelete,
};
const isKnown = (action: string): action is AuditAction => Object.hasOwn(actions, action);

/** Our actions for one of Discord's, or all that it has. */
export const ownActions = (event: number | null): string[] =>
  Object.entries(actions).flatMap(([action, known]) => (event === null || known === event ? [action] : []));

/** Discord's entry; null for an action that it has not. */
export function toAuditLogEntry(entry: AuditLogEntry): APIAuditLogEntry | null {
  const type = isKnown(entry.action) ? actions[entry.action] : undefined;
  if (type === undefined || !isShown(entry)) return null;
  const { reason } = entry.details as { reason?: unknown };
  const options = optionsOf(entry);
  return {
    id: snowflakeOf(entry.id),
    action_type: type,
    user_id: entry.actor_id === null ? null : snowflakeOf(entry.actor_id),
    target_id: entry.target_id === null ? null : snowflakeOf(entry.target_id),
    changes: changesOf(entry),
    ...(typeof reason === "string" ? { reason } : {}),
    ...(options === undefined ? {} : { options }),
  } as APIAuditLogEntry;
}

/** Libraries read the options of bulk deletions and overwrites without looking whether they are there. */
function optionsOf({ action, details }: AuditLogEntry): object | undefined {
  const { count, role_id, user_id } = details as Record<string, unknown>;
  if (typeof count === "number") return { count: String(count) };
  if (!action.startsWith("channel_override_")) return undefined;
  const type = typeof user_id === "string" ? AuditLogOptionsType.Member : AuditLogOptionsType.Role;
  const id = user_id ?? role_id;
  return typeof id === "string" ? { id: snowflakeOf(id), type } : {};
}

/** The new values that the entry contains. */
function changesOf({ action, details, created_at }: AuditLogEntry): object[] {
  const { name, topic, nickname, duration_minutes, role_id, role_name, code } = details as Record<string, unknown>;
  const changes: object[] = [];
  // Libraries look for the code of every invite; the log does not keep that of one that was taken back.
  if (action === "invite_create") changes.push({ key: "code", new_value: code ?? "" });
  if (action === "invite_revoke") changes.push({ key: "code", old_value: "" });
  if (typeof name === "string") changes.push({ key: "name", new_value: name });
  if (typeof topic === "string") changes.push({ key: "topic", new_value: topic });
  if (action === "member_nickname") changes.push({ key: "nick", ...(nickname ? { new_value: nickname } : {}) });
  if (typeof duration_minutes === "number") {
    const until = new Date(Date.parse(created_at) + duration_minutes * 60_000).toISOString();
    changes.push({ key: "communication_disabled_until", new_value: until });
  }
  if (typeof role_id === "string") {
    const key = action === "member_role_add" ? "$add" : "$remove";
    changes.push({ key, new_value: [{ id: snowflakeOf(role_id), name: role_name }] });
  }
  return changes;
}
