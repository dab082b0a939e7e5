import type { BotProfile, User } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { type FakeServer, refuse } from "../../page-stage/fake-server.js";
import { findingsInBothSchemes } from "../../page-stage/findings.js";
import { community, member, newId, user } from "../../page-stage/fixtures.js";
import { counted, shown } from "../../page-stage/seeing.js";
import { tokenOf, visit } from "../../page-stage/stage.js";
import { answerFromWorld, readyOf, world } from "../../page-stage/world.js";

const managing = "Pin messages and delete other people’s";
const sends = 2;
const manages = 4;

const chess: BotProfile = {
  ...{ id: newId(), user_id: newId(), name: "Chess", description: "Plays chess", avatar_url: null, is_public: true },
  ...{ requested_permissions: sends | manages, command_count: 0, server_count: 0 },
};
const path = `/add-bot/${chess.id}`;
const answerProfile = (server: FakeServer) => server.on("GET /bots/:id/profile", () => chess);
const server = () => page.getByLabelText("Server", { exact: true });
const add = () => page.getByRole("button", { name: "Add", exact: true });

function makeServers(ben: User) {
  const club = community([ben], { name: "Chess club" });
  const there = world(ben, [club, community([ben], { name: "Book club" }), community([user("ada"), ben])]);
  return { club, there };
}

test("the link of a bot leads a user through the login to their servers, to add the bot to one", async () => {
  const ben = user("ben");
  const { club, there } = makeServers(ben);
  const stage = await visit(null, {
    path,
    onConnection: (connection) => connection.event("READY", readyOf(there)),
    prepare(fake) {
      answerFromWorld(fake, there);
      answerProfile(fake);
      fake.on("GET /instance/sign-in", () => ({ password: true, oidc: null, passkeys: false }));
      fake.on("POST /auth/login", () => ({ user: ben, access_token: tokenOf(there), refresh_token: "refresh" }));
      fake.on("POST /servers/:id/bots", () => member({ id: chess.user_id, username: "chess-bot-0a1b2c3d" }));
    },
  });
  await page.getByLabelText("Username").fill("ben");
  await page.getByLabelText("Password").fill("a long password");
  await page.getByRole("button", { name: "Log in" }).click();
  await shown(page.getByRole("heading", { name: "Add Chess to a server" }));
  await shown(page.getByText("Plays chess"));
  await shown(server());
  // Without the server in which Ben may not add bots.
  await expect
    .poll(() =>
      server()
        .getByRole("option")
        .elements()
        .map(({ textContent }) => textContent),
    )
    .toEqual(["Chess club", "Book club"]);
  await counted(page.getByRole("checkbox"), 2);
  expect(await findingsInBothSchemes()).toEqual([]);
  await page.getByLabelText(managing).click();
  await server().selectOptions("Chess club");
  await add().click();
  await shown(page.getByText("Chess has been added."));
  await expect.poll(() => location.pathname).toMatch(new RegExp(`^/app/servers/${club.server.id}`));
  const [asked] = stage.server.requests("POST /servers/:id/bots");
  expect(asked?.path).toBe(`/servers/${club.server.id}/bots`);
  expect(asked?.body).toEqual({ bot_id: chess.id, permissions: sends });
});

test("a bot that is a member already is not added again", async () => {
  const { there } = makeServers(user("ben"));
  await visit(there, {
    path,
    prepare(fake) {
      answerProfile(fake);
      fake.on("POST /servers/:id/bots", () => refuse(409, "Already a member of this server"));
    },
  });
  await server().selectOptions("Chess club");
  await add().click();
  await shown(page.getByRole("alert").filter({ hasText: "Already a member" }));
});

test("a bot that the server does not show to somebody is none", async () => {
  await visit(world(user("ben")), {
    path,
    prepare: (fake) => fake.on("GET /bots/:id/profile", () => refuse(404, "Bot not found")),
  });
  await shown(page.getByRole("heading", { name: "No such bot" }));
  expect(await findingsInBothSchemes()).toEqual([]);
});

test("somebody without a server of their own cannot add a bot", async () => {
  await visit(world(user("ada")), { path, prepare: answerProfile });
  await shown(page.getByText("There is no server that you may add bots to."));
});
