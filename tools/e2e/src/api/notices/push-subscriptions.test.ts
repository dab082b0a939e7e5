import { createECDH, randomBytes, randomUUID } from "node:crypto";
import { errorBody, PushKey } from "@parley/contracts";
import { createClient, type RestClient, type SharedStack, sharedStack, type UserClient } from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { runSql } from "../stages/admin-stage.js";
import {
  badEndpoint,
  makeDevice as device,
  idsOf,
  listSubscriptions as list,
  makeKeys,
  subscribe,
  subscriptionsPath,
} from "../stages/push-subscription-stage.js";

let stack: SharedStack;
let client: RestClient;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.apis[0]?.url ?? "");
});

const path = subscriptionsPath;
/** Requests of a user through the other api. */
const elsewhere = ({ accessToken }: UserClient) =>
  createClient(stack.apis[1]?.url ?? "").withAuthorization(`Bearer ${accessToken}`);
const stored = async (id: string) => {
  const [row] = await runSql(stack.databaseUrl, "SELECT * FROM push_subscriptions WHERE id = $1", [id]);
  return z.looseObject({ endpoint: z.string(), user_id: z.string() }).parse(row);
};

/** As a dispatcher leaves a device that it is sending to. */
const markAsUsed = (id: string) =>
  runSql(
    stack.databaseUrl,
    `UPDATE push_subscriptions SET last_used_at = now(), failing_since = now(), retry_at = now(), busy_until = now(),
      sender = $1 WHERE id = $1`,
    [id],
  );

test("every api returns the same key to everybody, a point of P-256", async () => {
  const keys = await Promise.all(
    stack.apis.map(async ({ url }) =>
      (await createClient(url).get("/instance/push-key")).expect(200, PushKey.strict()),
    ),
  );
  expect(keys[1]).toEqual(keys[0]);
  const point = Buffer.from(keys[0]?.public_key ?? "", "base64url");
  expect([point.length, point[0]]).toEqual([65, 4]);
});

test("devices are listed oldest first, without keys and endpoint, and removed", async () => {
  const user = await client.register();
  const phone = await subscribe(user, { ...device(), label: "  Phone " });
  const laptop = await subscribe(elsewhere(user), { ...device(), label: null });
  expect(phone).toEqual({ id: phone.id, label: "Phone", created_at: phone.created_at, last_used_at: null });
  expect(laptop.label).toBeNull();
  expect(await list(user)).toEqual([phone, laptop]);
  expect((await elsewhere(user).delete(`${path}/${phone.id}`)).status).toBe(204);
  expect(await list(user)).toEqual([laptop]);
  const stranger = await client.register();
  for (const [who, id] of [
    [user, phone.id],
    [stranger, laptop.id],
  ] as const) {
    const answer = await who.delete(`${path}/${id}`);
    expect([answer.status, answer.body]).toEqual([404, errorBody("Push subscription not found")]);
  }
  expect((await user.delete(`${path}/x`)).body).toEqual(errorBody("Invalid identifier"));
  expect(await list(user)).toEqual([laptop]);
});

test("the same endpoint again replaces keys and label, however it is spelt", async () => {
  const user = await client.register();
  const { endpoint, keys } = device();
  const first = await subscribe(user, { endpoint, keys, label: "Phone" });
  await markAsUsed(first.id);
  const fresh = makeKeys();
  const spelt = endpoint.replace("https://push.example/", "HTTPS://PUSH.example:443/a/../");
  const second = await subscribe(elsewhere(user), { endpoint: spelt, keys: fresh }, 200);
  expect(second).toEqual({ ...first, label: null, last_used_at: second.last_used_at });
  expect(second.last_used_at).not.toBeNull();
  expect(await stored(first.id)).toMatchObject({
    ...{ ...fresh, endpoint, failing_since: null },
    ...{ sender: first.id, busy_until: expect.any(Date), retry_at: expect.any(Date) },
  });
  expect(await list(user)).toEqual([second]);
});

test("the endpoint of another account moves to who names it, as a device of its own", async () => {
  const [ann, bob] = [await client.register(), await client.register()];
  const body = { ...device(), label: "Tablet" };
  const before = await subscribe(ann, body);
  await markAsUsed(before.id);
  const after = await subscribe(elsewhere(bob), body, 200);
  expect(after.id).not.toBe(before.id);
  expect(after.last_used_at).toBeNull();
  expect(await stored(after.id)).toMatchObject({ failing_since: null, sender: null, busy_until: null });
  expect(await list(ann)).toEqual([]);
  expect(await list(bob)).toEqual([after]);
});

