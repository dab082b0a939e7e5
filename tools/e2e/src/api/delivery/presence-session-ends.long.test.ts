import { randomUUID } from "node:crypto";
import { type Channel, VoiceState } from "@parley/contracts";
import type { ServerProcess } from "@parley/local-stack";
import {
  connectGateway,
  createChannel,
  createClient,
  createServerWithMembers,
  type GatewayClient,
  joinServer,
  type RestClient,
  type ServerFixture,
  type UserClient,
  useMortalStack,
} from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { registerAdmin } from "../stages/admin-stage.js";

const mortal = useMortalStack();
/** Two of its own: no grace ends by itself while these tests run. */
let gateways: ServerProcess[];
let client: RestClient;
let admin: UserClient;
let fixture: ServerFixture;
let voice: Channel;
/** The owner on the second gateway, with the view of a co-member. */
let watcher: GatewayClient;

beforeAll(async () => {
  const { stack } = mortal;
  const env = { RESUME_GRACE_SECONDS: "3600" };
  gateways = await Promise.all([stack.startGateway({ env }), stack.startGateway({ env })]);
  client = createClient(stack.edgeUrl);
  admin = await registerAdmin(client, stack.databaseUrl);
  fixture = await createServerWithMembers(client, 0);
  voice = await createChannel(fixture.owner, fixture.server.id, { type: "voice" });
  watcher = connectGateway(gateways[1]?.url ?? "", fixture.owner.accessToken);
  await watcher.ready;
});

/** A member with a numbered connection to each of the gateways, in voice. */
async function enter(indexes: readonly (0 | 1)[]) {
  const email = `${randomUUID()}@example.com`;
  const user = await client.register({ email });
  await joinServer(user, fixture.server.id);
  const query = `token=${encodeURIComponent(user.accessToken)}&s=`;
  const sockets = indexes.map((index) => connectGateway(gateways[index]?.url ?? "", "", { query }));
  await Promise.all(sockets.map(({ ready }) => ready));
  (await user.post(`/channels/${voice.id}/voice`, {})).expect(201, VoiceState);
  await watcher.waitFor("VOICE_STATE_UPDATE", ({ user_id }) => user_id === user.user.id);
  return { user, email, sockets };
}

/** Statuses of the user, and the voice channel or null, as the watcher has seen them. */
const seenOf = ({ user }: UserClient) =>
  watcher.events.flatMap(({ name, payload }) => {
    const { user_id, status, channel_id } = Object(payload);
    if (user_id !== user.id) return [];
    if (name === "PRESENCE_UPDATE") return [status];
    return name === "VOICE_STATE_UPDATE" ? [channel_id] : [];
  });

/** Actions that end all sessions of an account. */
const ends = {
  "an administrator disables the account": async ({ user }: UserClient) => {
    expect((await admin.patch(`/admin/users/${user.id}`, { disabled: true })).status).toBe(200);
  },
  "the password is reset": async (_user: UserClient, email: string) => {
    const issued = (await admin.post("/auth/forgot-password", { email })).expect(200, z.object({ token: z.string() }));
    const answer = await client.post("/auth/reset-password", { token: issued.token, new_password: "another one" });
    expect(answer.status).toBe(200);
  },
  "the password is changed": async (user: UserClient) => {
    const change = { current_password: user.password, new_password: "another one" };
    expect((await user.post("/auth/change-password", change)).status).toBe(200);
  },
};

test("a user who is lost together with the gateway when the account is disabled is offline with the gateway's lease", async () => {
  const { user } = await enter([0]);
  await gateways[0]?.kill();
  await ends["an administrator disables the account"](user);
  await watcher.waitFor("PRESENCE_UPDATE", ({ user_id, status }) => user_id === user.user.id && status === "offline", {
    timeoutMs: 60_000,
  });
  expect(seenOf(user)).toEqual(["online", voice.id, null, "offline"]);
});
