import { randomUUID } from "node:crypto";
import { errorBody as error, permissionBits, Webhook } from "@parley/contracts";
import {
  assignRole,
  createClient,
  createRole,
  createServerWithMembers,
  type RestClient,
  type ServerFixture,
  type SharedStack,
  sharedStack,
  type UserClient,
  type Users,
} from "@parley/testing";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { CreatedWebhook, createWebhook } from "../stages/webhook-stage.js";

let stack: SharedStack;
let client: RestClient;
let stage: ServerFixture<Users<1>>;
let base: string;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl);
});
beforeEach(async () => {
  stage = await createServerWithMembers(client, 1);
  base = `/servers/${stage.server.id}/webhooks`;
});

const url = "https://example.com/hook";
const valid = { name: "CI", url, event_types: ["message.created"] };
const cannotManage = error("You need the Administrator permission to manage webhooks");
const List = z.strictObject({ webhooks: z.array(Webhook.strict()) });
const requests = (webhookId: string): ["GET" | "POST" | "PATCH" | "DELETE", string, unknown?][] => [
  ["POST", base, valid],
  ["GET", base],
  ["GET", `${base}/${webhookId}`],
  ["PATCH", `${base}/${webhookId}`, { enabled: false }],
  ["POST", `${base}/${webhookId}/rotate-secret`],
  ["POST", `${base}/${webhookId}/test`],
  ["GET", `${base}/${webhookId}/deliveries`],
  ["POST", `${base}/${webhookId}/deliveries/${randomUUID()}/redeliver`],
  ["DELETE", `${base}/${webhookId}`],
];

test("a new secret is shown once and changes nothing else", async () => {
  const { webhook, secret } = await createWebhook(stage.owner, stage.server.id, { url });
  const rotated = (await stage.owner.post(`${base}/${webhook.id}/rotate-secret`)).expect(200, CreatedWebhook);
  expect(rotated.webhook).toEqual(webhook);
  expect(rotated.secret).not.toBe(secret);
  const list = await stage.owner.get(base);
  expect(list.expect(200, List).webhooks).toEqual([webhook]);
  expect(JSON.stringify(list.body)).not.toContain(rotated.secret);
});

