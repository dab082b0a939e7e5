import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { errorBody as error, errorTexts, Invite, Message, permissionBits, Webhook } from "@parley/contracts";
import {
  type Answer,
  createClient,
  createRole,
  createServerWithMembers,
  type DescribedOperation,
  loadAnswerCheck,
  postMessage,
  type RestClient,
  type ServerFixture,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Visited, walk, walkOnce } from "../stages/endpoint-walk.js";
import { createEmoji } from "../stages/sample-emoji.js";
import { pngPixel } from "../stages/sample-files.js";

let stack: SharedStack;
let client: RestClient;
let fixture: ServerFixture;
let operations: readonly DescribedOperation[];
let ids: Record<string, string>;
let credentials: Record<string, string>;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl, { prefix: "/api" });
  fixture = await createServerWithMembers(client, 4);
  const { owner, server } = fixture;
  (await owner.patch(`/servers/${server.id}`, { is_public: false })).expect(200, z.unknown());
  ids = await createOneOfEach(fixture);
  credentials = await badCredentials(owner);
  ({ operations } = await loadAnswerCheck(stack.edgeUrl));
});

const Created = z.object({ id: z.string() });
const CreatedBot = z.object({ bot: Created, token: z.string() });

/** One of everything that a path can name, by the name that paths give it. */
async function createOneOfEach({ owner, server, channel, members }: ServerFixture): Promise<Record<string, string>> {
  const message = await postMessage(owner, channel.id, "the owner's");
  const root = await postMessage(owner, channel.id, "the root of a thread");
  await owner.post(`/channels/${channel.id}/messages/${root.id}/thread`, { content: "reply" });
  const role = await createRole(owner, server.id);
  const override = { role_id: role.id, allow: 0, deny: 0 };
  const created = (await owner.put(`/channels/${channel.id}/overrides`, override)).expect(200, Created);
  const question = { question: "Which?", options: ["a", "b"] };
  const poll = (await owner.post(`/channels/${channel.id}/polls`, question)).expect(201, Message).poll;
  const blitz = { name: "Blitz", starts_at: new Date(Date.now() + 3_600_000).toISOString() };
  const { event } = (await owner.post(`/channels/${channel.id}/events`, blitz)).expect(201, Message);
  const hook = { name: "hook", url: "http://127.0.0.1:9/", event_types: ["message.created"] };
  const { webhook } = (await owner.post(`/servers/${server.id}/webhooks`, hook)).expect(
    201,
    z.object({ webhook: Webhook }),
  );
  const invite = (await owner.post(`/servers/${server.id}/invites`, {})).expect(201, Invite);
  const { bot } = (await owner.post("/bots", { name: "bot" })).expect(201, CreatedBot);
  const own = { name: "rule", trigger: { type: "invites" }, actions: [{ type: "block" }] };
  const rule = (await owner.post(`/servers/${server.id}/automod/rules`, own)).expect(201, Created);
  const dm = (await owner.post("/dm-channels", { user_id: members[0]?.user.id })).expect(201, Created);
  const direct = await owner.post(`/dm-channels/${dm.id}/messages`, { content: "psst" });
  return {
    server: server.id,
    channel: channel.id,
    message: message.id,
    thread: root.id,
    role: role.id,
    override: created.id,
    poll: poll?.id ?? "",
    event: event?.id ?? "",
    option: poll?.options[0]?.id ?? "",
    webhook: webhook.id,
    delivery: randomUUID(),
    invite: invite.id,
    code: invite.code,
    emoji: (await createEmoji(owner, server.id)).id,
    bot: bot.id,
    "dm-channel": dm.id,
    "dm-message": Created.parse(direct.body).id,
    user: members[0]?.user.id ?? "",
    word: "word",
    rule: rule.id,
  };
}

/** The path with ids of existing rows: a caller who gets past the check of rights finds something to change. */
function pathOf({ path }: DescribedOperation): string {
  const own = /([\w-]+)s\/\{id\}/.exec(path)?.[1] ?? "";
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (name === "emoji") return "👍";
    return ids[name === "id" ? own : name.replace(/_id$/, "")] ?? randomUUID();
  });
}

/** The path with the same for every parameter. */
function fill({ path }: DescribedOperation, value = "0190a5b4-7c1d-7e3a-9f00-1b2c3d4e5f60"): string {
  return path.replace(/\{\w+\}/g, value);
}

