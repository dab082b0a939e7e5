import { randomBytes, randomUUID } from "node:crypto";
import { Invite } from "@parley/contracts";
import {
  connectGateway,
  createChannel,
  createServer,
  type Page,
  startSmtp,
  type UserClient,
  waitUntil,
} from "@parley/testing";
import { Secret, TOTP } from "otpauth";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { registerAdmin } from "../api/admin-stage.js";
import { channelPath, composer, registerAs, useOwnWebStage } from "./web-stage.js";

const smtp = await startSmtp();
const stage = useOwnWebStage({ env: { SMTP_URL: smtp.url, MAIL_FROM: "Parley <parley@example.com>" } });
afterAll(() => smtp.stop());

/** A private server whose owner is online, and an invite to it. */
async function openHouse(name: string, limits: { max_uses?: number } = {}) {
  const owner = await registerAs(stage.client, "host");
  const server = await createServer(owner, { name });
  await createChannel(owner, server.id);
  const { code } = (await owner.post(`/servers/${server.id}/invites`, limits)).expect(201, Invite);
  const socket = connectGateway(stage.stack.edgeUrl, owner.accessToken);
  await socket.ready;
  return { owner, server, code, socket, path: `/invite/${code}` };
}
const seeServer = (page: Page, name: string) => page.getByRole("heading", { name, level: 1 }).waitFor();
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
async function fillIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByRole("textbox", { name: "Username" }).fill(username);
  await page.getByLabel("Password", { exact: true }).fill(password);
}
/** Presses the one button of the invite, and waits for the channel of its server. */
async function joinFrom(page: Page, name: string): Promise<void> {
  await seeServer(page, name);
  await press(page, "Join");
  await composer(page).waitFor();
  await page.getByRole("button", { name: `${name}: menu` }).waitFor();
}

test("a stranger sees the server of an invite, registers and stands in it after one press", async () => {
  const { socket, server, path } = await openHouse("Harbour Chess Club");
  const page = await stage.visit(null, { path });
  await seeServer(page, server.name);
  await page.getByText("1 member", { exact: true }).waitFor();
  await page.getByText("1 online", { exact: true }).waitFor();
  // Through both forms, and a reload between them.
  await press(page, "I already have an account");
  await page.getByText(`Next stop: ${server.name}`).waitFor();
  await press(page, "Create an account");
  await page.reload();
  await page.getByText(`Next stop: ${server.name}`).waitFor();
  await fillIn(page, `guest_${randomBytes(4).toString("hex")}`, "correct horse");
  await press(page, "Create account");
  await joinFrom(page, server.name);
  // Who is a member already goes on to the server.
  await page.goto(`${stage.stack.edgeUrl}/app${path}`);
  await composer(page).waitFor();
  socket.terminate();
  await page.context().close();
});

test("where registration is by invitation, an invite for one person lets them register and stand in its server", async () => {
  const admin = await registerAdmin(stage.client, stage.stack.databaseUrl);
  const setMode = async (registration_mode: string) =>
    expect((await admin.patch("/admin/settings", { registration_mode })).status).toBe(200);
  const { socket, server, code } = await openHouse("Members Only", { max_uses: 1 });
  await setMode("invite_only");
  onTestFinished(() => setMode("open"));
  // The code alone, as somebody reads it out.
  const page = await stage.visit(null, { path: "/register" });
  await page.getByRole("textbox", { name: "Invite code" }).fill(code);
  await fillIn(page, `guest_${randomBytes(4).toString("hex")}`, "correct horse");
  await press(page, "Create account");
  await seeServer(page, server.name);
  await page.reload();
  await joinFrom(page, server.name);
  socket.terminate();
  await page.context().close();
});

test("an invite leads its members into the server, also among servers of the same name", async () => {
  const name = "Twin Rooks";
  const { socket, owner } = await openHouse(name);
  const other = await createServer(owner, { name });
  const second = await createServer(owner, { name });
  const channel = await createChannel(owner, second.id, { name: "second" });
  await createChannel(owner, other.id, { name: "other" });
  const { code } = (await owner.post(`/servers/${second.id}/invites`, {})).expect(201, Invite);
  const page = await stage.visit(owner, { path: `/invite/${code}` });
  await press(page, "Open server");
  await page.waitForURL((url) => url.pathname.endsWith(channelPath({ server_id: second.id, id: channel.id })));
  await composer(page).waitFor();
  socket.terminate();
  await page.context().close();
});

test("a second factor does not lose the invite", async () => {
  const { socket, server, path } = await openHouse("Second Factor Society");
  const user = await registerAs(stage.client, "twice");
  const recoveryCode = await activateSecondFactor(user);
  const page = await stage.visit(null, { path });
  await press(page, "I already have an account");
  await fillIn(page, user.username, user.password);
  await press(page, "Log in");
  await page.getByRole("textbox", { name: /^Code/ }).fill(recoveryCode);
  await press(page, "Log in");
  await joinFrom(page, server.name);
  socket.terminate();
  await page.context().close();
});

test("a password that is set anew on the way does not lose the invite", async () => {
  const { socket, server, path } = await openHouse("Forgetful Fellows");
  const email = `${randomUUID()}@example.com`;
  const user = await stage.client.register({ email });
  const page = await stage.visit(null, { path });
  await press(page, "I already have an account");
  await press(page, "Forgot your password?");
  await page.getByLabel("Email address").fill(email);
  await press(page, "Send code");
  await page.getByLabel(/^Code from the email/).fill(await mailedToken(email));
  await page.getByLabel("New password").fill("a new password");
  await press(page, "Set new password");
  await press(page, "Log in");
  await fillIn(page, user.username, "a new password");
  await press(page, "Log in");
  await joinFrom(page, server.name);
  socket.terminate();
  await page.context().close();
});

async function activateSecondFactor(user: UserClient): Promise<string> {
  const begun = await user.post("/auth/second-factor", { password: user.password });
  const { secret } = begun.expect(201, z.object({ secret: z.string() }));
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const confirmed = await user.post("/auth/second-factor/confirm", { code });
  const [first = ""] = confirmed.expect(200, z.object({ recovery_codes: z.array(z.string()) })).recovery_codes;
  return first;
}

const mailedToken = (address: string): Promise<string> =>
  waitUntil(
    () => {
      const mail = smtp.mails.find(
        ({ to, source }) => to.includes(address) && source.includes("Subject: Set a new password"),
      );
      return /Token: ([0-9a-f]{64})/.exec(mail?.source ?? "")?.[1] ?? false;
    },
    { what: "the mail with the token" },
  );
