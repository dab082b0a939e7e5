import { Attachment } from "@parley/contracts";
import {
  createClient,
  createServerWithMembers,
  type MortalStack,
  postMessage,
  type RestClient,
  type ServerFixture,
  type UserClient,
  type Users,
  useMortalStack,
  waitUntil,
} from "@parley/testing";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { createAdminStage, createBotClient, readAdminLog, registerAdmin, runSql } from "../stages/admin-stage.js";
import { pngPixel } from "../stages/sample-files.js";
import { formOf, startSlowUpload, upload, watchFiles } from "../stages/upload-stage.js";

const mortal = useMortalStack();
let stack: MortalStack;
let client: RestClient;
let admin: UserClient;
let stage: ServerFixture<Users<2>>;
let member: UserClient;
beforeAll(async () => {
  ({ stack, client, admin } = await createAdminStage(mortal.stack));
});
beforeEach(async () => {
  stage = await createServerWithMembers(client, 2);
  [member] = stage.members;
});
afterEach(async () => {
  await runSql(stack.databaseUrl, "UPDATE instance_settings SET chosen = '{}'");
});

const file = (bytes: number) => ({ name: "a.txt", bytes: Buffer.alloc(bytes, "x") });
const useOf = async (by: RestClient, path = "/users/@me/storage") => (await by.get(path)).body;
const serverUse = () => useOf(stage.owner, `/servers/${stage.server.id}/storage`);
/** The member's client for one of both apis. */
const at = (index: number) =>
  createClient(stack.apis[index]?.url ?? "", { authorization: `Bearer ${member.accessToken}` });
/** Those of the member: apis that other files of the run killed leave theirs until they lapse. */
const reservations = () =>
  runSql(stack.databaseUrl, `SELECT id FROM storage_reservations WHERE account_id = '${member.user.id}'`);
const say = async (by: UserClient) => (await postMessage(by, stage.channel.id, "look")).id;
const setQuota = async (quota: object) => {
  expect((await admin.patch("/admin/settings", { quota })).status).toBe(200);
};
const give = async (path: string, quota: number | null) => {
  expect((await admin.patch(`/admin/${path}`, { quota })).body).toMatchObject(quota === null ? {} : { quota });
};
const refusal = (details: object) => {
  const text = "Storage quota exceeded";
  return { error: text, message: text, code: "storage_quota_exceeded", ...details };
};

test("exactly as many files fit as the quota has room for, while uploads run over both apis", async () => {
  await give(`users/${member.user.id}`, 1_000);
  const stored = await watchFiles(stack.uploadDir);
  const messages = await Promise.all(Array.from({ length: 14 }, () => say(member)));
  const answers = await Promise.all(messages.map((id, n) => upload(at(n % 2), id, [file(100)])));
  const count = (status: number) => answers.filter((answer) => answer.status === status).length;
  expect([count(201), count(400)]).toEqual([10, 4]);
  const refused = answers.find(({ status }) => status === 400);
  expect(refused?.body).toMatchObject(refusal({ scope: "account", quota: 1_000 }));
  expect(await stored()).toHaveLength(10);
  expect(await useOf(member)).toEqual({ used: 1_000, quota: 1_000, files: 10 });
  expect(await serverUse()).toEqual({ used: 1_000, quota: 50_000_000_000, files: 10 });

  // What is deleted counts no longer with the answer.
  const gone = messages[answers.findIndex(({ status }) => status === 201)] ?? "";
  expect((await member.delete(`/messages/${gone}`)).status).toBe(204);
  expect(await useOf(member)).toEqual({ used: 900, quota: 1_000, files: 9 });
  const tooMuch = await upload(member, await say(member), [file(60), file(60)]);
  expect([tooMuch.status, tooMuch.body]).toEqual([400, refusal({ scope: "account", used: 900, quota: 1_000 })]);
  expect((await upload(member, await say(member), [file(40), file(60)])).status).toBe(201);
  expect(await useOf(member)).toEqual({ used: 1_000, quota: 1_000, files: 11 });
  expect(await reservations()).toEqual([]);
});

