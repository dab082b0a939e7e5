import { createHmac, hkdfSync, randomUUID } from "node:crypto";
import { IncomingWebhookWithToken, Member, type NewInteraction } from "@parley/contracts";
import {
  assignRole,
  createChannel,
  createRole,
  createServer,
  joinServer,
  type UserClient,
  waitUntil,
} from "@parley/testing";
import { expect } from "vitest";
import { z } from "zod";
import { createBotClient, registerAdmin, runSql } from "../../stages/admin-stage.js";
import { Answered, answer, Begun, connectWith, unhurried } from "../../stages/app-stage.js";
import { sharedProvider } from "../../stages/oidc-provider-stage.js";
import { createPasskeyStage } from "../../stages/passkey-stage.js";
import { idsOf, listSubscriptions, subscribe } from "../../stages/push-subscription-stage.js";
import { attachOne } from "../../stages/upload-stage.js";
import { createWebhook } from "../../stages/webhook-stage.js";
import { codeOf, createBrowser } from "../oidc-browser.js";
import type { Credential } from "./table.js";

const administrator = 1 << 13;
const Token = z.object({ token: z.string() });

/** Whom all worlds have: an administrator who owns the servers, and their bot. */
export async function createEndsStage() {
  const passkeys = await createPasskeyStage();
  const { stack, one } = passkeys;
  const provider = await sharedProvider(stack);
  const owner = await registerAdmin(one, stack.databaseUrl);
  const created = await owner.post("/bots", { name: "Chess" });
  const Created = z.object({ bot: z.object({ id: z.string(), user_id: z.string() }), token: z.string() });
  const { bot, token } = created.expect(201, Created);
  const asBot = one.withAuthorization(`Bot ${token}`);
  const put = await asBot.put("/bots/@me/commands", { commands: [{ name: "play", description: "Begins" }] });
  const [command] = put.expect(200, z.object({ commands: z.array(z.object({ id: z.string() })) })).commands;
  const gateway = await connectWith(stack.gateways[0]?.url ?? "", `bot_token=${token}`);
  const app = { botId: bot.id, userId: bot.user_id, commandId: command?.id, gateway };
  return { stack, one, passkeys, provider, owner, app };
}
export type EndsStage = Awaited<ReturnType<typeof createEndsStage>>;

/**
 * Whether each credential works, waiting for an end that comes a little later; credentials that a use consumes are
 * tried once.
 */
export type Checks = Readonly<Record<Credential, (isExpected: boolean) => Promise<boolean>>>;

/** Somebody with one of each credential. */
export interface World {
  readonly user: UserClient;
  readonly serverId: string;
  readonly channelId: string;
  /** The token that sets the password, which `checks` uses, too. */
  readonly resetToken: string;
  /** How they log in now. */
  password: string;
  code: string | undefined;
  readonly checks: Checks;
}

export async function createWorld(stage: EndsStage): Promise<World> {
  const { stack, one, passkeys, owner } = stage;
  const email = `${randomUUID()}@example.com`;
  const user = await one.register({ email });
  const { id: serverId } = await createServer(owner, { is_public: true });
  const { id: channelId } = await createChannel(owner, serverId);
  await joinServer(user, serverId);
  await assignRole(owner, await createRole(owner, serverId, { permissions: administrator }), user);

  const socket = await connectWith(stack.gateways[1]?.url ?? "", `token=${user.accessToken}`);
  const { credential } = await passkeys.add(user);
  const subject = await connect(stage, user);
  const device = await subscribe(user);
  const bot = await createBotClient(user);
  const hook = (
    await user.post(`/servers/${serverId}/incoming-webhooks`, { channel_id: channelId, name: "Builds" })
  ).expect(201, IncomingWebhookWithToken);
  const { webhook } = await createWebhook(user, serverId, { url: "http://127.0.0.1:9/" });
  const file = await attachOne(user, channelId, { name: "a.txt", bytes: Buffer.from("e4") });
  const interaction = await interact(stage, { user, serverId, channelId });
  const issued = await owner.post("/auth/forgot-password", { email });
  const resetToken = issued.expect(200, Token).token;
  const verification = await mailedToken(stage, email);
  const unsubscribe = unsubscribeToken(stack.jwtSecret, `${user.user.id}:${email}`);

  const answered = async (request: Promise<{ status: number }>) => (await request).status < 300;
  const loggedIn = async () => {
    const { username } = user;
    const login = await one.post("/auth/login", { username, password: world.password, code: world.code });
    return login.status === 200 ? one.withAuthorization(`Bearer ${Object(login.body).access_token}`) : null;
  };
  const world: World = {
    user,
    serverId,
    channelId,
    resetToken,
    password: user.password,
    code: undefined,
    checks: {
      "gateway connection": (isExpected) =>
        isExpected ? socket.heartbeat().then(() => true) : socket.closed.then(() => false),
      "access token": () => answered(user.get("/users/@me")),
      "refresh token": () => answered(one.post("/auth/refresh", { refresh_token: user.refreshToken })),
      passkey: () => answered(passkeys.logIn(credential)),
      "connection with the sign-in provider": async () => (await signIn(stage, subject)) === user.user.id,
      "device that gets pushes": async () => {
        const session = await loggedIn();
        // Nobody can ask for the devices of an account that is gone.
        if (session === null)
          return (
            (await runSql(stack.databaseUrl, "SELECT FROM push_subscriptions WHERE id = $1", [device.id])).length > 0
          );
        return idsOf(await listSubscriptions(session)).includes(device.id);
      },
      "token that sets the password": () =>
        answered(one.post("/auth/reset-password", { token: resetToken, new_password: "by the token" })),
      "token that verifies the address": () => answered(one.post("/auth/verify-email", { token: verification })),
      "link that ends mails": () => answered(one.withAuthorization(null).get(`/mail/unsubscribe/${unsubscribe}`)),
      "token of a bot": () => answered(bot.client.get("/users/@me")),
      "token of an interaction": () => {
        const data = { content: "psst", ephemeral: true };
        return answered(answer(one, interaction, { type: "message", data, follow_up: true }));
      },
      "incoming webhook": () => answered(one.withAuthorization(null).post(hook.path, { content: "Build 412" })),
      "outgoing webhook": () => answered(owner.get(`/servers/${serverId}/webhooks/${webhook.id}`)),
      "signed address of a file": async (isExpected) => {
        const isRead = () => answered(fetch(`${stack.edgeUrl}${file.url}`));
        if (!isExpected) await waitUntil(async () => !(await isRead()), { what: "the file to go" });
        return isRead();
      },
    },
  };
  return world;
}

