import { type AuditAction, errorTexts, notFound } from "@parley/contracts";
import type { Queryable } from "@parley/database/prisma";
import type { May, Stores } from "../platform/http/may.js";
import { asked, type CallerRight, type Change, type Rule } from "./asked.js";
import { type AuditEntry, announceAudit } from "./audit-log/repository.js";
import { declare, type Need, requireAll, viewing } from "./needs.js";
import {
  type ChannelAccess,
  findChannelAccess,
  findServerAccess,
  lockServerOf,
  lockServerOfChannel,
  type ServerAccess,
} from "./repository.js";
import { requireFactorFor } from "./required-factor.js";

/**
 * Something below a server or a channel that the path names. The right looks for it before it judges the needs: a
 * caller learns that it is missing before they learn that they lack a right (docs/protocol/requests.md#1.4).
 */
export interface Subresource<Access, Params, Item> {
  /** Texts of the 404. */
  readonly missing: readonly string[];
  /** @throws ServiceError 404 */
  readonly find: (connection: Queryable, access: Access, params: Params) => Promise<Item>;
}

/** A server by the parameter of the path that names it. */
type ServerParams = { server_id: string } | { id: string };
/** A channel by its parameter; longer paths name its server, too, and a mismatch is 404 (docs/protocol/requests.md#1.1). */
type ChannelParams = { channel_id: string } | { id: string; server_id?: string | undefined };

/** A member's access to a server. */
export type MemberAccess = ServerAccess & { userId: string };

/** The input of a change in a server. */
export interface ServerChange<Access> extends Change<Access> {
  /** Records the change in the audit log of the server, by the caller. */
  audit(action: AuditAction, targetId: string, details: AuditEntry["details"]): Promise<void>;
}

type RightInServer<Access> = CallerRight<Access, ServerChange<Access>>;
/** A right in a server, asked for a caller. */
export type InServer<Item = undefined> = RightInServer<MemberAccess & { found: Item }>;
/** A right in a channel, asked for a caller. */
export type InChannel<Item = undefined> = RightInServer<ChannelAccess & { found: Item }>;

/** Right of the members of a server who meet all needs; others get 404, as if the server were missing. */
export function inServer(needs?: Need | readonly Need[]): May<ServerParams, InServer>;
/** The same, where the path names something of the server. */
export function inServer<Params, Item>(
  needs: Need | readonly Need[],
  named: Subresource<MemberAccess, Params, Item>,
): May<ServerParams & Params, InServer<Item>>;
export function inServer<Params, Item>(
  needs: Need | readonly Need[] = [],
  named?: Subresource<MemberAccess, Params, Item>,
): May<ServerParams & Params, InServer<Item | undefined>> {
  return serverRight({ needs: [needs].flat(), named, isMember: true });
}

/**
 * Right in the settings of a server. It answers 403 to everybody else, strangers included, and only then looks for the
 * subresource of the path (docs/protocol/requests.md#1.4).
 */
export function ofServer(need: Need): May<ServerParams, InServer>;
/** The same, where the path names something of the server. */
export function ofServer<Params, Item>(
  need: Need,
  named: Subresource<MemberAccess, Params, Item>,
): May<ServerParams & Params, InServer<Item>>;
export function ofServer<Params, Item>(
  need: Need,
  named?: Subresource<MemberAccess, Params, Item>,
): May<ServerParams & Params, InServer<Item | undefined>> {
  return serverRight({ needs: [need], named, isMember: false });
}

