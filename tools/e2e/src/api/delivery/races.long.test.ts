import { Server } from "@parley/contracts";
import {
  createClient,
  createServerWithMembers,
  joinServer,
  postMessage,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";

let stack: SharedStack;
beforeAll(async () => {
  stack = await sharedStack();
});

test("a member who joins, leaves, is kicked and posts at the same moment is counted exactly", async () => {
  const { owner, server, channel, members } = await createServerWithMembers(createClient(stack.edgeUrl), 3);
  const stormOf = (member: UserClient) => [
    member.post(`/servers/${server.id}/join`),
    member.delete(`/servers/${server.id}/leave`),
    owner.post(`/servers/${server.id}/members/${member.user.id}/kick`, {}),
    member.post(`/servers/${server.id}/join`),
    member.post(`/channels/${channel.id}/messages`, { content: "still here?" }),
    owner.post(`/servers/${server.id}/members/${member.user.id}/ban`, {}),
    owner.delete(`/servers/${server.id}/bans/${member.user.id}`),
  ];
  for (let round = 0; round < 10; round += 1) {
    const answers = await Promise.all(members.flatMap(stormOf));
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  }
  for (const member of members) await owner.delete(`/servers/${server.id}/bans/${member.user.id}`);
  const list = (await owner.get(`/servers/${server.id}/members`)).expect(200, z.array(z.unknown()));
  const counted = (await owner.get(`/servers/${server.id}`)).expect(200, Server);
  expect(counted.member_count).toBe(list.length);
  for (const member of members) {
    const left = await member.delete(`/servers/${server.id}/leave`);
    expect([204, 404]).toContain(left.status);
    await joinServer(member, server.id);
    await postMessage(member, channel.id, "back");
  }
});

test("of an account's requests beside its own deletion none fails, and nothing that they make outlives it", async () => {
  const counts: Record<string, number> = {};
  const count = (what: string, status: number) => {
    counts[`${what} ${status}`] = (counts[`${what} ${status}`] ?? 0) + 1;
  };
  for (let round = 0; round < 30; round += 1) {
    const user = await createClient(stack.edgeUrl).register();
    const [first, second] = stack.apis.map(({ url }) =>
      createClient(url).withAuthorization(`Bearer ${user.accessToken}`),
    );
    if (first === undefined || second === undefined) throw new Error("two apis are needed");
    const { password } = user;
    const deletions = [first.delete("/users/@me", { password }), second.delete("/users/@me", { password })];
    const bot = second.post("/bots", { name: "Helper" });
    const others = [
      first.post("/auth/second-factor", { password }),
      second.patch("/users/@me", { bio: "still here" }),
      first.get("/users/@me"),
    ];
    for (const { status } of await Promise.all(deletions)) count("deletion", status);
    for (const { status } of [await bot, ...(await Promise.all(others))]) count("other", status);
    if ((await bot).status !== 201) continue;
    const { token } = (await bot).expect(201, z.object({ token: z.string() }));
    expect((await second.withAuthorization(`Bot ${token}`).get("/users/@me")).status).toBe(401);
  }
  process.stdout.write(`beside the deletion of their account: ${JSON.stringify(counts)}\n`);
  expect(counts).toMatchObject({ "deletion 204": 30, "deletion 401": 30 });
  for (const status of Object.keys(counts)) expect(status).toMatch(/ (200|201|204|401)$/);
});
