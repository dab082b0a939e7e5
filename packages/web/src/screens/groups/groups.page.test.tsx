import type { GroupChannel, User } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { messageWith } from "../../page-stage/conversation.js";
import { findingsInBothSchemes } from "../../page-stage/findings.js";
import { community, madeAt, member, newId, profile, user } from "../../page-stage/fixtures.js";
import { pressAt } from "../../page-stage/keys.js";
import { counted, gone, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

const button = (name: string) => page.getByRole("button", { name, exact: true });
const other = (person: User) => ({ ...profile(person), email: null, is_admin: false }) as const;
const title = (name: string) => page.getByRole("heading", { name, exact: true });

/** A group as one of its people has it. */
function groupOf(owner: User, others: readonly [User, ...User[]], changes: Partial<GroupChannel> = {}): GroupChannel {
  const [first] = others;
  return {
    ...{ id: newId(), type: "group", recipient: other(first), recipients: others.map(other), name: null },
    ...{ owner_id: owner.id, icon_url: null, created_at: madeAt, last_message_at: null, ...changes },
  };
}

test("a group is opened from the keyboard, named, gets a picture and people, and is left", async () => {
  const [ada, ben, cleo, dora] = [user("ada"), user("ben"), user("cleo"), user("dora")];
  const stage = await visit(world(ada, [community([ada, ben, cleo, dora])]), { path: "/dm" });
  const { server, socket } = stage;
  let group = groupOf(ada, [ben, cleo]);
  const change = (changes: Partial<GroupChannel>): GroupChannel => {
    group = { ...group, ...changes };
    socket.event("DM_CHANNEL_UPDATE", group);
    return group;
  };
  server.on("POST /dm-channels", () => {
    socket.event("DM_CHANNEL_CREATE", group);
    return group;
  });
  server.on<{ name: string }>("PATCH /dm-channels/:id", ({ body }) => change(body));
  server.on("POST /dm-channels/:id/icon", () => change({ icon_url: "/app/icon-192.png" }));
  server.on("PUT /dm-channels/:id/recipients/:user", () => {
    change({ recipients: [...group.recipients, other(dora)] });
  });
  server.on("DELETE /dm-channels/:id/recipients/:user", ({ params: { user: id } }) => {
    change({ recipients: group.recipients.filter((one) => one.id !== id) });
  });
  server.on("DELETE /dm-channels/:id/recipients/@me", () =>
    socket.event("DM_CHANNEL_LEAVE", { channel_id: group.id, user_id: ada.id }),
  );

  await pressAt(button("New group"), "{Enter}");
  const creating = page.getByRole("dialog", { name: "New group" });
  await expect.element(button("Start the group")).toBeDisabled();
  for (const name of ["ben", "cleo"]) {
    await creating.getByRole("searchbox", { name: "Find people" }).fill(name);
    await pressAt(creating.getByRole("checkbox", { name }), " ");
  }
  await shown(creating.getByText("2 people chosen, 9 at most."));
  expect(await findingsInBothSchemes()).toEqual([]);
  await pressAt(button("Start the group"), "{Enter}");
  await shown(title("ben, cleo"));
  expect(server.requests("POST /dm-channels").map(({ body }) => body)).toEqual([
    { user_ids: [ben.id, cleo.id], name: null },
  ]);
  await shown(page.getByRole("link", { name: /3 people/ }));

  await pressAt(button("People and settings of the group"), "{Enter}");
  const dialog = page.getByRole("dialog", { name: "Group" });
  await dialog.getByRole("textbox", { name: "Name of the group" }).fill("Friday chess");
  await pressAt(button("Save"), "{Enter}");
  await shown(page.getByCss("header h1").filter({ hasText: "Friday chess" }));
  const picture = new File(["a picture"], "group.png", { type: "image/png" });
  await dialog.getByLabelText("Picture file").upload(picture);
  await pressAt(button("Use this picture"), "{Enter}");
  await shown(page.getByCss("header img[src*='icon-192']"));
  expect(server.requests("POST /dm-channels/:id/icon").at(-1)?.form?.get("image")).toMatchObject({ name: "group.png" });

  await pressAt(button("Add people"), "{Enter}");
  await dialog.getByRole("searchbox", { name: "Find people" }).fill("dora");
  await pressAt(dialog.getByRole("checkbox", { name: "dora" }), " ");
  await pressAt(button("Add people"), "{Enter}");
  const people = dialog.getByRole("list", { name: "In this group" });
  await shown(people.getByText("dora"));
  await shown(people.getByText("cleo"));
  expect(server.requests("PUT /dm-channels/:id/recipients/:user").at(-1)?.path).toContain(`/recipients/${dora.id}`);
  expect(await findingsInBothSchemes()).toEqual([]);
  await pressAt(button("Remove cleo from the group"), "{Enter}");
  await gone(people.getByText("cleo"));
  expect(server.requests("DELETE /dm-channels/:id/recipients/:user").at(-1)?.path).toContain(`/recipients/${cleo.id}`);

  await pressAt(button("Leave the group"), "{Enter}");
  const question = page.getByRole("dialog", { name: "Leave Friday chess?" });
  await question.getByRole("button", { name: "Leave the group" }).click();
  await shown(title("Welcome to Parley"));
  await stage.settled();
  await gone(page.getByRole("link", { name: /Friday chess/ }));
  expect(server.requests("DELETE /dm-channels/:id/recipients/@me")).toHaveLength(1);
});

test("a member of a group follows its name, picture, people and owner, until they are removed", async () => {
  const [ada, ben, cleo, dora] = [user("ada"), user("ben"), user("cleo"), user("dora")];
  const stage = await visit(world(ben), { path: "/dm" });
  await stage.settled();
  const group = groupOf(ada, [ada, cleo]);
  stage.socket.event("DM_CHANNEL_CREATE", group);
  await page.getByRole("link", { name: /3 people/ }).click();
  await shown(title("ada, cleo"));
  await stage.settled();
  stage.socket.event("DM_MESSAGE_CREATE", {
    ...{ id: newId(), channel_id: group.id, author_id: cleo.id, content: "Who plays white?", edited_at: null },
    ...{ created_at: madeAt, author: { id: cleo.id, username: "cleo", nickname: null, avatar_url: null } },
  });
  await shown(messageWith("Who plays white?"));

  stage.socket.event("DM_CHANNEL_UPDATE", { ...group, name: "Friday chess" });
  await shown(title("Friday chess"));
  const pictured = { ...group, name: "Friday chess", icon_url: "/app/icon-192.png" };
  stage.socket.event("DM_CHANNEL_UPDATE", pictured);
  await shown(page.getByCss("header img[src*='icon-192']"));
  stage.socket.event("DM_CHANNEL_UPDATE", { ...pictured, recipients: [ada, cleo, dora].map(other) });
  await shown(page.getByText("4 people").first());
  stage.socket.event("DM_CHANNEL_UPDATE", { ...pictured, owner_id: ben.id, recipients: [other(dora)] });
  await button("People and settings of the group").click();
  const people = page.getByRole("dialog", { name: "Group" }).getByRole("listitem");
  await shown(people.filter({ hasText: "(you)" }).getByText("Owner"));
  await counted(people, 2);
  stage.socket.event("DM_CHANNEL_LEAVE", { channel_id: group.id, user_id: ben.id });
  await gone(title("Friday chess"));
  await stage.settled();
  await gone(page.getByRole("link", { name: /Friday chess/ }));
});

test("somebody who is chosen for a group and renamed stays chosen by their new name, also when it is not looked for", async () => {
  const [ada, ben, cleo] = [user("ada"), user("ben"), user("cleo")];
  const club = community([ada, ben, cleo]);
  const stage = await visit(world(ada, [club]), { path: "/dm" });
  await stage.settled();
  await button("New group").click();
  const dialog = page.getByRole("dialog", { name: "New group" });
  await dialog.getByRole("checkbox", { name: "ben", exact: true }).click();
  await dialog.getByRole("searchbox", { name: "Find people" }).fill("cleo");
  await counted(dialog.getByRole("checkbox"), 2);
  stage.socket.event("MEMBER_UPDATE", { server_id: club.server.id, member: member({ ...ben, username: "benjamin" }) });
  await expect.element(dialog.getByRole("checkbox", { name: "benjamin" })).toBeChecked();
  await dialog.getByRole("checkbox", { name: "cleo" }).click();
  stage.server.on("POST /dm-channels", () => groupOf(ada, [ben, cleo]));
  await button("Start the group").click();
  await gone(dialog);
  expect(stage.server.requests("POST /dm-channels").map(({ body }) => body)).toMatchObject([
    { user_ids: [ben.id, cleo.id] },
  ]);
});
