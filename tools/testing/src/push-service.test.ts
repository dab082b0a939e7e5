import { createECDH, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import webPush from "web-push";
import { type PushDevice, startPushService, type TestPushService } from "./push-service.js";
import { waitUntil } from "./wait-until.js";

let service: TestPushService;
beforeEach(async () => {
  service = await startPushService();
});
afterEach(() => service.stop());

const vapid = webPush.generateVAPIDKeys();
const vapidDetails = { ...vapid, subject: "mailto:operator@parley.example" };
const payload = { type: "message", title: "Grüße", count: 1, message_id: "1" };

/** Sends the request that the package `web-push` makes, with some headers replaced. */
async function send(
  device: PushDevice,
  options: webPush.RequestOptions = {},
  { headers = {}, text = JSON.stringify(payload) }: { headers?: Record<string, string>; text?: string } = {},
) {
  const made = webPush.generateRequestDetails(device, text, { vapidDetails, TTL: 60, urgency: "high", ...options });
  const sent = Object.fromEntries(
    Object.entries(made.headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
  delete sent["content-length"];
  return fetch(made.endpoint, { method: "POST", headers: { ...sent, ...headers }, body: made.body });
}

test("a push of the package web-push is decrypted and taken", async () => {
  const [device, other] = [service.makeDevice(vapid.publicKey), service.makeDevice()];
  const before = Date.now();
  const answer = await send(device, { topic: "a-topic" });
  expect([answer.status, answer.headers.get("location")]).toEqual([201, expect.stringMatching(/^http:\/\/127/)]);
  expect(service.pushes).toEqual([
    {
      ...{ device, payload, status: 201, at: expect.any(Number) },
      headers: expect.objectContaining({ ttl: "60", urgency: "high", topic: "a-topic" }),
    },
  ]);
  expect(service.pushes[0]?.at).toBeGreaterThanOrEqual(before);
  await send(device);
  await send(other);
  expect(service.copiesOf(device, { message_id: "1" })).toBe(2);
  expect(service.copiesOf(other, { message_id: "1" })).toBe(1);
  expect(service.copiesOf(device, { message_id: "2" })).toBe(0);
  expect(service.faults).toEqual([]);
});

describe("a device answers", () => {
  test("with the chosen status, until it takes pushes again", async () => {
    const device = service.makeDevice();
    service.answer(device, { status: 429, retryAfter: "3" });
    const refused = await send(device);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3"]);
    expect(service.copiesOf(device, {})).toBe(0);
    service.answer(device, null);
    expect((await send(device)).status).toBe(201);
    expect(service.pushes.map(({ status }) => status)).toEqual([429, 201]);
    expect(service.copiesOf(device, {})).toBe(1);
    service.remove(device);
    expect((await send(device)).status).toBe(404);
    expect(service.faults).toEqual([]);
  });

  test("not at all, until the service stops", async () => {
    const device = service.makeDevice();
    service.answer(device, "hang");
    const answer = send(device).then(
      () => "answered",
      () => "broken",
    );
    await waitUntil(() => service.pushes.length === 1);
    expect(service.pushes[0]?.status).toBeNull();
    await service.stop();
    expect(await answer).toBe("broken");
  });
});

/** A token as RFC 8292 has it, with some claims replaced. */
function vapidHeader(
  claims: object,
  { alg = "ES256", signedWith = generateKeyPairSync("ec", { namedCurve: "P-256" }) } = {},
) {
  const { x = "", y = "" } = signedWith.publicKey.export({ format: "jwk" });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const all = {
    aud: service.origin,
    exp: Math.floor(Date.now() / 1_000) + 3_600,
    sub: "mailto:a@b.example",
    ...claims,
  };
  const signed = `${part({ typ: "JWT", alg })}.${part(all)}`;
  const signature = sign("sha256", Buffer.from(signed), { key: signedWith.privateKey, dsaEncoding: "ieee-p1363" });
  return { token: `${signed}.${signature.toString("base64url")}`, key: point.toString("base64url") };
}

describe("a push is refused", () => {
  const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;
  test.each<[string, () => string, RegExp]>([
    ["of another origin", () => header(vapidHeader({ aud: "https://push.example" })), /for https:\/\/push.example/],
    ["expired", () => header(vapidHeader({ exp: inSeconds(-1) })), /expired/],
    ["valid for more than a day", () => header(vapidHeader({ exp: inSeconds(86_410) })), /24 hours/],
    ["without a contact", () => header(vapidHeader({ sub: "operator" })), /sub/],
    ["of another algorithm", () => header(vapidHeader({}, { alg: "RS256" })), /alg/],
    ["signed with another key", () => header({ ...vapidHeader({}), key: vapidHeader({}).key }), /not signed/],
    ["without a key", () => "WebPush token", /no vapid header/],
  ])("with a token that is %s", async (_, authorization, fault) => {
    const device = service.makeDevice();
    const taken = await send(device, {}, { headers: { authorization: header(vapidHeader({})) } });
    expect(taken.status).toBe(201);
    const answer = await send(device, {}, { headers: { authorization: authorization() } });
    expect(answer.status).toBe(403);
    expect(service.faults).toEqual([expect.stringMatching(fault)]);
    expect(service.copiesOf(device, {})).toBe(1);
  });

  test.each([
    ["TTL", { ttl: "soon" }],
    ["urgency", { urgency: "urgent" }],
    ["topic", { topic: "x".repeat(33) }],
    ["encoding", { "content-encoding": "aesgcm" }],
  ])("with a wrong %s", async (_, headers) => {
    expect((await send(service.makeDevice(), {}, { headers })).status).toBe(400);
    expect([service.faults.length, service.pushes.length]).toEqual([1, 0]);
  });

  test("with more than 4096 bytes", async () => {
    const device = service.makeDevice();
    // The header has 86 bytes, the end of the record 1, the tag 16.
    const textOf = (bytes: number) => JSON.stringify("x".repeat(bytes - 103 - 2));
    expect((await send(device, {}, { text: textOf(4_096) })).status).toBe(201);
    expect((await send(device, {}, { text: textOf(4_097) })).status).toBe(413);
    expect(service.faults).toHaveLength(1);
  });

  test("with another key than the device was subscribed with", async () => {
    const { publicKey } = webPush.generateVAPIDKeys();
    expect((await send(service.makeDevice(publicKey))).status).toBe(403);
    expect(service.faults).toEqual([expect.stringContaining("another key")]);
  });

  test.each([
    ["other keys", { p256dh: createECDH("prime256v1").generateKeys("base64url") }],
    ["another secret", { auth: randomBytes(16).toString("base64url") }],
  ])("that is encrypted for %s", async (_, keys) => {
    const device = service.makeDevice();
    expect((await send({ ...device, keys: { ...device.keys, ...keys } })).status).toBe(400);
    expect([service.faults.length, service.pushes.length]).toEqual([1, 0]);
  });
});

const header = ({ token, key }: { token: string; key: string }) => `vapid t=${token}, k=${key}`;
