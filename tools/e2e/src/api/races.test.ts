import { GoLiveSession, Server } from "@parley/contracts";
import {
  createChannel,
  createClient,
  createServerWithMembers,
  joinServer,
  postMessage,
  startStack,
  type TestStack,
  type UserClient,
} from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";

let stack: TestStack;
beforeAll(async () => {
  stack = await startStack({ apis: 2, gateways: 0 });
});
afterAll(() => stack?.stop());

const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).toSorted();

test("of many who go live in a channel at once one does", async () => {
  const { owner, server, members } = await createServerWithMembers(createClient(stack.edgeUrl), 4);
  const voice = await createChannel(owner, server.id, { type: "voice" });
  for (const member of members) (await member.post(`/channels/${voice.id}/voice`, {})).expect(201, z.unknown());
  const answers = await Promise.all(members.map((member) => member.post(`/channels/${voice.id}/go-live`, {})));
  expect(statuses(answers)).toEqual([201, 400, 400, 400]);
  const live = await owner.get(`/channels/${voice.id}/go-live`);
  const { user } = members[answers.findIndex(({ status }) => status === 201)] ?? owner;
  expect(live.expect(200, GoLiveSession).broadcaster_id).toBe(user.id);
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
  const browsed = (await owner.get("/servers/browse")).expect(200, z.array(Server));
  expect(browsed.find(({ id }) => id === server.id)?.member_count).toBe(list.length);
  for (const member of members) {
    const left = await member.delete(`/servers/${server.id}/leave`);
    expect([204, 404]).toContain(left.status);
    await joinServer(member, server.id);
    await postMessage(member, channel.id, "back");
  }
});
