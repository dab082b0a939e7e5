import { errorTexts } from "@parley/contracts";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { composer } from "../../page-stage/conversation.js";
import { type FakeServer, refuse } from "../../page-stage/fake-server.js";
import { channel, channelPath, community, instance, member, newId, user } from "../../page-stage/fixtures.js";
import { logIn } from "../../page-stage/login.js";
import { shown } from "../../page-stage/seeing.js";
import { type Stage, tokenOf, visit } from "../../page-stage/stage.js";
import { type World, world } from "../../page-stage/world.js";

// Ways from an invite into its server. Two people who really meet by one are in tools/e2e/src/web/newcomers.test.ts.

const code = "Qu33nSid";
const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
const serverName = (name: string) => page.getByRole("heading", { name, level: 1 });
const nextStop = (name: string) => page.getByText(`Next stop: ${name}`);

/** Somebody without a session, and a server of Ada's that they have an invite to. */
async function openInvite(
  name: string,
  path = `/invite/${code}`,
  prepare?: (server: FakeServer, there: World) => void,
) {
  const [ada, guest] = [user("ada"), user("guest")];
  const club = community([ada], { name });
  const there = world(guest);
  const session = { access_token: tokenOf(there), refresh_token: "refresh", user: guest };
  const preview = { code, server_name: name, server_icon_url: null, member_count: 1, expires_at: null };
  const stage: Stage = await visit(there, {
    path,
    isLoggedOut: true,
    prepare(server) {
      server.on("GET /invites/:code/preview", () => ({ ...preview, online_count: 1 }));
      server.on("POST /auth/register", () => session);
      server.on<object>("PATCH /users/@me", ({ body }) => ({ ...guest, ...body }));
      server.on("POST /invites/:code/accept", () => {
        club.members.push(member(guest));
        there.communities.push(club);
        const { member_count: _count, ...joined } = club.server;
        const roles = [club.everyone];
        stage.socket.event("SERVER_JOIN", { server: joined, roles, channel_overrides: {}, member: member(guest) });
        return { message: "Joined server", server_id: club.server.id };
      });
      prepare?.(server, there);
    },
  });
  return { stage, club, preview };
}

async function register(): Promise<void> {
  await page.getByRole("textbox", { name: "Username" }).fill("guest");
  await page.getByLabelText("Password", { exact: true }).fill("correct horse");
  await press("Create account");
}

/** Presses the one button of the invite, and waits for the channel of its server. */
async function joinFrom(name: string): Promise<void> {
  await shown(serverName(name));
  await press("Join");
  await shown(composer());
  await shown(page.getByRole("button", { name: `${name}: menu` }));
}

test("a stranger sees the server of an invite, registers and stands in it after one press", async () => {
  const name = "Harbour Chess Club";
  const { stage } = await openInvite(name);
  await shown(serverName(name));
  await shown(page.getByText("1 member", { exact: true }));
  await shown(page.getByText("1 online", { exact: true }));
  // Through both forms, and a reload between them.
  await press("I already have an account");
  await shown(nextStop(name));
  await press("Create an account");
  await stage.reload();
  await shown(nextStop(name));
  await register();
  await joinFrom(name);
  // A member goes straight on to the server.
  stage.goTo(`/invite/${code}`);
  await expect.poll(() => location.pathname).toMatch(/\/channels\//);
  await shown(composer());
  expect(stage.server.requests("POST /invites/:code/accept")).toHaveLength(1);
});

test("where registration is by invitation, an invite for one person lets them register and stand in its server", async () => {
  const name = "Members Only";
  // The code alone, as somebody reads it out.
  const { stage, preview } = await openInvite(name, "/register", (server) =>
    server.on("GET /instance", () => instance({ mode: "invite_only" })),
  );
  // The registration uses it up, and its account alone can still look at it.
  stage.server.on("GET /invites/:code/preview", () => refuse(404, "Invite not found or has expired"));
  stage.server.on("GET /invites/:code", () => preview);
  await page.getByRole("textbox", { name: "Invite code" }).fill(code);
  await register();
  await shown(serverName(name));
  expect(stage.server.requests("POST /auth/register").at(-1)?.body).toMatchObject({ invite_code: code });
  await stage.reload();
  await joinFrom(name);
});

test("an invite leads its members into the server, also among servers of the same name", async () => {
  const ada = user("ada");
  const [first, second] = [1, 2].map(() => community([ada], { name: "Twin Rooks" }));
  if (first === undefined || second === undefined) throw new Error("There are two.");
  const wanted = channel(second.server, "second");
  second.channels = [wanted];
  const about = { id: newId(), created_by: ada.id, max_uses: null, uses: 0, expires_at: null };
  await visit(world(ada, [first, second]), {
    path: `/invite/${code}`,
    prepare(server) {
      const counts = { member_count: 1, online_count: 1 };
      const preview = { code, server_name: "Twin Rooks", server_icon_url: null, expires_at: null };
      server.on("GET /invites/:code/preview", () => ({ ...preview, ...counts }));
      server.on("POST /invites/:code/accept", () => refuse(409, errorTexts.already_member));
      server.on("GET /servers/:id/invites", ({ params: { id = "" } }) => [
        {
          ...about,
          server_id: id,
          code: id === second.server.id ? code : "0therOne",
          created_at: first.server.created_at,
        },
      ]);
    },
  });
  await press("Open server");
  await shown(composer());
  await expect.poll(() => location.pathname).toBe(`/app${channelPath(wanted)}`);
});

test("a second factor does not lose the invite", async () => {
  const name = "Second Factor Society";
  await openInvite(name, `/invite/${code}`, (server, there) =>
    server.on<{ code?: string }>("POST /auth/login", ({ body }) =>
      body.code === undefined
        ? refuse(401, errorTexts.second_factor_required)
        : { access_token: tokenOf(there), refresh_token: "refresh", user: there.me },
    ),
  );
  await press("I already have an account");
  await logIn("guest", "correct horse");
  await page.getByRole("textbox", { name: /^Code/ }).fill("a recovery code");
  await press("Log in");
  await joinFrom(name);
});

test("a password that is set anew on the way does not lose the invite", async () => {
  const name = "Forgetful Fellows";
  const { stage } = await openInvite(name, `/invite/${code}`, (server) => {
    server.on("POST /auth/request-password-reset", () => ({ message: "Look into your mails" }));
    server.on("POST /auth/reset-password", () => ({ message: "Password reset" }));
  });
  await press("I already have an account");
  await press("Forgot your password?");
  await page.getByLabelText("Email address").fill("guest@example.com");
  await press("Send code");
  await shown(page.getByText("Look into your mails"));
  await page.getByLabelText(/^Code from the email/).fill("c0de");
  await page.getByLabelText("New password").fill("a new password");
  await press("Set new password");
  await press("Log in");
  await logIn("guest", "a new password");
  await joinFrom(name);
  expect(stage.server.requests("POST /auth/reset-password").at(-1)?.body).toEqual({
    token: "c0de",
    new_password: "a new password",
  });
});
