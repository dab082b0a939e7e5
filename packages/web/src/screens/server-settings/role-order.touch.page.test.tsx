import { permissionBits } from "@parley/contracts";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { finger, stillMiddleOf } from "../../page-stage/finger.js";
import { community, heldRole, role, user } from "../../page-stage/fixtures.js";
import { counted, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

const handle = (name: string) => page.getByRole("button", { name: `Move ${name}`, exact: true });

test("roles are dragged with a finger, below one's own highest role", async () => {
  const [ada, deputy] = [user("ada"), user("deputy")];
  const club = community([ada, deputy]);
  const { MANAGE_ROLES } = permissionBits;
  club.roles = (
    [
      ["Board", 9, 0],
      ["Deputy", 8, MANAGE_ROLES],
      ["Arbiter", 3, 0],
      ["Trainer", 2, 0],
      ["Player", 1, 0],
    ] as const
  ).map(([name, position, permissions]) => role(club.server, { name, position, permissions }));
  const held = club.roles.filter(({ name }) => name === "Deputy").map(heldRole);
  club.members = club.members.map((one) => (one.user_id === deputy.id ? { ...one, roles: held } : one));
  const { server, socket } = await visit(world(deputy, [club]), { path: `/servers/${club.server.id}/settings/roles` });
  server.on<{ position: number }>("PATCH /servers/:id/roles/:role", ({ params, body }) => {
    const changed = club.roles.find(({ id }) => id === params.role);
    if (changed === undefined) throw new Error("There is no such role.");
    Object.assign(changed, body);
    socket.event("ROLE_UPDATE", { ...changed });
    return changed;
  });
  const list = page.getByRole("main").getByRole("list", { name: "Roles", exact: true });
  const inOrder = (names: readonly string[]) =>
    expect
      .poll(() =>
        list
          .getByRole("button", { name: /^Move / })
          .elements()
          .map((element) => element.getAttribute("aria-label")?.slice("Move ".length)),
      )
      .toEqual(names);
  await inOrder(["Arbiter", "Trainer", "Player"]);
  await counted(list.getByRole("listitem"), 5);
  handle("Player").element().scrollIntoView({ block: "center" });
  const from = await stillMiddleOf(handle("Player"));
  const to = await stillMiddleOf(handle("Arbiter"));
  await finger.down(from.x, from.y);
  for (const part of [0.3, 0.7, 1]) await finger.move(from.x, from.y + (to.y - from.y) * part);
  await shown(page.getByCss("[data-drop=before]").filter({ hasText: "Arbiter" }));
  await finger.up();
  await inOrder(["Player", "Arbiter", "Trainer"]);
  const stored = () => club.roles.toSorted((a, b) => b.position - a.position).map(({ name }) => name);
  await expect.poll(stored).toEqual(["Board", "Deputy", "Player", "Arbiter", "Trainer"]);
});