/** A body with enough fields for every endpoint that wants one. */
const body = () => ({
  content: "forged",
  name: "forged",
  topic: "forged",
  nickname: "forged",
  allow: 0,
  deny: 0,
  user_id: ids.user,
  password: "forged",
  question: "Which?",
  options: ["a", "b"],
  option_id: ids.option,
  url: "http://127.0.0.1:9/",
  event_types: ["message.created"],
  enabled: true,
  word: "forged",
  code: "forged-code",
  answers: {},
  duration_minutes: 1,
  starts_at: new Date(Date.now() + 3_600_000).toISOString(),
  retention_days: 7,
  reason: "forged",
  status: "closed",
  text: "forged",
  minutes: 5,
  user_ids: [ids.user],
  message_ids: [ids.message],
  bot_id: ids.bot,
  permissions: 0,
  interaction_id: randomUUID(),
  modal_id: "forged",
  fields: {},
  trigger: { type: "invites" },
  actions: [{ type: "block" }],
  channel_id: ids.channel,
});

function send(caller: RestClient, operation: DescribedOperation): Promise<Answer> {
  const { method } = operation;
  const path = `${pathOf(operation)}${operation.path.endsWith("/search") ? "?q=forged" : ""}`;
  if (operation.requestBody !== undefined && operation.requestBody.content["application/json"] === undefined) {
    const form = new FormData();
    form.append("name", "forged");
    form.append("files", new Blob(["text"]), "note.txt");
    form.append("image", new Blob([pngPixel]), "smile.png");
    return caller.send(method, path, { body: form });
  }
  if (method === "PATCH" && path.endsWith("/voice"))
    return caller.patch(path, path.startsWith("/servers") ? { server_mute: true } : { self_mute: true });
  return caller.send(method, path, method === "GET" ? {} : { body: body() });
}

/** Authorization headers that are nobody's. */
async function badCredentials(owner: UserClient): Promise<Record<string, string>> {
  const claims = (changes: object = {}) => {
    const now = Math.floor(Date.now() / 1_000);
    return { sub: owner.user.id, iat: now, exp: now + 900, jti: randomUUID(), ...changes };
  };
  const { bot, token } = (await owner.post("/bots", { name: "revoked" })).expect(201, CreatedBot);
  const asBot = client.withAuthorization(`Bot ${token}`);
  const issued = (await asBot.post("/bots/connect")).expect(200, z.object({ access_token: z.string() }));
  expect((await owner.delete(`/bots/${bot.id}`)).status).toBe(204);
  const secret = stack.jwtSecret;
  return {
    "an unknown scheme": `Basic ${owner.accessToken}`,
    "no token": "Bearer",
    "an expired token": `Bearer ${forge(claims({ iat: 1, exp: 2 }), { secret })}`,
    "a token without a signature": `Bearer ${forge(claims(), { alg: "none", secret: null })}`,
    "a token of another secret": `Bearer ${forge(claims(), { secret: randomBytes(32).toString("hex") })}`,
    "a token of another algorithm": `Bearer ${forge(claims(), { alg: "HS512", hash: "sha512", secret })}`,
    "a token without an end": `Bearer ${forge(claims({ exp: undefined }), { secret })}`,
    "a token of nobody": `Bearer ${forge(claims({ sub: randomUUID() }), { secret })}`,
    "a refresh token": `Bearer ${owner.refreshToken}`,
    "an access token as a bot's": `Bot ${owner.accessToken}`,
    "an unknown bot token": `Bot ${randomBytes(32).toString("hex")}`,
    "a bot token as an access token": `Bearer ${token}`,
    "a revoked bot's token": `Bot ${token}`,
    "a revoked bot's JWT": `Bearer ${issued.access_token}`,
  };
}

