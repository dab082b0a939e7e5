import { readFileSync } from "node:fs";
import { permissionBits } from "@parley/contracts";
import {
  createServerWithMembers,
  joinServer,
  postMessage,
  type RestClient,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { sampleArchive } from "@parley/testing/archives";
import { zipOf } from "@parley/testing/zips";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createAdminStage, runSql } from "../stages/admin-stage.js";
import { createConnections, namesOf } from "../stages/connection-stage.js";
import { ImportPerson, importArchive } from "../stages/import-stage.js";
import { madeExport, madeThing, packExport } from "../stages/made-export.js";

let stack: SharedStack;
let client: RestClient;
let admin: UserClient;
let connections: ReturnType<typeof createConnections>;
beforeAll(async () => {
  ({ stack, client, admin } = await createAdminStage(await sharedStack()));
  connections = createConnections(stack);
});
afterAll(() => connections?.closeAll());

const namedThings = z.array(z.looseObject({ id: z.string(), name: z.string() }));
const channelsOf = async (user: RestClient, serverId: string) =>
  (await user.get(`/servers/${serverId}/channels`)).expect(200, namedThings);
const People = z.looseObject({ people: z.array(ImportPerson) });
const peopleOf = async (id: string) =>
  (await admin.get(`/admin/imports/${id}/people?per_page=100`)).expect(200, People).people;

test("channels come into a living server in silence, under free names, and hidden where nothing says that they were public", async () => {
  const { owner, server, channel, members } = await createServerWithMembers(client, 1);
  const [member] = members;
  await owner.patch(`/channels/${channel.id}`, { name: "announcements" });
  const socket = await connections.open(member.accessToken, 0, "v=2");
  const archive = readFileSync(sampleArchive("discord").path);
  const done = await importArchive(admin, archive, { into: server.id, visible: ["announcements", "workbench"] });
  expect(done.server_id).toBe(server.id);
  const names = async (user: RestClient) => (await channelsOf(user, server.id)).map(({ name }) => name);
  expect(await names(owner)).toEqual(expect.arrayContaining(["announcements-imported", "general", "money matters"]));
  expect(await names(member)).toEqual(["announcements", "announcements-imported", "workbench"]);

  const after = await postMessage(owner, channel.id, "after the import");
  await socket.waitFor("MESSAGE_CREATE", ({ id }) => id === after.id);
  const seen = namesOf(socket);
  expect(seen.filter((name) => name === "CHANNEL_CREATE")).toHaveLength(2);
  expect(seen.filter((name) => name === "MESSAGE_CREATE")).toHaveLength(1);
  expect(new Set(seen)).toEqual(new Set(["CHANNEL_CREATE", "SERVER_UPDATE", "MESSAGE_CREATE"]));
  const ready = await (await connections.open(member.accessToken, 1, "v=2")).ready;
  expect(ready.unread_counts).toEqual([{ channel_id: channel.id, unread_count: 1 }]);
  expect(ready.mention_counts).toEqual([]);
});

test("an export of Parley brings archived and private channels, overrides up to their cap, and roles that follow their holders", async () => {
  const made = madeExport(["open", "hidden", "read-only"]);
  const [, hidden, old] = made.channels;
  const [ann] = made.people;
  const role = (name: string, position: number) => ({ ...madeThing(), name, position, permissions: 128, color: null });
  made.roles = Array.from({ length: 101 }, (_, index) => role(`Role ${index}`, index + 1));
  const [first] = made.roles;
  Object.assign(ann ?? {}, { roles: [{ id: first?.id }] });
  const bits = { allow: 0, deny: permissionBits.VIEW_CHANNEL };
  made.overrides = [
    { channel_id: hidden?.id, role_id: made.server.id, user_id: null, ...bits },
    { channel_id: old?.id, role_id: made.server.id, user_id: null, allow: 0, deny: permissionBits.SEND_MESSAGES },
    { channel_id: hidden?.id, role_id: null, user_id: ann?.user_id, allow: permissionBits.VIEW_CHANNEL, deny: 0 },
    ...made.roles.map(({ id }) => ({ channel_id: hidden?.id, role_id: id, user_id: null, allow: 0, deny: 4 })),
  ];
  const done = await importArchive(admin, packExport(made));
  expect(done.report?.skipped).toEqual([
    { kind: "unknown_record", reason: "override of too many, or of nobody", count: 3, example: "hidden" },
  ]);
  const serverId = done.server_id ?? "";
  await admin.patch(`/servers/${serverId}`, { is_public: true });
  const [user, stranger] = [await client.register(), await client.register()];
  for (const each of [user, stranger]) await joinServer(each, serverId);
  const names = async (by: RestClient) => (await channelsOf(by, serverId)).map(({ name }) => name);
  expect(await names(stranger)).toEqual(["open", "read-only"]);
  const quiet = (await channelsOf(stranger, serverId)).find(({ name }) => name === "read-only");
  expect((await stranger.post(`/channels/${quiet?.id}/messages`, { content: "no" })).status).toBe(403);

  const person = (await peopleOf(done.id)).find(({ external_id }) => external_id === ann?.user_id);
  const path = `/admin/imports/${done.id}/people/${person?.id}/claim`;
  const socket = await connections.open(user.accessToken, 0, "v=2");
  (await admin.post(path, { user_id: user.user.id })).expect(200, ImportPerson);
  expect((await admin.post(path, { user_id: stranger.user.id })).status).toBe(409);
  await expect.poll(() => names(user)).toEqual(["open", "hidden", "read-only"]);
  const given = await socket.waitFor("MEMBER_ROLE_ADD", ({ user_id }) => user_id === user.user.id);
  expect(given.role_name).toBe("Role 0");
});

