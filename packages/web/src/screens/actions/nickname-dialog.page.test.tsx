import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { messageWith, write } from "../../page-stage/conversation.js";
import { channelPath, community, madeAt, member, message, user } from "../../page-stage/fixtures.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

interface Renaming {
  nickname: string | null;
}

/** Fills in the dialog that changes a nickname. */
async function rename(title: string, { from, to }: { from: string; to: string }): Promise<void> {
  const dialog = page.getByRole("dialog", { name: title });
  const field = dialog.getByRole("textbox", { name: "Nickname" });
  await expect.element(field).toHaveValue(from);
  await field.fill(to);
  await dialog.getByRole("button", { name: "Save" }).click();
  await gone(dialog);
}

const author = (name: string) => messageWith("Good evening").getByRole("button", { name, exact: true });

test("a member's own nickname stands for them wherever the server names them", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  const stage = await visit(world(ben, [club]), { path: channelPath(general) });
  const { server } = stage;
  server.on<Renaming>("PATCH /servers/:id/members/@me", ({ body }) => member(ben, body));
  await write("Good evening");
  await shown(author("ben"));

  await page.getByRole("button", { name: "Chess club: menu" }).click();
  await page.getByRole("menuitem", { name: "Change nickname" }).click();
  await rename("Change nickname", { from: "", to: "The rook" });
  expect(server.requests("PATCH /servers/:id/members/@me").map(({ body }) => body)).toEqual([{ nickname: "The rook" }]);
  stage.socket.event("MEMBER_UPDATE", { server_id: club.server.id, member: member(ben, { nickname: "The rook" }) });
  await shown(author("The rook"));
  stage.arrives(message(general, ada, "Welcome, @ben!", { mention_user_ids: [ben.id] }));
  await messageWith("Welcome").getByRole("button", { name: "@The rook", exact: true }).click();
  const card = page.getByRole("dialog", { name: "Profile" });
  await shown(card.getByRole("heading", { name: "The rook" }));
  await shown(card.getByText("@ben", { exact: true }));
  await shown(card.getByRole("button", { name: "Change nickname" }));
  await userEvent.keyboard("{Escape}");
  await gone(card);

  // The owner's nickname is the owner's.
  await messageWith("Welcome").getByRole("button", { name: "ada", exact: true }).click({ button: "right" });
  await shown(page.getByRole("menuitem", { name: "Mention" }));
  await gone(page.getByRole("menuitem", { name: "Change nickname" }));
});

test("the nickname of another member is seen as it changes, and a moderator changes it", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  club.messages[general.id] = [message(general, ben, "Good evening")];
  const stage = await visit(world(ada, [club]), { path: channelPath(general) });
  const { server } = stage;
  const members = page.getByRole("region", { name: "Members" });
  await shown(author("ben"));
  await shown(members.getByText("ben"));
  await stage.settled();
  const update = (nickname: string | null) =>
    stage.socket.event("MEMBER_UPDATE", { server_id: club.server.id, member: member(ben, { nickname }) });
  update("The rook");
  await shown(author("The rook"));
  await shown(members.getByRole("button", { name: /^The rook/ }));
  await gone(members.getByText("ben"));
  stage.socket.event("TYPING_START", { user_id: ben.id, username: "ben", channel_id: general.id, timestamp: madeAt });
  await shown(page.getByText("The rook is typing …"));

  server.on<Renaming>("PATCH /servers/:id/members/:user", ({ body }) => member(ben, body));
  await author("The rook").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Change nickname" }).click();
  await rename("Nickname of ben", { from: "The rook", to: " " });
  await shown(author("ben"));
  const [asked] = server.requests("PATCH /servers/:id/members/:user");
  expect([asked?.path, asked?.body]).toEqual([`/servers/${club.server.id}/members/${ben.id}`, { nickname: null }]);
});