describe("creating a webhook", () => {
  test("creating a webhook answers with the webhook and, once, with its secret", async () => {
    const { webhook, secret } = (
      await stage.owner.post(base, {
        ...valid,
        name: "  CI \t",
        event_types: ["member.left", "message.created", "member.left"],
      })
    ).expect(201, CreatedWebhook);
    expect(webhook).toEqual({
      id: expect.any(String),
      server_id: stage.server.id,
      created_by: stage.owner.user.id,
      name: "CI",
      url,
      event_types: ["member.left", "message.created"],
      enabled: true,
      delivery_failures: 0,
      last_used_at: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: webhook.created_at,
    });
    expect((await stage.owner.get(`${base}/${webhook.id}`)).expect(200, Webhook.strict())).toEqual(webhook);
    const list = await stage.owner.get(base);
    expect(list.expect(200, List).webhooks).toEqual([webhook]);
    expect(JSON.stringify(list.body)).not.toContain(secret);
  });

  const name = "Webhook name must be 1-100 characters";
  const scheme = "Webhook URL must use http:// or https://";
  const noEvent = "event_types must contain at least one event";
  test.each<[object, string]>([
    [{ name: "" }, name],
    [{ name: "   " }, name],
    [{ name: "x".repeat(101) }, name],
    [{ name: 7 }, name],
    [{ name: undefined }, name],
    [{ url: "ftp://example.com" }, scheme],
    [{ url: "example.com" }, scheme],
    [{ url: "http://" }, scheme],
    [{ url: "http://exa mple.com" }, scheme],
    [{ url: "https://example.com/\u0000" }, scheme],
    [{ url: null }, scheme],
    [{ url: undefined }, scheme],
    [{ url: `https://example.com/${"x".repeat(1981)}` }, "Webhook URL must be at most 2000 characters"],
    [{ event_types: [] }, noEvent],
    [{ event_types: "message.created" }, noEvent],
    [{ event_types: undefined }, noEvent],
    [{ event_types: ["message.created", "message.read"] }, "Unknown event type 'message.read'"],
    [{ event_types: [5] }, "Unknown event type '5'"],
  ])("a webhook with %j is refused", async (fields, text) => {
    const answer = await stage.owner.post(base, { ...valid, ...fields });
    expect([answer.status, answer.body]).toEqual([400, error(text)]);
  });

  test.each([
    "HTTPS://EXAMPLE.COM",
    "http://user:p%40ss@example.com:8443/a?b=c#d",
    "https://bücher.example/ä",
    "https://xn--bcher-kva.example/",
    "http://[2001:db8::1]:1/",
    `https://example.com/${"x".repeat(1980)}`,
  ])("accepts %s and keeps it as sent", async (given) => {
    const { webhook } = await createWebhook(stage.owner, stage.server.id, { url: given });
    expect(webhook.url).toBe(given);
  });

  test("creating a webhook stops at ten per server, also when many are created at once", async () => {
    const answers = await Promise.all(Array.from({ length: 14 }, () => stage.owner.post(base, valid)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(10);
    const refused = answers.filter(({ status }) => status !== 201);
    for (const { status, body } of refused) {
      expect([status, body]).toEqual([400, error("Servers are limited to 10 webhooks")]);
    }
    const { webhooks } = (await stage.owner.get(base)).expect(200, List);
    expect(webhooks).toHaveLength(10);
    expect(webhooks.map(({ created_at }) => created_at)).toEqual(webhooks.map(({ created_at }) => created_at).sort());
    expect((await stage.owner.delete(`${base}/${webhooks[0]?.id}`)).status).toBe(204);
    expect((await stage.owner.post(base, valid)).status).toBe(201);
  });
});

describe("updating a webhook", () => {
  test("changes the given fields, leaves null and absent ones, and renews updated_at only then", async () => {
    const { webhook } = await createWebhook(stage.owner, stage.server.id, { url });
    const one = `${base}/${webhook.id}`;
    expect((await stage.owner.patch(one, {})).expect(200, Webhook.strict())).toEqual(webhook);
    const nulls = { name: null, url: null, event_types: null, enabled: null };
    expect((await stage.owner.patch(one, nulls)).expect(200, Webhook.strict())).toEqual(webhook);
    const changes = { name: "Deploys", url: "http://example.org", event_types: ["message.deleted"], enabled: false };
    const changed = (await stage.owner.patch(one, changes)).expect(200, Webhook.strict());
    expect(changed).toEqual({ ...webhook, ...changes, updated_at: changed.updated_at });
    expect(changed.updated_at > webhook.updated_at).toBe(true);
  });

  test.each<[object, string]>([
    [{ name: " " }, "Webhook name must be 1-100 characters"],
    [{ url: "gopher://x" }, "Webhook URL must use http:// or https://"],
    [{ event_types: [] }, "event_types must contain at least one event"],
    [{ event_types: ["x"] }, "Unknown event type 'x'"],
    [{ enabled: "yes" }, "enabled must be a boolean"],
  ])("a change of a webhook to %j is refused", async (changes, text) => {
    const { webhook } = await createWebhook(stage.owner, stage.server.id, { url });
    const answer = await stage.owner.patch(`${base}/${webhook.id}`, changes);
    expect([answer.status, answer.body]).toEqual([400, error(text)]);
  });
});

describe("access to webhooks", () => {
  let webhook: Webhook;
  beforeEach(async () => {
    webhook = (await createWebhook(stage.owner, stage.server.id, { url })).webhook;
  });

  const statusesOf = async (caller: UserClient, webhookId: string) => {
    const statuses: [number, unknown][] = [];
    for (const [method, path, body] of requests(webhookId)) {
      const answer = await caller.send(method, path, { body });
      statuses.push([answer.status, answer.body]);
    }
    return statuses;
  };

  test("access to webhooks is refused to plain members and to those who are no members", async () => {
    const [member] = stage.members;
    for (const caller of [member, await client.register()]) {
      expect(await statusesOf(caller, webhook.id)).toEqual(requests(webhook.id).map(() => [403, cannotManage]));
    }
  });

  test("access to webhooks is given to members with ADMINISTRATOR", async () => {
    const [member] = stage.members;
    const role = await createRole(stage.owner, stage.server.id, { permissions: permissionBits.ADMINISTRATOR });
    await assignRole(stage.owner, role, member);
    const statuses = (await statusesOf(member, webhook.id)).map(([status]) => status);
    expect(statuses).toEqual([201, 200, 200, 200, 200, 202, 200, 404, 204]);
  });

  test("access to webhooks is 404 for a missing server, for every caller, and for a webhook of another server", async () => {
    const missing = await stage.owner.get(`/servers/${randomUUID()}/webhooks`);
    expect([missing.status, missing.body]).toEqual([404, error("Server not found")]);
    const other = await createServerWithMembers(client, 0);
    const foreign = (await createWebhook(other.owner, other.server.id, { url })).webhook;
    const statuses = await statusesOf(stage.owner, foreign.id);
    expect(statuses.slice(2)).toEqual(Array(7).fill([404, error("Webhook not found")]));
    (await other.owner.get(`/api/servers/${other.server.id}/webhooks/${foreign.id}`)).expect(200, Webhook.strict());
  });

  test("access to webhooks is 400 with malformed identifiers, and 401 without credentials", async () => {
    const malformed = await stage.owner.get(`${base}/x`);
    expect([malformed.status, malformed.body]).toEqual([400, error("Invalid identifier")]);
    expect((await client.withAuthorization(null).get(base)).status).toBe(401);
  });

  test("access to webhooks ends once the webhook is deleted, and deleting it again is 404", async () => {
    expect((await stage.owner.delete(`${base}/${webhook.id}`)).status).toBe(204);
    const again = await stage.owner.delete(`${base}/${webhook.id}`);
    expect([again.status, again.body]).toEqual([404, error("Webhook not found")]);
  });
});
