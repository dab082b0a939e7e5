import { AuditLogEntry } from "@parley/contracts";
import { defineStatement, jsonTime } from "@parley/database";
import { findId } from "../ids/find-id.js";
import { isShown } from "../ids/snowflake.js";
import { loadUsers } from "../loading/context.js";
import { afterQuery, beforeQuery } from "../loading/cursors.js";
import { ownActions, toAuditLogEntry } from "../objects/audit-log.js";
import { toUser } from "../objects/user.js";
import { numberOf, snowflakeQuery } from "../rest/input.js";
import { type BotCall, route } from "../rest/route.js";
import { serverOf } from "./guilds.js";

/** Entries of $1 with the actions $2, by the actor $3 if there is one, before or behind the entry or identifier $4. */
const page = (name: string, sign: "<" | ">", order: "DESC" | "ASC") =>
  defineStatement({
    name,
    text: `SELECT id, server_id, actor_id, action, target_type, target_id, details, NULL AS ip_address,
        ${jsonTime("created_at")} AS created_at
      FROM audit_log_entries
      WHERE server_id = $1::uuid AND action = ANY ($2::text[]) AND ($3::uuid IS NULL OR actor_id = $3)
        AND (created_at, id) ${sign} (coalesce(
          (SELECT created_at FROM audit_log_entries WHERE id = $4::uuid), uuid_extract_timestamp($4::uuid)), $4::uuid)
      ORDER BY created_at ${order}, id ${order} LIMIT $5::integer`,
    row: AuditLogEntry,
  });
const entriesBefore = page("discord_audit_before", "<", "DESC");
const entriesAfter = page("discord_audit_after", ">", "ASC");

async function auditLog(call: BotCall) {
  const { api, database, query } = call;
  const serverId = await serverOf(call);
  const limit = numberOf(query, "limit", { fallback: 50, min: 1, max: 100 });
  const user = query.get("user_id");
  const [before, after] = ["before", "after"].map((name) => snowflakeQuery(query, name));
  const type = query.get("action_type");
  const actions = ownActions(type === null ? null : Number(type));
  const actorId = user === null ? null : await call.id("user", user, 10013);
  // A bot without the right to the log gets the api's error.
  await api.get(`/servers/${serverId}/audit-logs?limit=1`);
  // The log is in the order of `created_at`, which is not the time in the id.
  const entryOf = async (snowflake: string | undefined) =>
    snowflake === undefined ? null : findId(database, "auditEntry", snowflake, serverId);
  const [statement, cursor] =
    after === undefined
      ? [entriesBefore, (await entryOf(before)) ?? beforeQuery(before).before]
      : [entriesAfter, (await entryOf(after)) ?? afterQuery(after).after];
  const entries = await database.query(statement, [serverId, actions, actorId, cursor, limit]);
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