test("files count for the server and for the creator of a bot, and all that a server had counts no longer once it is gone", async () => {
  const { owner, server, channel } = stage;
  const bot = await createBotClient(owner);
  const added = await owner.post(`/servers/${server.id}/bots`, { bot_id: bot.id, permissions: 0 });
  expect(added.status).toBe(201);
  await give(`servers/${server.id}`, 500);
  const form = (bytes: number) => {
    const parts = formOf([file(bytes)]);
    parts.append("payload_json", "{}");
    return { body: parts };
  };
  expect((await bot.client.send("POST", `/channels/${channel.id}/messages`, form(100))).status).toBe(201);
  expect(await useOf(owner)).toMatchObject({ used: 100, files: 1 });
  expect(await useOf(bot.client)).toMatchObject({ used: 100, files: 1 });
  expect(await serverUse()).toEqual({ used: 100, quota: 500, files: 1 });
  const refused = await member.send("POST", `/channels/${channel.id}/messages`, form(401));
  expect([refused.status, refused.body]).toEqual([400, refusal({ scope: "server", used: 100, quota: 500 })]);
  // Emoji and pictures are the server's.
  const image = formOf([{ name: "e.png", bytes: pngPixel, field: "image" }]);
  image.append("name", "pixel");
  expect((await owner.send("POST", `/servers/${server.id}/emojis`, { body: image })).status).toBe(201);
  expect(await serverUse()).toEqual({ used: 100 + pngPixel.length, quota: 500, files: 2 });
  const icon = formOf([{ name: "i.png", bytes: pngPixel, field: "image" }]);
  expect((await owner.send("POST", `/servers/${server.id}/icon`, { body: icon })).status).toBe(200);
  expect(await serverUse()).toMatchObject({ files: 3 });
  const strangers = await stage.members[1].get(`/servers/${server.id}/storage`);
  expect([strangers.status, strangers.body]).toMatchObject([403, { code: "manage_server_required" }]);
  await give(`servers/${server.id}`, null);
  expect(await serverUse()).toMatchObject({ quota: 50_000_000_000 });

  expect((await owner.delete(`/servers/${server.id}`)).status).toBe(204);
  expect(await useOf(owner)).toMatchObject({ used: 0, files: 0 });
});

test("administrators set quotas, see them where they differ, and list by what is stored", async () => {
  const before = (await admin.get("/admin/settings")).body as object;
  expect(Object.keys(before)).not.toContain("quota");
  await setQuota({ account: 150, installation: null });
  expect((await admin.get("/admin/settings")).body).toMatchObject({ quota: { account: 150 } });
  await upload(member, await say(member), [file(150)]);
  expect((await upload(member, await say(member), [file(1)])).body).toEqual(
    refusal({ scope: "account", used: 150, quota: 150 }),
  );
  await setQuota({ account: null, server: 200 });
  expect((await admin.get("/admin/settings")).body).toMatchObject({ quota: { account: null, server: 200 } });
  expect(await useOf(member)).toEqual({ used: 150, quota: null, files: 1 });
  expect((await upload(member, await say(member), [file(51)])).body).toMatchObject({ scope: "server" });
  await setQuota({ account: 5_000_000_000, server: 50_000_000_000, installation: 1 });
  const full = await upload(member, await say(member), [file(1)]);
  expect([full.status, full.body]).toMatchObject([400, { scope: "installation", quota: 1 }]);
  await setQuota({ installation: null });
  expect(Object.keys((await admin.get("/admin/settings")).body as object)).not.toContain("quota");
  for (const quota of [-1, 1.5, "1"]) {
    const answer = await admin.patch("/admin/settings", { quota: { account: quota } });
    expect([answer.status, answer.body]).toMatchObject([400, { code: "quota_invalid" }]);
  }

  const users = (await admin.get(`/admin/users?sort_by=storage_bytes&search=${member.user.username}`)).body;
  expect(users).toMatchObject({ users: [{ id: member.user.id, storage_bytes: 150 }] });
  const plain = (await admin.get(`/admin/users?search=${member.user.username}`)).body as { users: object[] };
  expect(Object.keys(plain.users[0] ?? {})).not.toContain("storage_bytes");
  const servers = (await admin.get("/admin/servers?sort_by=storage_bytes")).body as {
    servers: { id: string; storage_bytes: number }[];
  };
  expect(servers.servers.find(({ id }) => id === stage.server.id)?.storage_bytes).toBe(150);
  const bytes = servers.servers.map(({ storage_bytes }) => storage_bytes);
  expect(bytes).toEqual(bytes.toSorted((a, b) => b - a));
  await give(`users/${admin.user.id}`, 7);
  expect((await readAdminLog(admin))[0]).toMatchObject({ action: "user_update", details: { quota: 7 } });
  const other = await registerAdmin(client, stack.databaseUrl);
  expect((await other.patch(`/admin/servers/${stage.server.id}`, { quota: 9 })).status).toBe(200);
  expect((await readAdminLog(admin))[0]).toMatchObject({ action: "server_update", details: { quota: 9 } });
});