/** A JWT made by hand. */
function forge(
  claims: object,
  { alg = "HS256", hash = "sha256", secret }: { alg?: string; hash?: string; secret: string | null },
): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${part({ alg, typ: "JWT" })}.${part(claims)}`;
  return `${signed}.${secret === null ? "" : createHmac(hash, secret).update(signed).digest("base64url")}`;
}

/** All that an owner sees of the server: equal before and after means that nothing was changed. */
async function snapshot(): Promise<unknown[]> {
  const { owner } = fixture;
  const server = `/servers/${ids.server}`;
  const parts = [
    "",
    "/channels",
    "/roles",
    "/invites",
    "/webhooks",
    "/incoming-webhooks",
    "/emojis",
    "/automod",
    "/automod/words",
    "/automod/rules",
    "/bans",
    "/reports",
    `/members/${ids.user}/moderation`,
    "/events",
    "/safety",
    "/raid",
  ];
  const paths = [
    ...parts.map((part) => `${server}${part}`),
    `/channels/${ids.channel}/messages`,
    `/channels/${ids.channel}/overrides`,
    `/channels/${ids.channel}/pinned-messages`,
    `/channels/${ids.channel}/messages/${ids.message}/reactions`,
    `/dm-channels/${ids["dm-channel"]}/messages?include=reactions,attachments`,
    `/bots/${ids.bot}`,
  ];
  return Promise.all(paths.map(async (path) => (await owner.get(path)).body));
}

/** Endpoints that act on something of a user or server, and not on things that everybody may see. */
function isSomebodys({ path, security }: DescribedOperation): boolean {
  return security.length > 0 && path.includes("{") && !/^\/(users|invites|emojis|files)\//.test(path);
}

const invalidToken = error("Invalid or expired token");
const isGuarded = ({ security }: DescribedOperation) => security.length > 0;
const differing = <A>(visited: readonly Visited<A>[], isRight: (answer: A) => boolean) =>
  visited.filter(({ answer }) => !isRight(answer)).map(({ operation, answer }) => [operation.operationId, answer]);
const isUnauthenticated = ({ status, body }: Answer) => status === 401 && isDeepStrictEqual(body, invalidToken);

// One function before every route decides about credentials (services/api/src/platform/http/admission.ts), so all wrong ones are
// tried at one endpoint of each kind, and two at every endpoint: none, and one that only the database knows to be wrong.
describe("a caller without valid credentials", () => {
  /**
   * Answers to a caller without credentials: under one prefix to a right request, and under the other to one that is
   * wrong throughout.
   */
  const answersToNobody = walkOnce(() => {
    const plain = createClient(stack.edgeUrl);
    return walk(operations, async (operation) => ({
      right: await (isGuarded(operation) ? send(client, operation) : client.send(operation.method, fill(operation))),
      wrong: await plain.send(operation.method, fill(operation, "%ff"), operation.method === "GET" ? {} : malformed),
    }));
  });
  const malformed = { body: "{", headers: { "content-type": "application/x-www-form-urlencoded" } };

  test("a caller without valid credentials gets 401 from every endpoint that needs them, and changes nothing", async () => {
    const guarded = operations.filter(isGuarded);
    expect(guarded.length).toBeGreaterThan(90);
    const before = await snapshot();
    const toNobody = (await answersToNobody()).filter(({ operation }) => isGuarded(operation));
    expect(differing(toNobody, ({ right }) => isUnauthenticated(right))).toEqual([]);
    const asNobody = client.withAuthorization(credentials["a token of nobody"] ?? "");
    expect(differing(await walk(guarded, (operation) => send(asNobody, operation)), isUnauthenticated)).toEqual([]);
    expect(await snapshot()).toEqual(before);
  });

  test("an endpoint asks for credentials before it looks at identifiers, at the body and at its type", async () => {
    const guarded = (await answersToNobody()).filter(({ operation }) => isGuarded(operation));
    expect(differing(guarded, ({ wrong }) => isUnauthenticated(wrong))).toEqual([]);
  });

  test("every endpoint of the document exists under both prefixes", async () => {
    expect(operations.length).toBeGreaterThan(100);
    const exists = ({ status, body }: Answer) => status !== 404 || !isDeepStrictEqual(body, error("Not found"));
    const open = (await answersToNobody()).filter(
      ({ operation }) => !isGuarded(operation) && operation.path !== "/metrics",
    );
    expect(differing(open, ({ right, wrong }) => exists(right) && exists(wrong))).toEqual([]);
  });

  test.each(["/servers/{id}", "/channels/{channel_id}/messages"])(
    "every wrong credential gets 401 from %s",
    async (path) => {
      const here = operations.filter((operation) => operation.path === path && isGuarded(operation));
      expect(here.length).toBeGreaterThan(1);
      const before = await snapshot();
      for (const [kind, authorization] of Object.entries(credentials)) {
        const caller = client.withAuthorization(authorization);
        expect([
          kind,
          differing(await walk(here, (operation) => send(caller, operation)), ({ status }) => status === 401),
        ]).toEqual([kind, []]);
      }
      expect(await snapshot()).toEqual(before);
    },
  );
});

const isRefused = ({ status }: Answer) => status === 403 || status === 404;

describe("of another's server", () => {
  test.each(["a stranger", "the owner of another server", "a kicked member", "a banned member", "a stranger's bot"])(
    "%s gets nothing of another's server and changes nothing there",
    async (kind) => {
      const caller = await outsider(kind);
      const before = await snapshot();
      const visited = await walk(operations.filter(isSomebodys), (operation) => send(caller, operation));
      expect(differing(visited, isRefused)).toEqual([]);
      expect(await snapshot()).toEqual(before);
    },
  );
});

async function outsider(kind: string): Promise<RestClient> {
  const { owner, server, members } = fixture;
  const path = `/servers/${server.id}/members`;
  if (kind === "the owner of another server") return (await createServerWithMembers(client, 0)).owner;
  if (kind === "a stranger's bot") {
    const { token } = (await (await client.register()).post("/bots", { name: "bot" })).expect(201, CreatedBot);
    return client.withAuthorization(`Bot ${token}`);
  }
  const member = kind === "a kicked member" ? members[2] : kind === "a banned member" ? members[3] : undefined;
  if (member === undefined) return client.register();
  const action = kind === "a kicked member" ? "kick" : "ban";
  expect((await owner.post(`${path}/${member.user.id}/${action}`, {})).status).toBeLessThan(300);
  return member;
}

/** Texts of the 403 that an operation documents. */
function refusalsOf({ responses: { "403": refusal } }: DescribedOperation): string {
  return refusal !== undefined && "description" in refusal ? (refusal.description ?? "") : "";
}

/** Names of the permissions and rights that the everyone role of the server grants. */
async function readEverybodys(): Promise<Set<string>> {
  const Everyone = z.object({ permissions: z.number(), rights: z.array(z.string()) });
  const path = `/servers/${ids.server}/roles/${ids.server}`;
  const { permissions, rights } = (await fixture.owner.get(path)).expect(200, Everyone);
  const bits = Object.entries(permissionBits).filter(([, bit]) => (permissions & bit) !== 0);
  return new Set([...bits.map(([name]) => name), ...rights]);
}

/** Whether every member meets the right that an operation declares. */
function isOpenToMembers({ method, path, ...operation }: DescribedOperation, everybodys: Set<string>): boolean {
  const right = operation["x-right"];
  // Joining needs no right; other operations without one are about something of a user, such as a session.
  if (right === undefined) return `${method} ${path}` === "POST /servers/{id}/join";
  if (right.startsWith("member of the server") || right === "member of the channel") {
    // Moderation judges the target first (docs/protocol/moderation.md#10.1), so its right is not among those that are declared.
    return !refusalsOf({ method, path, ...operation }).includes(`\`${errorTexts.missing_permission}\``);
  }
  const [, needs] = /^(.*) in the (?:server|channel)$/.exec(right) ?? [];
  return needs?.split(", ").every((need) => need.split(" or ").some((name) => everybodys.has(name))) ?? false;
}

