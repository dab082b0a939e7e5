import { type AuditAction, errorTexts, notFound } from "@parley/contracts";
import type { Queryable, Transaction } from "@parley/database/prisma";
import type { Emit, OrderedWith } from "@parley/outbox";
import type { May, Stores } from "../platform/http/may.js";
import { type AuditEntry, appendAudit } from "./audit-log/repository.js";
import { type Need, requireAll, viewing, wordsOf } from "./needs.js";
import {
  type ChannelAccess,
  findChannelAccess,
  findServerAccess,
  lockServerOf,
  lockServerOfChannel,
  type ServerAccess,
} from "./repository.js";

/**
 * Something below a server or a channel that the path names. It is looked for before the needs are judged: a caller learns
 * that it is missing before they learn that they lack a right (docs/interface.md#1.4).
 */
export interface Named<Access, Params, Found> {
  /** Texts of the 404. */
  readonly missing: readonly string[];
  /** @throws ServiceError 404 */
  readonly find: (connection: Queryable, access: Access, params: Params) => Promise<Found>;
}

/** A server by the parameter of the path that names it. */
type ServerParams = { server_id: string } | { id: string };
/** A channel by its parameter; longer paths name its server, too, and a mismatch is 404 (docs/interface.md#1.1). */
type ChannelParams = { channel_id: string } | { id: string; server_id?: string | undefined };

/** What a member may do in a server. */
export type MemberAccess = ServerAccess & { userId: string };

/** What a change works with. */
export interface Change<Access> {
  /** As it is under the lock. */
  access: Access;
  transaction: Transaction;
  emit: Emit;
  /** Records the change in the audit log of the server, by the caller. */
  audit(action: AuditAction, targetId: string, details: AuditEntry["details"]): Promise<void>;
}

/** A right, asked for one caller and one path. */
export interface Asked<Access> {
  /**
   * Reads what the caller may do.
   *
   * @param connection a transaction that has locked the server already; absent: the database
   * @throws ServiceError with the errors that the right declares
   */
  access(connection?: Queryable): Promise<Access>;
  /**
   * Asks the right, so that nobody waits for a lock without it; locks the row of the server, asks again, and commits what
   * `work` writes together with its events and entries.
   *
   * @param work may run several times; if it throws, all is rolled back
   * @param lockFirst takes locks that come before that of the server, in the same transaction
   * @throws ServiceError with the errors that the right declares
   */
  change<T>(
    work: (change: Change<Access>) => Promise<T>,
    lockFirst?: (transaction: Transaction) => Promise<void>,
  ): Promise<T>;
}

/** A right in a server, asked for a caller. */
export type InServer<Found = undefined> = Asked<MemberAccess & { found: Found }>;
/** A right in a channel, asked for a caller. */
export type InChannel<Found = undefined> = Asked<ChannelAccess & { found: Found }>;

/** Right of the members of a server who meet all needs; others get 404, as if the server were missing. */
export function inServer(needs?: Need | readonly Need[]): May<ServerParams, InServer>;
/** The same, where the path names something of the server. */
export function inServer<Params, Found>(
  needs: Need | readonly Need[],
  named: Named<MemberAccess, Params, Found>,
): May<ServerParams & Params, InServer<Found>>;
export function inServer<Params, Found>(
  needs: Need | readonly Need[] = [],
  named?: Named<MemberAccess, Params, Found>,
): May<ServerParams & Params, InServer<Found | undefined>> {
  return serverRight({ needs: [needs].flat(), named, isMember: true });
}

/**
 * Right in the settings of a server. It answers 403 to everybody else, strangers included, and looks for what the path names
 * last (docs/interface.md#1.4).
 */
export function ofServer(need: Need): May<ServerParams, InServer>;
/** The same, where the path names something of the server. */
export function ofServer<Params, Found>(
  need: Need,
  named: Named<MemberAccess, Params, Found>,
): May<ServerParams & Params, InServer<Found>>;
export function ofServer<Params, Found>(
  need: Need,
  named?: Named<MemberAccess, Params, Found>,
): May<ServerParams & Params, InServer<Found | undefined>> {
  return serverRight({ needs: [need], named, isMember: false });
}

function serverRight<Params, Found>(rule: {
  needs: readonly Need[];
  named: Named<MemberAccess, Params, Found> | undefined;
  /** Whether strangers get 404, and what the path names is looked for before the needs are judged. */
  isMember: boolean;
}): May<ServerParams & Params, InServer<Found | undefined>> {
  const { needs, named, isMember } = rule;
  return {
    right: wordsOf("server", needs),
    errors: errorsOf(errorTexts.server_not_found, needs, named?.missing),
    ask(stores, { userId, params }) {
      const serverId = "server_id" in params ? params.server_id : params.id;
      return asked(stores, {
        async judge(connection) {
          const read = await findServerAccess(connection, serverId, userId);
          if (read === null || (isMember && !read.isMember)) throw notFound(errorTexts.server_not_found);
          const access = { ...read, userId };
          if (!isMember) requireAll(access, needs);
          const found = await named?.find(connection, access, params);
          requireAll(access, needs);
          return { ...access, found };
        },
        scopesOf: () => [{ server_id: serverId }],
        async lockServer(transaction) {
          if (!(await lockServerOf(transaction, serverId, userId))) throw notFound(errorTexts.server_not_found);
        },
      });
    },
  };
}

