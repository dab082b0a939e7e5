import { permissionBits } from "@parley/contracts";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { menuOf } from "../../page-stage/conversation.js";
import { community, heldRole, newId, role, user } from "../../page-stage/fixtures.js";
import { counted, shown } from "../../page-stage/seeing.js";
import { row } from "../../page-stage/settings.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

const { VIEW_CHANNEL, BAN_MEMBERS, MUTE_MEMBERS, MANAGE_CHANNELS } = permissionBits;

test.each([
  ["a moderator", "mona", ["Overview", "Files", "Members", "Bans", "Newcomers and raids"], ["Time out", "Ban"]],
  ["a member", "nils", ["Overview", "Files", "Members"], []],
  ["who manages one channel", "otto", ["Overview", "Channels", "Files", "Members"], []],
] as const)(
  "the settings of a server offer %s what they may do, and nothing else",
  async (_who, name, sections, actions) => {
    const people = { ada: user("ada"), mona: user("mona"), nils: user("nils"), otto: user("otto") };
    const club = community([people.ada, people.mona, people.nils, people.otto]);
    const [general] = club.channels;
    const guard = role(club.server, { name: "Guard", permissions: VIEW_CHANNEL | BAN_MEMBERS | MUTE_MEMBERS });
    club.roles.push(guard);
    club.members = club.members.map((one) =>
      one.user_id === people.mona.id ? { ...one, roles: [heldRole(guard)] } : one,
    );
    const override = { id: newId(), channel_id: general.id, role_id: null, user_id: people.otto.id };
    const overrides = { [general.id]: [{ ...override, allow: MANAGE_CHANNELS, deny: 0 }] };
    const stage = await visit(world(people[name], [club], { ready: { channel_overrides: overrides } }), {
      path: `/servers/${club.server.id}/settings/members`,
    });
    const other = row("Members", name === "mona" ? "nils" : "mona");
    await shown(other);
    const links = page.getByRole("navigation", { name: /^Settings of/ }).getByRole("link");
    await expect.poll(() => links.elements().map(({ textContent }) => textContent)).toEqual(sections);
    await stage.settled();
    await counted(other.getByRole("button"), Math.min(actions.length, 1));
    if (actions.length === 0) return;
    await menuOf(other).click();
    const items = page.getByRole("menuitem");
    await expect.poll(() => items.elements().map(({ textContent }) => textContent)).toEqual(actions);
  },
);