async function signIn({ stack }: EndsStage, subject: string): Promise<string | null> {
  const [browser, api] = [createBrowser(), stack.apis[0]?.url ?? ""];
  const query = await browser.atProvider(await browser.start(api), subject);
  const answer = await browser.session(api, codeOf(await browser.callback(api, query)));
  return answer.status === 200 ? String(Object(Object(answer.body).user).id) : null;
}

/** Connects an account with somebody at the provider. @returns their subject */
async function connect({ stack, provider }: EndsStage, user: UserClient): Promise<string> {
  const [browser, api, subject] = [createBrowser(), stack.apis[0]?.url ?? "", randomUUID()];
  provider.people.set(subject, { preferred_username: `p_${subject.slice(0, 8)}` });
  const begun = await user.post("/auth/oidc/link", { password: user.password });
  const { url } = begun.expect(200, z.object({ url: z.string() }));
  const name = "__Host-parley-sign-in";
  browser.cookies.set(name, new RegExp(`^${name}=([^;]+)`).exec(begun.headers.getSetCookie()[0] ?? "")?.[1] ?? "");
  const body = { code: codeOf(await browser.callback(api, await browser.atProvider(url, subject))) };
  const headers = { cookie: `${name}=${browser.cookies.get(name)}` };
  expect((await user.send("POST", "/auth/oidc/link/confirm", { body, headers })).status).toBe(204);
  return subject;
}

/** An interaction of a member that has been answered. */
async function interact(
  { stack, owner, app }: EndsStage,
  { user, serverId, channelId }: { user: UserClient; serverId: string; channelId: string },
): Promise<NewInteraction> {
  (await owner.post(`/servers/${serverId}/bots`, { bot_id: app.botId, permissions: 3 })).expect(201, Member);
  const body = { bot_user_id: app.userId, command_id: app.commandId, options: {} };
  const { id } = (await user.post(`/channels/${channelId}/interactions`, body)).expect(202, Begun);
  const interaction = await app.gateway.waitFor("INTERACTION_CREATE", (each) => each.id === id);
  await unhurried(stack.databaseUrl, id);
  (await answer(user, interaction, { type: "message", data: { content: "e4" } })).expect(200, Answered);
  return interaction;
}

async function mailedToken({ stack }: EndsStage, email: string): Promise<string> {
  const mail = () => stack.mails.find(({ to, source }) => to.includes(email) && source.includes("Verify your address"));
  const { source } = await waitUntil(mail, { what: "the mail that verifies the address" });
  return /Token: ([0-9a-f]{64})/.exec(source)?.[1] ?? "";
}

/** As in the links of mails about missed messages (docs/protocol/notifications.md#26.3). */
function unsubscribeToken(jwtSecret: string, addressee: string): string {
  const key = Buffer.from(hkdfSync("sha256", jwtSecret, "", "mail-unsubscribe", 32));
  return `${addressee.split(":")[0]}.${createHmac("sha256", key).update(addressee, "utf8").digest("hex")}`;
}