test("what a process that died had reserved lapses", async () => {
  await give(`users/${member.user.id}`, 1_000);
  const [api] = stack.apis;
  if (api === undefined) throw new Error("The stack has two apis.");
  const sending = startSlowUpload(api.url, member, await say(member));
  sending.begin("slow.txt", Buffer.alloc(800, "x"));
  // The head of a file is read whole before it is stored.
  sending.begin("next.txt", Buffer.alloc(10, "x"));
  await waitUntil(async () => (await reservations()).length === 1);
  await api.kill();
  sending.abort();
  await runSql(stack.databaseUrl, "UPDATE storage_reservations SET expires_at = now()");
  const answer = await upload(at(1), await say(member), [file(900)]);
  expect(answer.status).toBe(201);
  await api.restart();
  await waitUntil(async () => (await reservations()).length === 0);
});

test("an installation that takes files of any kind sends what is not listed as a download alone", async () => {
  const unknown = { name: "a.bin", bytes: Buffer.from([1, 2, 250, 251]) };
  const archive = { name: "a.zip", bytes: Buffer.from("PK\x03\x04....") };
  const svg = { name: "a.svg", bytes: Buffer.from("<?xml version='1.0'?><svg/>") };
  const refused = await upload(member, await say(member), [archive]);
  expect([refused.status, refused.body]).toMatchObject([400, { code: "file_type_not_allowed" }]);
  expect((await admin.patch("/admin/settings", { files: "all" })).body).toMatchObject({
    code: "files_setting_invalid",
  });
  expect((await admin.patch("/admin/settings", { files: "any" })).body).toMatchObject({ files: "any" });

  const sent = [archive, svg, unknown, { name: "p.png", bytes: pngPixel }];
  const answer = await upload(at(1), await say(member), sent);
  const files = answer.expect(201, z.array(Attachment));
  const octets = "application/octet-stream";
  expect(files.map(({ mime_type }) => mime_type)).toEqual(["application/zip", "application/xml", octets, "image/png"]);
  for (const [index, { url, mime_type }] of files.entries()) {
    const { headers } = await fetch(`${stack.edgeUrl}${url}`);
    expect(headers.get("content-type")).toBe(mime_type);
    expect(headers.get("content-disposition")).toMatch(index === 3 ? /^inline/ : /^attachment/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toBe("sandbox");
  }
  await admin.patch("/admin/settings", { files: "listed" });
  expect(Object.keys((await admin.get("/admin/settings")).body as object)).not.toContain("files");
  expect((await upload(member, await say(member), [unknown])).status).toBe(400);
});
