import { permissionBits } from "@parley/contracts";
import { channelRuleOf, impliesRights, type ServerViewRules, type ViewOverrides } from "@parley/permissions";
import { z } from "zod";

/** A role's contribution to the rights of its members (docs/protocol/permissions.md#24.2). */
export interface RoleRights {
  readonly permissions: number;
  readonly rights: number;
}

/** A snapshot of everything that determines the viewers of a server's channels, and the members with its rights. */
export interface ViewRules extends ServerViewRules {
  readonly everyone: RoleRights;
  /** Roles by id; those that give no right are missing. */
  readonly roleRights: ReadonlyMap<string, RoleRights>;
  /** Every channel; null where every member may view it, by the everyone role without any override against it. */
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
    let everyone: ViewOverrides["everyone"] = "allowed";
    for (const part of this.#text.split(" ")) {
      const id = part.slice(1);
      // First of all parts, so that an override of the everyone role replaces it.
      if (part === "b") everyone = "by roles";
      else if (part === "E") everyone = "allowed";
      else if (part === "e") everyone = "denied";
      else if (part.startsWith("r")) deniedRoles.add(id);
      else if (part.startsWith("R")) allowedRoles.add(id);
      else if (part.startsWith("u")) deniedUsers.add(id);
      else if (part.startsWith("U")) allowedUsers.add(id);
    }
    this.#overrides = { allowedRoles, deniedRoles, allowedUsers, deniedUsers, everyone };
    this.#text = "";
    return this.#overrides;
  }
}

/** SQL for the ids of the roles of the server `s` that hold a permission. */
const rolesWith = (bit: number) =>
  `ARRAY(SELECT r.id FROM roles r WHERE r.server_id = s.id AND r.permissions & ${bit} <> 0)`;

/**
 * The columns for the view rules of the server `s`, read by {@link parseViewRules}.
 *
 * The rules of its channels are text, in the order of their positions. Channels are separated by commas; the id of a
 * restricted one is followed by a blank and its rule.
 */
export const viewRuleColumns = {
  roles: `s.owner_id, ${rolesWith(permissionBits.ADMINISTRATOR)} AS administrator_roles,
  CASE WHEN s.everyone_permissions & ${permissionBits.VIEW_CHANNEL} = 0
    THEN ${rolesWith(permissionBits.VIEW_CHANNEL)} ELSE '{}' END AS viewing_roles,
  s.everyone_permissions, s.everyone_rights,
  ARRAY(SELECT concat_ws(' ', r.id, r.permissions, r.rights) FROM roles r
    WHERE r.server_id = s.id AND (r.rights <> 0 OR r.permissions & ${impliesRights} <> 0)) AS role_rights`,
  channels: `(
  SELECT string_agg(concat_ws(' ', c.id, ${channelRuleOf({ channel: "c.id", everyone: "s.everyone_permissions" })}), ','
    ORDER BY c.position, c.id)
  FROM channels c WHERE c.server_id = s.id)`,
};

/** Row shape of {@link viewRuleColumns}, the second one named `channels`; null for a server without channels. */
export const viewRuleRow = z.object({
  owner_id: z.string(),
  administrator_roles: z.array(z.string()),
  viewing_roles: z.array(z.string()),
  everyone_permissions: z.int(),
  everyone_rights: z.int(),
  role_rights: z.array(z.string()),
  channels: z.string().nullable(),
});

export const parseViewRules = (row: z.infer<typeof viewRuleRow>): ViewRules => ({
  ownerId: row.owner_id,
  administratorRoles: new Set(row.administrator_roles),
  viewingRoles: new Set(row.viewing_roles),
  everyone: { permissions: row.everyone_permissions, rights: row.everyone_rights },
  roleRights: new Map(row.role_rights.map(parseRoleRights)),
  channels: parseChannelRules(row.channels),
});

function parseRoleRights(text: string): [string, RoleRights] {
  const [id = "", permissions, rights] = text.split(" ");
  return [id, { permissions: Number(permissions), rights: Number(rights) }];
}

function parseChannelRules(text: string | null): Map<string, ChannelViewRule | null> {
  const channels = new Map<string, ChannelViewRule | null>();
  for (const channel of text?.split(",") ?? []) {
    const end = channel.indexOf(" ");
    if (end === -1) channels.set(channel, null);
    else channels.set(channel.slice(0, end), new ChannelViewRule(channel.slice(end + 1)));
  }
  return channels;
}
