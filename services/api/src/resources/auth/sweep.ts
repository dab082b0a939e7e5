import { defineStatement } from "@parley/database";
import type { ExpirySweep } from "../../background-work/expiry/start-sweeping.js";
import { endedSessionKeptSeconds, knownAddressDays, refreshGraceSeconds } from "./limits.js";

const expiredStatement = defineStatement({
  name: "sessions_sweep_expired",
  text: `DELETE FROM refresh_sessions WHERE id IN (
      SELECT id FROM refresh_sessions WHERE expires_at < now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
});

/** A successor is issued again only within the grace; after that its sealed copy is removed. */
const successorsStatement = defineStatement({
  name: "sessions_sweep_successors",
  text: `UPDATE refresh_sessions SET sealed_successor = NULL WHERE id IN (
      SELECT id FROM refresh_sessions
      WHERE used_at < now() - make_interval(secs => $2) AND sealed_successor IS NOT NULL
      ORDER BY used_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
});

const addressesStatement = defineStatement({
  name: "sessions_sweep_addresses",
  text: `DELETE FROM login_addresses WHERE (user_id, address_hash) IN (
      SELECT user_id, address_hash FROM login_addresses
      WHERE last_login_at < now() - make_interval(days => $2)
      ORDER BY last_login_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
});

/** No token of the session can be left: a successor that was issued at the moment of the end has expired, too. */
const endedStatement = defineStatement({
  name: "sessions_sweep_ended",
  text: `DELETE FROM ended_sessions WHERE id IN (
      SELECT id FROM ended_sessions WHERE ended_at < now() - make_interval(secs => $2)
      ORDER BY ended_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
});

const resetsStatement = defineStatement({
  name: "sessions_sweep_password_resets",
  text: `DELETE FROM password_resets WHERE token_hash IN (
      SELECT token_hash FROM password_resets WHERE expires_at < now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
});

const verificationsStatement = defineStatement({
  name: "sessions_sweep_email_verifications",
  text: `DELETE FROM email_verifications WHERE token_hash IN (
      SELECT token_hash FROM email_verifications WHERE expires_at < now()
      ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
});

/**
 * Refresh sessions that have expired, successors whose grace is over, addresses of old logins, ended sessions and unused
 * tokens for passwords and addresses.
 */
export const sessionSweeps: readonly ExpirySweep[] = [
  { statement: expiredStatement, values: [] },
  { statement: successorsStatement, values: [refreshGraceSeconds] },
  { statement: addressesStatement, values: [knownAddressDays] },
  { statement: endedStatement, values: [endedSessionKeptSeconds] },
  { statement: resetsStatement, values: [] },
  { statement: verificationsStatement, values: [] },
];
