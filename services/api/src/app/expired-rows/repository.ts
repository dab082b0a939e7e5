import { defineStatement, type SqlValue, type Statement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { endedSessionKeptSeconds, knownAddressDays, refreshGraceSeconds } from "../../accounts/auth/limits.js";
import { nonceExpiredAfterHours } from "../../platform/nonces/limits.js";
import { raidKeptDays } from "../../rules/raids/repository.js";

// $1 of each statement is the most rows that it takes; those that another process is at are left to it.

const sessionsStatement = defineStatement({
  name: "expired_sessions",
  text: `DELETE FROM refresh_sessions WHERE id IN (
      SELECT id FROM refresh_sessions WHERE expires_at < now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
});

/** A successor is issued again only within the grace; after that its sealed copy is removed. */
const successorsStatement = defineStatement({
  name: "expired_successors",
  text: `UPDATE refresh_sessions SET sealed_successor = NULL WHERE id IN (
      SELECT id FROM refresh_sessions
      WHERE used_at < now() - make_interval(secs => $2) AND sealed_successor IS NOT NULL
      ORDER BY used_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
});

const addressesStatement = defineStatement({
  name: "expired_addresses",
  text: `DELETE FROM login_addresses WHERE (user_id, address_hash) IN (
      SELECT user_id, address_hash FROM login_addresses
      WHERE last_login_at < now() - make_interval(days => $2)
      ORDER BY last_login_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
});

/** No token of the session can be left: a successor that was issued at the moment of the end has expired, too. */
const endedStatement = defineStatement({
  name: "expired_ended_sessions",
  text: `DELETE FROM ended_sessions WHERE id IN (
      SELECT id FROM ended_sessions WHERE ended_at < now() - make_interval(secs => $2)
      ORDER BY ended_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
});

const resetsStatement = defineStatement({
  name: "expired_password_resets",
  text: `DELETE FROM password_resets WHERE token_hash IN (
      SELECT token_hash FROM password_resets WHERE expires_at < now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
});

const verificationsStatement = defineStatement({
  name: "expired_email_verifications",
  text: `DELETE FROM email_verifications WHERE token_hash IN (
      SELECT token_hash FROM email_verifications WHERE expires_at < now()
      ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
});

const noncesStatement = defineStatement({
  name: "expired_nonces",
  text: `DELETE FROM message_nonces WHERE (author_id, channel_id, nonce) IN (
      SELECT author_id, channel_id, nonce FROM message_nonces
      WHERE created_at < now() - make_interval(hours => $2)
      ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
});

/** They stay as long as their webhook or their messages. */
const webhookAccountsStatement = defineStatement({
  name: "expired_webhook_accounts",
  text: `DELETE FROM users WHERE id IN (
      SELECT u.id FROM users u
      WHERE u.is_webhook AND NOT EXISTS (SELECT FROM incoming_webhooks w WHERE w.user_id = u.id)
        AND NOT EXISTS (SELECT FROM messages m WHERE m.author_id = u.id)
      ORDER BY u.id LIMIT $1 FOR UPDATE SKIP LOCKED)`,
});

/** How long the copy of what was reported is kept after the report was closed (docs/interface.md#24.5). */
const closedReportDays = 90;

const reportsStatement = defineStatement({
  name: "expired_report_content",
  text: `UPDATE reports SET content = NULL WHERE id IN (
      SELECT id FROM reports WHERE closed_at < now() - make_interval(days => $2) AND content IS NOT NULL
      ORDER BY closed_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
});

/** Refused joins count for a minute only; the others belong to a raid that can still be looked into. */
const raidJoinsStatement = defineStatement({
  name: "expired_raid_joins",
  text: `DELETE FROM raid_joins WHERE (server_id, joined_at, user_id) IN (
      SELECT server_id, joined_at, user_id FROM raid_joins
      WHERE joined_at < now() - CASE WHEN refused THEN interval '1 hour' ELSE make_interval(days => $2) END
      ORDER BY joined_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
});

/** How long the audit entries of deleted servers are kept, which only the operators can read. */
export const deletedServersAuditDays = 90;

const deletedServersStatement = defineStatement({
  name: "expired_audit_of_deleted_servers",
  text: `DELETE FROM audit_log_entries WHERE id IN (
      SELECT id FROM audit_log_entries WHERE server_id IS NULL AND created_at < now() - make_interval(days => $2)
      ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
});

/** How long the settings of a target that does not exist are kept (docs/interface.md#26.1), and how often that is looked at. */
const missingTargetDays = 30;
const targetCheckDays = 1;

const targetExists = `CASE t.kind
    WHEN 'server' THEN EXISTS (SELECT FROM servers s WHERE s.id = t.target_id)
    WHEN 'thread' THEN EXISTS (SELECT FROM messages m WHERE m.id = t.target_id)
    ELSE EXISTS (SELECT FROM channels c WHERE c.id = t.target_id) OR EXISTS (SELECT FROM dm_channels d WHERE d.id = t.target_id) END`;

const checkedTargetsStatement = defineStatement({
  name: "expired_notification_checks",
  text: `UPDATE notification_targets t SET checked_at = now(),
      missing_since = CASE WHEN ${targetExists} THEN NULL ELSE coalesce(t.missing_since, now()) END
    WHERE (user_id, kind, target_id) IN (
      SELECT user_id, kind, target_id FROM notification_targets WHERE checked_at < now() - make_interval(days => $2)
      ORDER BY checked_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
});

const missingTargetsStatement = defineStatement({
  name: "expired_notification_targets",
  text: `DELETE FROM notification_targets WHERE (user_id, kind, target_id) IN (
      SELECT user_id, kind, target_id FROM notification_targets WHERE missing_since < now() - make_interval(days => $2)
      ORDER BY missing_since LIMIT $1 FOR UPDATE SKIP LOCKED)`,
});

/** Rows of pushes that no event asks for again: at least for this long, and for as long as events can be read again. */
const pushesKeptMs = 3_600_000;

/** One that is still to be sent a day after it was due never will be. */
const pushesStatement = defineStatement({
  name: "expired_pushes",
  text: `DELETE FROM pushes WHERE (subscription_id, message_id) IN (
      SELECT subscription_id, message_id FROM pushes
      WHERE created_at < now() - make_interval(secs => $2 / 1000.0) AND (due_at IS NULL OR due_at < now() - interval '1 day')
      ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
});

/** A push is shown for a day at most, its TTL, so there is nothing to take back after that. */
const pushedChannelHours = 25;

const pushedChannelsStatement = defineStatement({
  name: "expired_pushed_channels",
  text: `DELETE FROM pushed_channels WHERE (subscription_id, channel_id) IN (
      SELECT subscription_id, channel_id FROM pushed_channels WHERE pushed_at < now() - make_interval(hours => $2)
      ORDER BY pushed_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
});

/** Devices of sessions that expired or were dropped by newer ones; those of ended sessions are gone already. */
const subscriptionsStatement = defineStatement({
  name: "expired_push_subscriptions",
  text: `DELETE FROM push_subscriptions WHERE id IN (
      SELECT s.id FROM push_subscriptions s
      WHERE s.session_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM refresh_sessions r WHERE r.family_id = s.session_id AND r.expires_at > now())
      ORDER BY s.id LIMIT $1 FOR UPDATE SKIP LOCKED)`,
});

const expiredTokensOf = (table: string, key: string) =>
  defineStatement({
    name: `expired_${table}`,
    text: `DELETE FROM ${table} WHERE ${key} IN (
      SELECT ${key} FROM ${table} WHERE expires_at < now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
  });
const signInsStatement = expiredTokensOf("oidc_sign_ins", "code_hash");
const usedTokensStatement = expiredTokensOf("oidc_used_tokens", "token_hash");

/**
 * For how long a provider can end the connections of a session that has no refresh token any more: newer sessions may have
 * dropped these.
 */
const oidcSessionDays = 30;

const oidcSessionsStatement = defineStatement({
  name: "expired_oidc_sessions",
  text: `DELETE FROM oidc_sessions WHERE session_id IN (
      SELECT o.session_id FROM oidc_sessions o
      WHERE o.created_at < now() - make_interval(days => $2)
        AND NOT EXISTS (SELECT FROM refresh_sessions r WHERE r.family_id = o.session_id)
      ORDER BY o.created_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
});

/** Rows of one kind whose time is over: what deletes them or clears fields of them, and its values from $2 on. */
type Expired = readonly [Statement<never>, ...SqlValue[]];

/** Copies in closed reports. */
export const closedReports: Expired = [reportsStatement, closedReportDays];

/** Deletions of servers belong to none; only the operators can read them. */
export const deletedServersAudit: Expired = [deletedServersStatement, deletedServersAuditDays];

/** Accounts of incoming webhooks that nothing shows any more. */
export const webhookAccounts: Expired = [webhookAccountsStatement];

/** Notes which targets of notification settings exist. */
export const checkedTargets: Expired = [checkedTargetsStatement, targetCheckDays];
/** Notification settings of what has not existed for long. */
export const missingTargets: Expired = [missingTargetsStatement, missingTargetDays];

/** Rows of pushes that are over. */
export const pushes = (eventsMaxAgeMs: number): Expired => [pushesStatement, Math.max(pushesKeptMs, eventsMaxAgeMs)];
/** Channels of which devices were told long ago. */
export const pushedChannels: Expired = [pushedChannelsStatement, pushedChannelHours];
/** Devices whose session is over. */
export const pushSubscriptions: Expired = [subscriptionsStatement];
/** Sessions that began at a provider and are over. */
export const oidcSessions: Expired = [oidcSessionsStatement, oidcSessionDays];
/** Sign-ins at a provider that no page went on with, and what counts once and is too old to count. */
export const oidcTokens: readonly Expired[] = [[signInsStatement], [usedTokensStatement]];

/**
 * Refresh sessions, successors of refresh tokens, addresses of old logins, ended sessions, unused tokens for passwords
 * and addresses, nonces that no request finds any more, joins that count for no raid, the audit of deleted servers,
 * copies in closed reports, accounts of incoming webhooks that nothing shows any more,
 * notification settings of what does not exist any more, pushes that are over, devices of sessions that are, and what was kept of
 * sign-ins at a provider.
 *
 * @param eventsMaxAgeMs for how long events can be read again
 */
export const expiredRows = (eventsMaxAgeMs: number): readonly Expired[] => [
  [sessionsStatement],
  [successorsStatement, refreshGraceSeconds],
  [addressesStatement, knownAddressDays],
  [endedStatement, endedSessionKeptSeconds],
  [resetsStatement],
  [verificationsStatement],
  [noncesStatement, nonceExpiredAfterHours],
  [raidJoinsStatement, raidKeptDays],
  deletedServersAudit,
  closedReports,
  webhookAccounts,
  checkedTargets,
  missingTargets,
  pushes(eventsMaxAgeMs),
  pushedChannels,
  pushSubscriptions,
  oidcSessions,
  ...oidcTokens,
];

/** @returns whether there may be more than the `max` rows that it has taken */
export async function expireBatch(
  connection: Queryable,
  [statement, ...values]: Expired,
  max: number,
): Promise<boolean> {
  return (await connection.execute(statement, [max, ...values])) === max;
}