test("channels over the cap are not made, and their messages counted", async () => {
  const { server } = await createServerWithMembers(client, 0);
  await runSql(
    stack.databaseUrl,
    `INSERT INTO channels (server_id, name, position) SELECT $1, 'channel ' || n, n FROM generate_series(1, 498) n`,
    [server.id],
  );
  const made = madeExport(["one", "two", "three"]);
  const done = await importArchive(admin, packExport(made), { into: server.id });
  const reason = "the server has as many as it may";
  expect(done.report?.skipped).toEqual([{ kind: "channel", reason, count: 4, example: "two" }]);
});

test("ids of one millisecond rise in the archive's order, for messages in and outside threads, channels and people", async () => {
  const at = 1_704_783_453;
  const numbers = Array.from({ length: 8 }, (_, number) => number);
  const workspace = madeThing().id;
  const archive = zipOf([
    { name: "users.json", bytes: JSON.stringify(numbers.map((n) => ({ id: `U${n}`, team_id: workspace, name: "p" }))) },
    {
      name: "channels.json",
      bytes: JSON.stringify(numbers.map((n) => ({ id: `C${n}`, name: `room-${n}`, created: at, members: [] }))),
    },
    {
      name: "room-0/2024-01-09.json",
      bytes: JSON.stringify(
        numbers.map((n) => ({
          ...{ type: "message", user: `U${n}`, text: `from ${n}`, ts: `${at}.00010${n}` },
          ...(n % 2 === 1 && { thread_ts: `${at}.000100` }),
        })),
      ),
    },
  ]);
  const { id } = await importArchive(admin, archive);
  const made = (kind: string) =>
    runSql(
      stack.databaseUrl,
      "SELECT external_id FROM import_items WHERE import_id = $1 AND kind = $2 ORDER BY target_id",
      [id, kind],
    );
  const inOrder = (prefix: string) => numbers.map((n) => ({ external_id: `${prefix}${n}` }));
  expect(await made("message")).toEqual(inOrder(`C0/${at}.00010`));
  expect(await made("channel")).toEqual(inOrder("C"));
  expect(await made("person")).toEqual(inOrder("U"));
});

test("roles of Discord stand in their order there, whichever was named first", async () => {
  const role = (id: string, position: number) => ({ id, name: `Role ${position}`, color: null, position });
  const author = { name: "ann", nickname: "Ann", isBot: false };
  const guild = String(madeThing().id.replace(/\D/g, "").slice(0, 15) || 7);
  const message = (id: string, roles: object[]) => ({
    ...{ id, type: "Default", timestamp: "2024-01-01T10:00:00+00:00", content: id, author: { ...author, id, roles } },
  });
  const archive = zipOf([
    {
      name: "a.json",
      bytes: JSON.stringify({
        guild: { id: guild, name: "Garden" },
        channel: { id: `${guild}1`, type: "GuildTextChat", name: "general" },
        exportedAt: "2024-02-01T00:00:00+00:00",
        messages: [message("200", [role("51", 5), role("52", 1)]), message("201", [role("53", 3)])],
      }),
    },
  ]);
  const { server_id: id } = await importArchive(admin, archive);
  const sql = "SELECT name FROM roles WHERE server_id = $1 AND id <> $1 ORDER BY position";
  const names = ["Role 1", "Role 3", "Role 5"];
  expect(await runSql(stack.databaseUrl, sql, [id])).toEqual(names.map((name) => ({ name })));
});

test("whoever has verified the address of a person has the messages at once, before an import or after", async () => {
  const addresses = ["early", "late", "unverified"].map((name) => `${name}-${madeThing().id}@parley.example`);
  const users = addresses.map((email, at) => ({
    id: `U${at}`,
    team_id: `T${addresses[0]}`,
    name: `person${at}`,
    is_email_confirmed: at < 2,
    profile: { email, real_name: `Person ${at}` },
  }));
  const at = 1_704_783_453;
  const archive = zipOf([
    { name: "users.json", bytes: JSON.stringify(users) },
    { name: "channels.json", bytes: JSON.stringify([{ id: "C1", name: "general", members: [] }]) },
    {
      name: "general/2024-01-09.json",
      bytes: JSON.stringify(
        users.map(({ id }, n) => ({ type: "message", user: id, text: `from ${id}`, ts: `${at + n}.000100` })),
      ),
    },
  ]);
  const verify = async (email: string) => {
    const { user } = await client.register();
    const sql = "UPDATE users SET email = $2, email_verified_at = now() WHERE id = $1";
    await runSql(stack.databaseUrl, sql, [user.id, email]);
    return user.id;
  };
  const [early = "", late = "", unverified = ""] = addresses;
  const ids = [await verify(early)];
  const { id } = await importArchive(admin, archive);
  ids.push(await verify(late), await verify(unverified));
  const holders = async () => {
    const people = await peopleOf(id);
    return addresses.map((address) => people.find(({ email }) => email === address)?.user_id);
  };
  const [, , nobody] = await holders();
  expect(ids).not.toContain(nobody);
  expect(await holders()).toEqual([ids[0], ids[1], nobody]);
  const authors =
    "SELECT author_id FROM messages WHERE content LIKE 'from U%' AND author_id = ANY ($1) ORDER BY content";
  await expect
    .poll(() => runSql(stack.databaseUrl, authors, [[...ids, nobody]]))
    .toEqual([ids[0], ids[1], nobody].map((author_id) => ({ author_id })));
});
