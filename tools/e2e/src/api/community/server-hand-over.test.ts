import { AuditLogEntry, errorBody as error, Server } from "@parley/contracts";
import {
  createChannel,
  createClient,
  createServer,
  createServerWithMembers,
  postMessage,
  type RestClient,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { deny } from "../stages/channel-stage.js";
import { createConnections } from "../stages/connection-stage.js";

let stack: SharedStack;
let client: RestClient;
let connections: ReturnType<typeof createConnections>;
let owner: UserClient;
let heir: UserClient;
let third: UserClient;
let server: Server;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl, { prefix: "/api" });
  connections = createConnections(stack);
});
beforeEach(async () => {
  const fixture = await createServerWithMembers(client, 2);
  ({ owner, server } = fixture);
  [heir = owner, third = owner] = fixture.members;
});
afterAll(() => connections?.closeAll());

const path = () => `/servers/${server.id}/owner`;
const handOver = (by = owner, to = heir) => by.post(path(), { user_id: to.user.id, password: by.password });
const bothGateways = (user: UserClient) =>
  Promise.all(([0, 1] as const).map((gateway) => connections.open(user.accessToken, gateway)));

test("the new owner may do at once what only the owner may, and the old one no longer", async () => {
  const before = (await owner.get(`/servers/${server.id}`)).expect(200, Server);
  const answer = (await handOver()).expect(200, Server.strict());
  expect(answer).toEqual({ ...before, owner_id: heir.user.id, updated_at: answer.updated_at });
  expect((await third.get(`/servers/${server.id}`)).body).toEqual(answer);
  expect((await owner.patch(`/servers/${server.id}`, { name: "mine" })).status).toBe(403);
  expect((await handOver(owner, third)).body).toEqual(error("Only the server owner can hand it over"));
  expect((await owner.get(`/servers/${server.id}/audit-logs`)).status).toBe(403);
  const [entry] = (await heir.get(`/servers/${server.id}/audit-logs`)).expect(200, z.array(AuditLogEntry.strict()));
  expect(entry).toMatchObject({
    action: "owner_change",
    actor_id: owner.user.id,
    target_type: "server",
    target_id: server.id,
    details: { from: owner.user.id, to: heir.user.id },
  });
  expect((await owner.delete(`/servers/${server.id}/leave`)).status).toBe(204);
  expect((await heir.delete(`/servers/${server.id}`)).status).toBe(204);
});

test("connections to every gateway change sides with the answer, and voice ends with the right to it", async () => {
  const [kept, staff, lounge] = await Promise.all([
    createChannel(owner, server.id),
    createChannel(owner, server.id),
    createChannel(owner, server.id, { type: "voice" }),
  ]);
  // Neither denial concerns the owner of the server.
  await deny(owner, staff.id, { userId: heir.user.id, permissions: ["VIEW_CHANNEL"] });
  await deny(owner, kept.id, { userId: owner.user.id, permissions: ["VIEW_CHANNEL"] });
  await deny(owner, lounge.id, { userId: owner.user.id, permissions: ["CONNECT_VOICE"] });
  const [ofOwner, ofHeir, ofThird] = await Promise.all([owner, heir, third].map(bothGateways));
  expect((await owner.post(`/channels/${lounge.id}/voice`)).status).toBe(201);

  const say = async (content: string) => {
    for (const { id } of [kept, staff]) await postMessage(third, id, content);
    await postMessage(third, lounge.id, `end of ${content}`);
  };
  await say("before");
  expect((await handOver()).status).toBe(200);
  await say("after");

  const heard = async (sockets: typeof ofOwner = []) =>
    Promise.all(
      sockets.map(async (socket) => {
        await socket.waitFor("MESSAGE_CREATE", ({ content }) => content === "end of after");
        const names = new Map([
          [kept.id, "kept"],
          [staff.id, "staff"],
        ]);
        return socket.events.flatMap(({ name, payload }) => {
          const { channel_id, content } = Object(payload);
          const channel = names.get(channel_id);
          return name === "MESSAGE_CREATE" && channel !== undefined ? [`${channel} ${content}`] : [];
        });
      }),
    );
  const all = ["kept before", "staff before", "kept after", "staff after"];
  expect(await heard(ofThird)).toEqual([all, all]);
  expect(await heard(ofOwner)).toEqual([all.toSpliced(2, 1), all.toSpliced(2, 1)]);
  expect(await heard(ofHeir)).toEqual([all.toSpliced(1, 1), all.toSpliced(1, 1)]);
  const isLeave = (state: { user_id: string; channel_id: string | null }) =>
    state.user_id === owner.user.id && state.channel_id === null;
  for (const socket of ofThird ?? []) await socket.waitFor("VOICE_STATE_UPDATE", isLeave);
  expect((await third.get(`/channels/${lounge.id}/voice`)).body).toEqual([]);
});

test("a server is handed over by its owner with their password, to a person among its members", async () => {
  const send = async (by: UserClient, body: object) => {
    const answer = await by.post(path(), body);
    return [answer.status, answer.body];
  };
  const { password } = owner;
  const to = (user_id: string) => ({ user_id, password });
  const stranger = await client.register();
  expect(await send(stranger, to(heir.user.id))).toEqual([404, error("Server not found")]);
  expect(await send(heir, { ...to(heir.user.id), password: heir.password })).toEqual([
    403,
    error("Only the server owner can hand it over"),
  ]);
  expect(await send(owner, { user_id: heir.user.id, password: "wrong" })).toEqual([400, error("Wrong password")]);
  expect(await send(owner, { password })).toEqual([400, error("Invalid user_id")]);
  expect(await send(owner, to(stranger.user.id))).toEqual([404, error("Member not found")]);
  const created = await owner.post("/bots", { name: "Helper" });
  const { bot, token } = created.expect(201, z.object({ bot: z.object({ user_id: z.string() }), token: z.string() }));
  await client.withAuthorization(`Bot ${token}`).post(`/servers/${server.id}/join`);
  expect(await send(owner, to(bot.user_id))).toEqual([400, error("Bots cannot own servers")]);
  // To oneself it changes nothing.
  expect((await handOver(owner, owner)).expect(200, Server).owner_id).toBe(owner.user.id);
  expect((await owner.get(`/servers/${server.id}/audit-logs?action=owner_change`)).body).toEqual([]);
});

test("somebody who owns as many servers as one may is given no other one", async () => {
  for (let owned = 0; owned < 100; owned += 1) await createServer(heir);
  expect((await handOver()).body).toEqual(error("Limit of 100 servers reached"));
  const [first] = (await heir.get("/servers"))
    .expect(200, z.array(Server))
    .filter((one) => one.owner_id === heir.user.id);
  expect((await heir.delete(`/servers/${first?.id}`)).status).toBe(204);
  expect((await handOver()).status).toBe(200);
});