/**
 * Right in a channel of members who meet all needs; non-members get 404, as if the channel were missing. Changes lock the order
 * of the events of both, the channel and its server.
 */
export function inChannel(needs: Need | readonly Need[]): May<ChannelParams, InChannel>;
/** The same, where the path names something of the channel. */
export function inChannel<Params, Found>(
  needs: Need | readonly Need[],
  named: Named<ChannelAccess, Params, Found>,
): May<ChannelParams & Params, InChannel<Found>>;
export function inChannel<Params, Found>(
  needs: Need | readonly Need[],
  named?: Named<ChannelAccess, Params, Found>,
): May<ChannelParams & Params, InChannel<Found | undefined>> {
  const all = [needs].flat();
  return {
    right: wordsOf("channel", all),
    errors: errorsOf(errorTexts.channel_not_found, all, named?.missing),
    ask(stores, { userId, params }) {
      const channelId = "channel_id" in params ? params.channel_id : params.id;
      const serverOf = "channel_id" in params ? undefined : params.server_id;
      return asked(stores, {
        async judge(connection) {
          const access = await findChannelAccess(connection, channelId, userId);
          if (access === null || (serverOf !== undefined && serverOf !== access.serverId)) {
            throw notFound(errorTexts.channel_not_found);
          }
          const found = await named?.find(connection, access, params);
          requireAll(access, all);
          return { ...access, found };
        },
        scopesOf: ({ serverId }) => [{ server_id: serverId }, { server_id: serverId, channel_id: channelId }],
        async lockServer(transaction) {
          if (!(await lockServerOfChannel(transaction, channelId, userId)))
            throw notFound(errorTexts.channel_not_found);
        },
      });
    },
  };
}

/** What a path names by an id of its own, with what the caller may do in its channel. */
export interface Located<Row> {
  row: Row;
  access: ChannelAccess;
}

/**
 * Right to something in a channel that the path names by its own id. A change locks the order of the channel's events, and not
 * its server: nothing in it changes what others may do.
 *
 * @param rule.find rejects with the 404, and with the 403 without VIEW_CHANNEL
 * @param rule.needs judged last
 */
export function located<Params, Row extends { server_id: string; channel_id: string }>(rule: {
  missing: readonly string[];
  find: (connection: Queryable, userId: string, params: Params) => Promise<Located<Row>>;
  needs?: Need<ChannelAccess & { found: NoInfer<Row> }>;
}): May<Params, InChannel<Row>> {
  const { missing, find, needs } = rule;
  const all = [viewing, ...(needs === undefined ? [] : [needs])];
  return {
    right: wordsOf("channel", all),
    errors: { not_found: missing, forbidden: all.map(({ refusal }) => refusal) },
    ask: (stores, { userId, params }) =>
      asked(stores, {
        async judge(connection) {
          const { row: found, access } = await find(connection, userId, params);
          const judged = { ...access, found };
          if (needs !== undefined) requireAll(judged, [needs]);
          return judged;
        },
        scopesOf: ({ found: { server_id, channel_id } }) => [{ server_id, channel_id }],
      }),
  };
}

/** How a right is judged, and what a change of it locks. */
interface Rule<Access> {
  judge: (connection: Queryable) => Promise<Access>;
  /** Scopes of the events of a change. */
  scopesOf: (access: Access) => readonly OrderedWith[];
  /** Locks the row of the server, of which one change at a time runs in a process; rejects for others than members. */
  lockServer?: (transaction: Transaction) => Promise<void>;
}

function asked<Access extends { serverId: string; userId: string }>(
  { database, outbox, turns }: Stores,
  { judge, scopesOf, lockServer }: Rule<Access>,
): Asked<Access> {
  return {
    access: (connection = database) => judge(connection),
    async change(work, lockFirst) {
      const before = await judge(database);
      const run = () =>
        outbox.transaction(scopesOf(before), async (transaction, emit) => {
          await lockFirst?.(transaction);
          await lockServer?.(transaction);
          const access = await judge(transaction);
          const { serverId, userId: actorId } = access;
          const audit = (action: AuditAction, targetId: string, details: AuditEntry["details"]) =>
            appendAudit(transaction, { serverId, actorId, action, targetId, details });
          return work({ access, transaction, emit, audit });
        });
      return lockServer === undefined ? run() : turns.run(before.serverId, run);
    },
  };
}

function errorsOf(missing: string, needs: readonly Need[], named: readonly string[] = []) {
  const refusals = needs.map(({ refusal }) => refusal);
  return { not_found: [missing, ...named], ...(refusals.length === 0 ? {} : { forbidden: refusals }) };
}
