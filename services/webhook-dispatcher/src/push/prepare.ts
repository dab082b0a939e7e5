import type { MessagePush } from "@parley/contracts";
import type { Database } from "@parley/database";
import type { UserChannel, Views } from "@parley/presence";
import type { Logger } from "@parley/service-runtime";
import type { ClaimedMessages } from "./claim-rows.js";
import {
  type HeardMessage,
  type PushAccount,
  readAccounts,
  readDirectMessages,
  readMessages,
  readNotices,
  readRegistrations,
  readReminders,
  readViewers,
} from "./content-rows.js";
import { pushBatchMax } from "./limits.js";
import { messagePush } from "./payload.js";
import { isQuiet } from "./quiet-hours.js";

/** Whether somebody looks at a channel on an active connection, of each of at most {@link pushBatchMax} pairs. */
export type LookedAt = Views["lookedAt"];

/** A claimed device with its push. */
export interface Prepared {
  claimed: ClaimedMessages;
  /** Null when none of its messages is to be pushed any more. */
  due: {
    push: MessagePush;
    isUrgent: boolean;
    messageIds: readonly string[];
    /** Time of the newest of them. */
    messageAt: Date;
  } | null;
}

const keyOf = (...ids: string[]) => ids.join(" ");

/**
 * Decides which of the claimed messages are still to be pushed (docs/protocol/notifications.md#26.2), because the messages, the
 * account's settings, its rights and the channels in its view may have changed since. One round of statements for all.
 */
export function createPreparation(options: {
  database: Pick<Database, "query">;
  lookedAt: LookedAt;
  logger: Logger;
  now?: () => Date;
}) {
  const { database, lookedAt, logger, now = () => new Date() } = options;

  /** Without Redis this reports no viewers: better a push too many than none. */
  const areLookedAt = async (places: readonly UserChannel[]): Promise<boolean[]> => {
    const parts: UserChannel[][] = [];
    for (let from = 0; from < places.length; from += pushBatchMax) parts.push(places.slice(from, from + pushBatchMax));
    try {
      return (await Promise.all(parts.map((part) => lookedAt(part)))).flat();
    } catch (err) {
      logger.warn({ err }, "it is not known who looks at their channels");
      return places.map(() => false);
    }
  };

  return async (claims: readonly ClaimedMessages[]): Promise<Prepared[]> => {
    if (claims.length === 0) return [];
    const places = claims.map(({ user_id: userId, channel_id: channelId }) => ({ userId, channelId }));
    const messagesOf = (isDirect: boolean) =>
      claims
        .filter(({ server_id }) => (server_id === null) === isDirect)
        .flatMap(({ user_id: userId, message_ids }) => message_ids.map((messageId) => ({ userId, messageId })));
    const inServers = places.filter((_, index) => claims[index]?.server_id !== null);
    // Reminders, notices of events and registrations stand in no channel of a server, like direct messages.
    const [accounts, messages, direct, reminders, notices, registrations, viewers, looks] = await Promise.all([
      readAccounts(database, [...new Set(claims.map(({ user_id }) => user_id))]),
      ifAny(messagesOf(false), (wanted) => readMessages(database, wanted)),
      ifAny(messagesOf(true), (wanted) => readDirectMessages(database, wanted)),
      ifAny(messagesOf(true), (wanted) => readReminders(database, wanted)),
      ifAny(messagesOf(true), (wanted) => readNotices(database, wanted)),
      ifAny(messagesOf(true), (wanted) => readRegistrations(database, wanted)),
      ifAny(inServers, (asked) => readViewers(database, asked)),
      areLookedAt(places),
    ]);
    const accountOf = new Map(accounts.map((account) => [account.user_id, account]));
    const messageOf = new Map(
      [...messages, ...direct, ...reminders, ...notices, ...registrations].map((message) => [
        keyOf(message.user_id, message.message_id),
        message,
      ]),
    );
    const mayView = new Set(viewers.map(({ userId, channelId }) => keyOf(userId, channelId)));
    const time = now();

    return claims.map((claimed, index): Prepared => {
      const { user_id, channel_id: channelId, server_id: serverId, message_ids } = claimed;
      const account = accountOf.get(user_id);
      const isSilent = account === undefined || !isReachable(account, time) || looks[index] === true;
      if (isSilent || (serverId !== null && !mayView.has(keyOf(user_id, channelId)))) return { claimed, due: null };
      const [first, ...others] = message_ids
        .map((id) => messageOf.get(keyOf(user_id, id)))
        .filter((message): message is HeardMessage => message !== undefined);
      if (first === undefined) return { claimed, due: null };
      const heard = [first, ...others] as const;
      return {
        claimed,
        due: {
          push: messagePush(heard, { channelId, serverId, withContent: account.with_content, time }),
          isUrgent: heard.some(({ is_urgent }) => is_urgent),
          messageIds: heard.map(({ message_id }) => message_id),
          messageAt: (others.at(-1) ?? first).created_at,
        },
      };
    });
  };
}

const isReachable = (account: PushAccount, time: Date): boolean => account.is_reachable && !isQuiet(account, time);

const ifAny = <In, Out>(items: readonly In[], read: (items: readonly In[]) => Promise<Out[]>): Promise<Out[]> =>
  items.length === 0 ? Promise.resolve([]) : read(items);
