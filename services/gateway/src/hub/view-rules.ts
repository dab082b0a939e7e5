import { channelRuleOf, type ViewOverrides } from "@parley/permissions";

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

  /** @param text as `channelRuleOf` writes it */
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

/**
 * SQL for the rules of a server's channels in the order of their positions, as text. Channels are separated by commas;
 * the id of a restricted one is followed by a blank and its rule.
 *
 * @param server expression of the server's id
 */
export const channelRulesOf = (server: string) => `(
  SELECT string_agg(concat_ws(' ', c.id, ${channelRuleOf("c.id")}), ',' ORDER BY c.position, c.id)
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
