import type { NewMessage, Server, User } from "@parley/client";
import { errorBody } from "@parley/contracts";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { act, composer, confirmWith, messageWith, sentMessage, write } from "../../../page-stage/conversation.js";
import { answer, refuse } from "../../../page-stage/fake-server.js";
import {
  type Community,
  channel,
  channelPath,
  community,
  emoji,
  member,
  message,
  newId,
  role,
  user,
} from "../../../page-stage/fixtures.js";
import { welcome } from "../../../page-stage/login.js";
import { gone, shown } from "../../../page-stage/seeing.js";
import { type Stage, visit } from "../../../page-stage/stage.js";
import { type World, world } from "../../../page-stage/world.js";

// A member's page while others change the settings of the server.

interface Membership extends Stage {
  readonly ada: User;
  readonly ben: User;
  readonly club: Community;
  readonly there: World;
}

/** Ben's browser: a member of Ada's server, with its channel open. */
async function openMembership(prepare: (club: Community) => void = () => undefined): Promise<Membership> {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  prepare(club);
  const there = world(ben, [club]);
  const stage = await visit(there, { path: channelPath(club.channels[0]) });
  await shown(composer());
  // Settled, so that a later event changes data that the page has read already.
  await stage.settled();
  return Object.assign(stage, { ada, ben, club, there });
}

const serverLink = ({ server }: Community) =>
  page.getByRole("navigation", { name: "Servers" }).getByRole("link", { name: server.name });

test("a role that a member is given stands in the list of members, and its permission works at once", async () => {
  const { server, socket, arrives, ada, ben, club } = await openMembership();
  const [general] = club.channels;
  const arbiter = role(club.server, { name: "Arbiter", permissions: 4 });
  club.roles.push(arbiter);
  socket.event("ROLE_CREATE", arbiter);
  socket.event("MEMBER_ROLE_ADD", {
    server_id: club.server.id,
    user_id: ben.id,
    role_id: arbiter.id,
    role_name: arbiter.name,
    role_color: arbiter.color,
  });
  await shown(page.getByRole("region", { name: "Members" }).getByRole("heading", { name: /^Arbiter/ }));
  const sent = message(general, ada, "For Ben to remove");
  arrives(sent);
  server.on("DELETE /messages/:id", ({ params: { id = "" } }) =>
    socket.event("MESSAGE_DELETE", { id, channel_id: general.id }),
  );
  await act("For Ben to remove", "More");
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await confirmWith("Delete");
  await gone(messageWith("For Ben to remove"));
  expect(server.requests("DELETE /messages/:id").map(({ path }) => path)).toEqual([`/messages/${sent.id}`]);
});

test("a channel goes from the list with an override, and comes back without it", async () => {
  const { socket, ben, club } = await openMembership(({ server, channels }) => {
    channels.push(channel(server, "committee"));
  });
  const committee = club.channels[1];
  const link = page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name: "committee" });
  await shown(link);
  const override = { id: newId(), channel_id: committee?.id ?? "", role_id: null, user_id: ben.id, allow: 0, deny: 1 };
  socket.event("CHANNEL_OVERRIDE_UPDATE", override);
  await gone(link);
  socket.event("CHANNEL_OVERRIDE_DELETE", { channel_id: override.channel_id, override_id: override.id });
  await shown(link);
});

test("a timed-out member reads on and cannot write until the timeout ends", async () => {
  const { socket, arrives, ada, ben, club } = await openMembership();
  const about = { server_id: club.server.id, user_id: ben.id };
  socket.event("MEMBER_TIMEOUT", { ...about, expires_at: "2099-01-01T00:00:00.000Z", reason: "Too loud" });
  await shown(page.getByText(/^You are timed out until/));
  await gone(composer());
  arrives(message(club.channels[0], ada, "Read on"));
  await shown(messageWith("Read on"));
  socket.event("MEMBER_TIMEOUT_REMOVE", about);
  await shown(composer());
});

