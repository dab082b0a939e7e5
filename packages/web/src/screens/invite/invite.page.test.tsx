import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { composer } from "../../page-stage/conversation.js";
import { noNetwork, refuse } from "../../page-stage/fake-server.js";
import { community, member, user } from "../../page-stage/fixtures.js";
import { loginForm } from "../../page-stage/login.js";
import { shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

const code = "Qu33nSid";

test("an invite leads somebody else into the server", async () => {
  const [ada, dora] = [user("ada"), user("dora")];
  const club = community([ada]);
  const there = world(dora);
  const stage = await visit(there, {
    path: `/invite/${code}`,
    prepare: (fresh) =>
      fresh.on("GET /invites/:code/preview", () => ({
        code,
        server_name: club.server.name,
        server_icon_url: null,
        member_count: 1,
        online_count: 1,
        expires_at: null,
      })),
  });
  await shown(page.getByRole("heading", { name: club.server.name, level: 1 }));
  const { server, socket } = stage;
  server.on("POST /invites/:code/accept", () => {
    club.members.push(member(dora));
    there.communities.push(club);
    const { member_count: _count, ...joined } = club.server;
    socket.event("SERVER_JOIN", {
      server: joined,
      roles: [club.everyone],
      channel_overrides: {},
      member: member(dora),
    });
    return { message: "Joined server", server_id: club.server.id };
  });
  await page.getByRole("button", { name: "Join" }).click();
  await shown(composer());
  expect(server.requests("POST /invites/:code/accept").map(({ path }) => path)).toEqual([`/invites/${code}/accept`]);
});

test("an invite that does not work says so before the login, and leads on", async () => {
  await visit(null, {
    path: `/invite/${code}`,
    prepare: (server) => server.on("GET /invites/:code/preview", () => refuse(404, "Invite not found or has expired")),
  });
  await shown(page.getByRole("heading", { name: "This invite doesn’t work", level: 1 }));
  await shown(page.getByText("This invite has expired or never existed. Ask for a new one."));
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await shown(loginForm());
  expect(location.search).toBe("");
});

test("an invite that cannot be looked at now is not called invalid", async () => {
  const { server } = await visit(world(user("dora")), {
    path: `/invite/${code}`,
    prepare: (fresh) => fresh.on("GET /invites/:code/preview", noNetwork),
  });
  await shown(page.getByRole("alert").getByText(/^The server cannot be reached/));
  server.on("GET /invites/:code/preview", () => ({
    ...{ code, server_name: "Chess club", server_icon_url: null, member_count: 1, online_count: 1, expires_at: null },
  }));
  await page.getByRole("button", { name: "Try again" }).click();
  await shown(page.getByRole("heading", { name: "Chess club", level: 1 }));
});