test("a member without roles is refused every right that the everyone role does not grant, and the things of others", async () => {
  const [, member] = fixture.members;
  const everybodys = await readEverybodys();
  const closed = operations.filter((one) => isSomebodys(one) && !isOpenToMembers(one, everybodys));
  expect(closed.length).toBeGreaterThan(90);
  const before = await snapshot();
  const visited = await walk(closed, (operation) => send(member ?? client, operation));
  expect(differing(visited, isRefused)).toEqual([]);
  expect(await snapshot()).toEqual(before);
});

// The rights of the routes, as they declare them (services/api/src/access/may.ts): "owner in the server", "member of the channel".
test("a member to whom nothing is permitted is refused by every right that a route declares, with its text", async () => {
  const { owner, server, members } = fixture;
  const nothing = { permissions: 0, rights: [] };
  expect((await owner.patch(`/servers/${server.id}/roles/${server.id}`, nothing)).status).toBe(200);
  const declared = operations.filter((operation) => / in the (server|channel)$/.test(operation["x-right"] ?? ""));
  expect(declared.length).toBeGreaterThan(80);
  const before = await snapshot();
  const visited = await walk(declared, (operation) => send(members[1] ?? client, operation));
  const refused = visited.filter(
    ({ operation, answer: { status, body } }) =>
      status === 403 && refusalsOf(operation).includes(`\`${z.object({ error: z.string() }).parse(body).error}\``),
  );
  const others = visited.filter((one) => !refused.includes(one));
  expect(others.map(({ operation, answer }) => [operation.operationId, answer.status, answer.body])).toEqual([]);
  expect(await snapshot()).toEqual(before);
});
