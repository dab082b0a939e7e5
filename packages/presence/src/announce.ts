import { createEvent } from "@parley/contracts";
import { type Messaging, publishLive } from "@parley/messaging";
import { announceTimeoutMs, attemptsMax, serversPerEventMax } from "./limits.js";
import type { PresenceOptions } from "./options.js";
import { readPresences, type UserPresence } from "./status-row.js";

/**
 * Sends presences that were just saved to co-members and DM partners, so that the last event they receive agrees with
 * PostgreSQL.
 *
 * PostgreSQL orders the changes of a user, but two processes may publish theirs in the opposite order. So after NATS
 * has confirmed the events, the rows are read again, and users whose row differs are announced again. The last event
 * thus agrees with a read that came after it; a change after that read has an event of its own.
 *
 * The events are ephemeral: without NATS they are lost, which is not an error.
 */
export async function announce(
  { database, messaging, logger }: Pick<PresenceOptions, "database" | "messaging" | "logger">,
  saved: readonly UserPresence[],
): Promise<void> {
  let announced = saved;
  for (let attempt = 0; attempt < attemptsMax && announced.length > 0; attempt += 1) {
    for (const presence of announced) {
      try {
        publish(messaging, presence);
      } catch (err) {
        // The other users must not be announced twice, and the status is saved whether or not it is announced.
        logger.warn({ err, user_id: presence.user_id }, "a presence could not be announced");
      }
    }
    if (!messaging.connected) return;
    let now: UserPresence[];
    try {
      await messaging.ping(announceTimeoutMs);
      now = await readPresences(
        database,
        announced.map(({ user_id }) => user_id),
      );
    } catch {
      return;
    }
    const published = new Map(announced.map((presence) => [presence.user_id, presence]));
    announced = now.filter((presence) => !looksEqual(presence, published.get(presence.user_id)));
  }
}

function publish(messaging: Messaging, { server_ids, ...presence }: UserPresence): void {
  const { user_id, status, custom_status, activity } = presence;
  const payload = { user_id, status, custom_status, activity };
  // Also without servers: DM partners may follow the user (docs/protocol/connecting.md#20.1).
  for (let start = 0; start === 0 || start < server_ids.length; start += serversPerEventMax) {
    const target = { user_id, server_ids: server_ids.slice(start, start + serversPerEventMax) };
    publishLive(messaging, createEvent("PRESENCE_UPDATE", target, payload));
  }
}

function looksEqual(one: UserPresence, other: UserPresence | undefined): boolean {
  return one.status === other?.status && one.custom_status === other.custom_status && one.activity === other.activity;
}