function serverRight<Params, Item>(rule: {
  needs: readonly Need[];
  named: Subresource<MemberAccess, Params, Item> | undefined;
  /** Whether strangers get 404, and the subresource of the path is looked for before the needs are judged. */
  isMember: boolean;
}): May<ServerParams & Params, InServer<Item | undefined>> {
  const { needs, named, isMember } = rule;
  return {
    ...declare("server", needs, [errorTexts.server_not_found, ...(named?.missing ?? [])]),
    ask(stores, { userId, params }) {
      const serverId = "server_id" in params ? params.server_id : params.id;
      return askedInServer(stores, {
        async judge(connection) {
          const read = await findServerAccess(connection, serverId, userId);
          if (read === null || (isMember && !read.isMember)) throw notFound(errorTexts.server_not_found);
          const access = { ...read, userId };
          if (!isMember) requireAll(access, needs);
          const found = await named?.find(connection, access, params);
          requireAll(access, needs);
          await requireFactorFor(connection, access, needs);
          return { ...access, found };
        },
        scopesOf: () => [{ server_id: serverId }],
        turnOf: () => serverId,
        async lock(transaction) {
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
export function inChannel<Params, Item>(
  needs: Need | readonly Need[],
  named: Subresource<ChannelAccess, Params, Item>,
): May<ChannelParams & Params, InChannel<Item>>;
export function inChannel<Params, Item>(
  needs: Need | readonly Need[],
  named?: Subresource<ChannelAccess, Params, Item>,
): May<ChannelParams & Params, InChannel<Item | undefined>> {
  const all = [needs].flat();
  return {
    ...declare("channel", all, [errorTexts.channel_not_found, ...(named?.missing ?? [])]),
    ask(stores, { userId, params }) {
      const channelId = "channel_id" in params ? params.channel_id : params.id;
      const serverOf = "channel_id" in params ? undefined : params.server_id;
      return askedInServer(stores, {
        async judge(connection) {
          const access = await findChannelAccess(connection, channelId, userId);
          if (access === null || (serverOf !== undefined && serverOf !== access.serverId)) {
            throw notFound(errorTexts.channel_not_found);
          }
          const found = await named?.find(connection, access, params);
          requireAll(access, all);
          await requireFactorFor(connection, access, all);
          return { ...access, found };
        },
        scopesOf: ({ serverId }) => [{ server_id: serverId }, { server_id: serverId, channel_id: channelId }],
        turnOf: ({ serverId }) => serverId,
        async lock(transaction) {
          if (!(await lockServerOfChannel(transaction, channelId, userId)))
            throw notFound(errorTexts.channel_not_found);
        },
      });
    },
  };
}

/** A subresource of a channel, with the caller's access to the channel. */
export type ChannelItem<Row> = ChannelAccess & { found: Row };

/**
 * Right to something in a channel that the path names by its own id. A change locks the order of the channel's events,
 * and not its server: nothing in it changes the rights of others.
 *
 * @param rule.find rejects with the 404, and with the 403 without VIEW_CHANNEL
 * @param rule.needs judged last
 */
export function located<Params, Row>(rule: {
  missing: readonly string[];
  find: (connection: Queryable, userId: string, params: Params) => Promise<ChannelItem<Row>>;
  needs?: Need<NoInfer<ChannelItem<Row>>>;
}): May<Params, InChannel<Row>> {
  const { missing, find, needs } = rule;
  const own = needs === undefined ? [] : [needs];
  return {
    ...declare("channel", [viewing, ...own], missing),
    ask: (stores, { userId, params }) =>
      askedInServer(stores, {
        async judge(connection) {
          const access = await find(connection, userId, params);
          requireAll(access, own);
          await requireFactorFor(connection, access, own);
          return access;
        },
        scopesOf: ({ serverId, channel }) => [{ server_id: serverId, channel_id: channel.id }],
      }),
  };
}

/**
 * Reads a channel that the caller may view.
 *
 * @param missing text of the 404, for resources inside a channel
 * @throws ServiceError 404 for a missing channel and for non-members, 403 without VIEW_CHANNEL
 */
export async function requireChannel(
  connection: Queryable,
  channelId: string,
  userId: string,
  missing: string = errorTexts.channel_not_found,
): Promise<ChannelAccess> {
  const access = await findChannelAccess(connection, channelId, userId);
  if (access === null) throw notFound(missing);
  requireAll(access, [viewing]);
  return access;
}

function askedInServer<Access extends { serverId: string; userId: string }>(
  stores: Stores,
  rule: Rule<Access>,
): RightInServer<Access> {
  return asked<Access, ServerChange<Access>>(stores, rule, (change) => ({
    ...change,
    audit(action, targetId, details) {
      const { serverId, userId: actorId } = change.access;
      const [scope] = rule.scopesOf(change.access);
      const orderKey = scope !== undefined && "channel_id" in scope ? scope.channel_id : undefined;
      return announceAudit(change, { serverId, actorId, action, targetId, details }, orderKey);
    },
  }));
}
