import type { AuditLogEntry } from "@parley/contracts";
import { isShown, timeOf } from "../ids/snowflake.js";
import { loadUsers } from "../loading/context.js";
import { ownActions, toAuditLogEntry } from "../objects/audit-log.js";
import { toUser } from "../objects/user.js";
import { numberOf, withQuery } from "../rest/input.js";
import { type BotCall, route } from "../rest/route.js";
import { serverOf } from "./guilds.js";

async function auditLog(call: BotCall) {
  const { api, database, query } = call;
  const serverId = await serverOf(call);
  const limit = numberOf(query, "limit", { fallback: 50, min: 1, max: 100 });
  const user = query.get("user_id");
  const before = query.get("before")?.match(/^\d{1,20}$/)?.[0];
  const type = query.get("action_type");
  const wanted = type === null ? [undefined] : ownActions(Number(type));
  const filters = {
    limit,
    actor_id: user === null ? undefined : await call.id("user", user, 10013),
    before: before === undefined ? undefined : new Date(timeOf(before)).toISOString(),
  };
  const path = `/servers/${serverId}/audit-logs`;
  const pages = await Promise.all(
    wanted.map((action) => api.get<AuditLogEntry[]>(withQuery(path, { ...filters, action }))),
  );
  const entries = pages
    .flat()
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, limit);
  const ids = entries.flatMap(({ actor_id, target_type, target_id }) => [
    actor_id,
    target_type === "user" ? target_id : null,
  ]);
  const users = await loadUsers(
    database,
    ids.filter((id) => id !== null),
  );
  return {
    audit_log_entries: entries.map(toAuditLogEntry).filter((entry) => entry !== null),
    users: [...users.values()].filter(isShown).map(toUser),
    webhooks: [],
    integrations: [],
    threads: [],
    application_commands: [],
    auto_moderation_rules: [],
    guild_scheduled_events: [],
  };
}

export const auditLogRoutes = [route("GET", "/guilds/:guild_id/audit-logs", auditLog)];