describe("of more than 20 devices", () => {
  test("the one goes that was unused longest", async () => {
    const user = await client.register();
    const devices = [];
    for (let n = 0; n < 20; n += 1) devices.push(await subscribe(user));
    await runSql(stack.databaseUrl, "UPDATE push_subscriptions SET last_used_at = now() WHERE id = $1", [
      devices[0]?.id,
    ]);
    const another = await subscribe(user);
    expect(idsOf(await list(user))).toEqual(idsOf([...devices.slice(0, 1), ...devices.slice(2), another]));
    const unused = await subscribe(elsewhere(user));
    expect(idsOf(await list(user))).toEqual(idsOf([...devices.slice(0, 1), ...devices.slice(3), another, unused]));
  });

  test("20 are left when two apis store some at once, the same ones among them, also of two accounts", async () => {
    const users = [await client.register(), await client.register()];
    const bodies = Array.from({ length: 30 }, device);
    const answers = await Promise.all(
      users.flatMap((user) => bodies.flatMap((body) => [user.post(path, body), elsewhere(user).post(path, body)])),
    );
    expect(answers.filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
    const left = await Promise.all(users.map(list));
    for (const subscriptions of left) expect(subscriptions.length).toBeLessThanOrEqual(20);
    // Once more by one of them, so that all are theirs.
    const [user] = users;
    if (user === undefined) throw new Error("no user");
    await Promise.all(bodies.map((body, n) => (n % 2 ? user : elsewhere(user)).post(path, body)));
    expect(await list(user)).toHaveLength(20);
  });
});

const point = createECDH("prime256v1").generateKeys();
const withPoint = (change: (bytes: Buffer) => void, bytes = Buffer.from(point)) => {
  change(bytes);
  return { ...device(), keys: { ...makeKeys(), p256dh: bytes.toString("base64url") } };
};
const withAuth = (auth: unknown) => ({ ...device(), keys: { ...makeKeys(), auth } });
const badPoint = "keys.p256dh: must be an uncompressed point of P-256 in base64url";
const badAuth = "keys.auth: must be 16 bytes in base64url";
const badLabel = "label: must be at most 100 characters";
test.each<[string, object, string]>([
  ["no endpoint", { keys: makeKeys() }, badEndpoint],
  ["another scheme", { ...device(), endpoint: "ftp://push.example/1" }, badEndpoint],
  ["no URL", { ...device(), endpoint: "https://" }, badEndpoint],
  ["a name in the URL", { ...device(), endpoint: "https://ann@push.example/1" }, badEndpoint],
  ["a password in the URL", { ...device(), endpoint: "https://:secret@push.example/1" }, badEndpoint],
  ["2049 bytes", { ...device(), endpoint: `https://push.example/${"x".repeat(2_028)}` }, badEndpoint],
  [
    "2049 bytes when it is escaped",
    { ...device(), endpoint: `https://push.example/xx${"é".repeat(338)}` },
    badEndpoint,
  ],
  ["no keys", { endpoint: device().endpoint }, "keys: is required"],
  ["keys that are no object", { ...device(), keys: "x" }, "keys: must be an object"],
  ["a point off the curve", withPoint((bytes) => bytes.writeUInt8(bytes.readUInt8(64) ^ 1, 64)), badPoint],
  ["a point of another form", withPoint((bytes) => bytes.writeUInt8(6 + (bytes.readUInt8(64) & 1))), badPoint],
  ["a compressed point", { ...device(), keys: { ...makeKeys(), p256dh: compressed() } }, badPoint],
  ["a point in base64", { ...device(), keys: { ...makeKeys(), p256dh: `${makeKeys().p256dh}=` } }, badPoint],
  ["no point", { ...device(), keys: { auth: makeKeys().auth } }, badPoint],
  ["15 bytes of auth", withAuth(randomBytes(15).toString("base64url")), badAuth],
  ["no auth", withAuth(undefined), badAuth],
  ["auth that is no text", withAuth(16), badAuth],
  ["a long label", { ...device(), label: "x".repeat(101) }, badLabel],
  ["a label that is no text", { ...device(), label: 1 }, badLabel],
])("what cannot be stored is named by its path: %s", async (_, body, text) => {
  const user = await client.register();
  const answer = await user.post(path, body);
  expect([answer.status, answer.body]).toEqual([400, errorBody(text)]);
  expect(await list(user)).toEqual([]);
});

function compressed(): string {
  const curve = createECDH("prime256v1");
  curve.generateKeys();
  return curve.getPublicKey("base64url", "compressed");
}

test("an endpoint of 2048 bytes and a label of 100 characters, blanks around it aside, are taken", async () => {
  const user = await client.register();
  const endpoint = `https://push.example/${randomUUID()}`.padEnd(2_048, "x");
  const { id, label } = await subscribe(user, { ...device(), endpoint, label: ` ${"é".repeat(100)} ` });
  expect(label).toBe("é".repeat(100));
  expect((await stored(id)).endpoint).toBe(endpoint);
});

test("plain HTTP is taken by an installation that allows private addresses", async () => {
  await subscribe(await client.register(), { ...device(), endpoint: "http://127.0.0.1:9/1" });
});

test("the export of an account lists its devices without their endpoints and keys", async () => {
  const user = await client.register();
  const body = { ...device(), label: "Phone" };
  const subscription = await subscribe(user, body);
  const { body: exported } = await user.get("/users/@me/export");
  expect(exported).toMatchObject({ push_subscriptions: [subscription] });
  for (const secret of [body.endpoint, body.keys.p256dh, body.keys.auth])
    expect(JSON.stringify(exported)).not.toContain(secret);
});