test("a kicked member leaves the server at once, and finds it again", async () => {
  const { server, socket, ben, club, there } = await openMembership();
  await shown(serverLink(club));
  there.communities = [];
  socket.event("SERVER_LEAVE", { server_id: club.server.id, reason: "kicked" });
  await gone(serverLink(club));
  server.on("GET /servers/browse", (): Server[] => [club.server]);
  server.on("POST /servers/:id/join", () => {
    there.communities = [club];
    const { member_count: _count, ...joined } = club.server;
    const roles = [club.everyone];
    socket.event("SERVER_JOIN", { server: joined, roles, channel_overrides: {}, member: member(ben) });
    return { message: "Joined server", server_id: club.server.id };
  });
  await page.getByRole("link", { name: "Discover servers" }).click();
  const card = page.getByRole("main").getByRole("listitem").filter({ hasText: club.server.name });
  await card.getByRole("button", { name: "Join" }).click();
  await shown(composer());
  await shown(serverLink(club));
});

test("a banned member leaves the server at once, and learns of the ban when they try to come back", async () => {
  const { server, socket, club, there } = await openMembership();
  await shown(serverLink(club));
  there.communities = [];
  socket.event("SERVER_LEAVE", { server_id: club.server.id, reason: "banned" });
  await gone(serverLink(club));
  server.on("GET /servers/browse", (): Server[] => [club.server]);
  server.on("POST /servers/:id/join", () => refuse(403, "You are banned from this server"));
  await page.getByRole("link", { name: "Discover servers" }).click();
  const card = page.getByRole("main").getByRole("listitem").filter({ hasText: club.server.name });
  await card.getByRole("button", { name: "Join" }).click();
  await shown(card.getByRole("alert"));
});

test("an emoji that is added to the server is picked and sent at once", async () => {
  const { socket, club } = await openMembership();
  const rook = emoji(club.server, "rook");
  socket.event("CUSTOM_EMOJI_CREATE", rook);
  await page.getByRole("button", { name: "Emoji", exact: true }).click();
  const picker = page.getByRole("region", { name: "Emoji" });
  await picker.getByRole("button", { name: ":rook:" }).click();
  await gone(picker);
  await userEvent.keyboard("to e4{Enter}");
  await shown(messageWith("to e4").getByRole("img", { name: ":rook:" }));
});

test("a message that the word filter refuses is changed by its author, and not sent again as it is", async () => {
  const { server } = await openMembership();
  const refusal = page.getByRole("alert").filter({ hasText: "Message blocked by word filter" });
  server.on<NewMessage>("POST /channels/:id/messages", () => refuse(403, "Message blocked by word filter"));
  await write("You are checkmated");
  await shown(messageWith("You are checkmated"));
  await shown(refusal);
  await expect
    .poll(() =>
      refusal
        .getByRole("button")
        .elements()
        .map(({ textContent }) => textContent),
    )
    .toEqual(["Edit", "Delete"]);
  expect(server.requests("POST /channels/:id/messages")).toHaveLength(1);
  server.on<NewMessage>("POST /channels/:id/messages", ({ params: { id = "" }, body }) => {
    const {
      reactions: _reactions,
      previews: _previews,
      author: _author,
      attachments: _files,
      ...sent
    } = message({ id }, { id: newId(), username: "ben" }, body.content);
    return { ...sent, nonce: body.nonce };
  });
  await refusal.getByRole("button", { name: "Edit" }).click();
  await expect.element(composer()).toHaveValue("You are checkmated");
  await write("You are mated");
  await sentMessage("You are mated");
  await gone(messageWith("You are checkmated"));
});

test("a message that a rule of the server refuses shows the text of the rule", async () => {
  const { server } = await openMembership();
  const text = "No such links here";
  server.on("POST /channels/:id/messages", () => answer(403, errorBody(text, "message_blocked_by_rule")));
  await write("what a SCAM");
  await shown(page.getByRole("alert").filter({ hasText: text }));
});

test("a member who is banned while they read a channel learns the reason, and stands in no server", async () => {
  const { socket, ben, club, there } = await openMembership();
  await shown(serverLink(club));
  there.communities = [];
  const { id: server_id, name } = club.server;
  socket.event("MEMBER_BAN", { server_id, user_id: ben.id, reason: "Spam" });
  socket.event("SERVER_LEAVE", { server_id, reason: "banned" });
  await shown(page.getByRole("status").getByText(`You were banned from ${name}: Spam`));
  await shown(welcome());
  await gone(composer());
});
