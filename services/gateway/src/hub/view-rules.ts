import { permissionBits } from "@parley/contracts";
import type { ViewOverrides } from "@parley/permissions";

/** A snapshot of everything that determines who may view a server's channels. */
export interface ViewRules {
  ownerId: string;
  administratorRoles: ReadonlySet<string>;
  /** Every channel; null where no override takes VIEW_CHANNEL away, so that every member may view it. */
  channels: ReadonlyMap<string, ChannelViewRule | null>;
}

/**
 * The overrides of one channel, as far as they concern VIEW_CHANNEL. They are parsed at the first use: a server may
 * have 50,000 of them, and parsing them all at every change would block the event loop.
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
 * arrays and JSON cost to write and to read. Channels are separated by commas; the id of a restricted one is followed
 * by its overrides, each after a blank: R or r for a role that is allowed or denied, U or u for a user, then the id.
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

/** Parses the text of {@link channelRulesOf}; null for a server without channels. */
export function parseChannelRules(text: string | null): Map<string, ChannelViewRule | null> {
  const channels = new Map<string, ChannelViewRule | null>();
  for (const channel of text?.split(",") ?? []) {
    const end = channel.indexOf(" ");
    if (end === -1) channels.set(channel, null);
    else channels.set(channel.slice(0, end), new ChannelViewRule(channel.slice(end + 1)));
  }
  return channels;
}
