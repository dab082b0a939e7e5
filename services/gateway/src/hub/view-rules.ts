import { permissionBits } from "@parley/contracts";
import type { ViewOverrides } from "@parley/permissions";

/** Everything about a server that decides who may view its channels, as of one moment. */
export interface ViewRules {
  ownerId: string;
  administratorRoles: ReadonlySet<string>;
  /** Every channel; null where no override takes VIEW_CHANNEL away, so that every member may view it. */
  channels: ReadonlyMap<string, ChannelViewRule | null>;
}

/**
 * What the overrides of one channel say about VIEW_CHANNEL. They are read at the first question about the channel: a
 * server may have 50,000 of them, which must not hold the event loop up whenever one of them changes.
 */
export class ChannelViewRule {
  #text: string;
  #overrides: ViewOverrides | null = null;

  /** @param text as {@link channelRulesOf} writes it, without the channel */
  constructor(text: string) {
    this.#text = text;
  }

  get overrides(): ViewOverrides {
    if (this.#overrides !== null) return this.#overrides;
    const allowedRoles = new Set<string>();
    const deniedRoles = new Set<string>();
    const allowedUsers = new Set<string>();
    const deniedUsers = new Set<string>();
    for (const part of this.#text.split(" ")) {
      const id = part.slice(1);
      if (part.startsWith("r")) deniedRoles.add(id);
      else if (part.startsWith("R")) allowedRoles.add(id);
      else if (part.startsWith("u")) deniedUsers.add(id);
      else if (part.startsWith("U")) allowedUsers.add(id);
    }
    this.#overrides = { allowedRoles, deniedRoles, allowedUsers, deniedUsers };
    this.#text = "";
    return this.#overrides;
  }
}

const view = permissionBits.VIEW_CHANNEL;

/**
 * SQL for the rules of a server's channels in the order of their positions, as text, which costs a fraction of what
 * arrays and JSON cost on either side. Channels are separated by commas; behind the id of a restricted one its
 * overrides,
 * each with a blank before it: R or r for a role that is allowed or denied, U or u for a user, then the id.
 *
 * @param server expression of the server's id
 */
export const channelRulesOf = (server: string) => `(
  SELECT string_agg(concat_ws(' ', c.id, (
    SELECT string_agg(concat_ws(' ',
      CASE WHEN o.allow & ${view} <> 0 THEN coalesce('R' || o.role_id, 'U' || o.user_id) END,
      CASE WHEN o.deny & ${view} <> 0 THEN coalesce('r' || o.role_id, 'u' || o.user_id) END), ' ')
    FROM channel_overrides o
    WHERE o.channel_id = c.id AND (o.allow | o.deny) & ${view} <> 0
    HAVING bool_or(o.deny & ${view} <> 0))), ',' ORDER BY c.position, c.id)
  FROM channels c WHERE c.server_id = ${server})`;

/** Reads what {@link channelRulesOf} wrote; null for a server without channels. */
export function parseChannelRules(text: string | null): Map<string, ChannelViewRule | null> {
  const channels = new Map<string, ChannelViewRule | null>();
  for (const channel of text?.split(",") ?? []) {
    const end = channel.indexOf(" ");
    if (end === -1) channels.set(channel, null);
    else channels.set(channel.slice(0, end), new ChannelViewRule(channel.slice(end + 1)));
  }
  return channels;
}
