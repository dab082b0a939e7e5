import { type Message, Poll, permissionBits, ReactionCount } from "@parley/contracts";
import {
  type Answer,
  assignRole,
  createRole,
  createServerWithMembers,
  listMessages,
  postMessage,
  type UserClient,
} from "@parley/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sentBehind, turnOf, useLockStage } from "../stages/lock-stage.js";

const stage = useLockStage();
let owner: UserClient;
let member: UserClient;
let serverId: string;
let channelId: string;

beforeEach(async () => {
  const fixture = await createServerWithMembers(stage.client, 1);
  owner = fixture.owner;
  serverId = fixture.server.id;
  channelId = fixture.channel.id;
  [member = owner] = fixture.members;
});

/** Actions on the member, or of the member, while their other request waits. */
const actions = {
  kick: () => owner.post(`/servers/${serverId}/members/${member.user.id}/kick`),
  ban: () => owner.post(`/servers/${serverId}/members/${member.user.id}/ban`),
  timeout: () => owner.post(`/servers/${serverId}/members/${member.user.id}/timeout`, { duration_minutes: 5 }),
  "loss of a role": () => owner.delete(`/servers/${serverId}/members/${member.user.id}/roles/${roleId}`),
  "end of a timeout": () => owner.delete(`/servers/${serverId}/members/${member.user.id}/timeout`),
};
let roleId = "";

/** Sends a request whose turn in the channel comes after the answer to the action. */
const sentBefore = (action: keyof typeof actions, send: () => Promise<Answer>) =>
  sentBehind(stage.database, [turnOf(channelId)], {
    send,
    meanwhile: async () => expect((await actions[action]()).status).toBeLessThan(300),
  });

const stored = async () => (await listMessages(owner, channelId)).map(({ content }) => content);
const sends = {
  message: () => member.post(`/channels/${channelId}/messages`, { content: "late" }),
  "message with a nonce": () => member.post(`/channels/${channelId}/messages`, { content: "late", nonce: "once" }),
  poll: () => member.post(`/channels/${channelId}/polls`, { question: "late", options: ["one", "two"] }),
};

describe("what an author sent before the answer to what was done to them, and whose turn comes after it", () => {
  test.each([
    ["message", "kick", 404],
    ["message", "ban", 404],
    ["message", "timeout", 403],
    ["message with a nonce", "kick", 404],
    ["message with a nonce", "timeout", 403],
    ["poll", "kick", 404],
  ] as const)("a late request is not stored: a %s, with a %s", async (what, action, status) => {
    expect((await sentBefore(action, sends[what])).status).toBe(status);
    expect(await stored()).toEqual([]);
    if (action !== "kick") return;
    // The nonce of a refused message is free, and a member who comes back may write.
    expect((await member.post(`/servers/${serverId}/join`)).status).toBe(201);
    expect((await sends[what]()).status).toBe(201);
  });

  test.each(["message", "message with a nonce"] as const)(
    "a late request is stored once when its author may send it all the same: a %s",
    async (what) => {
      await stage.database.query(
        "INSERT INTO timeouts (server_id, user_id, expires_at) VALUES ($1, $2, now() - interval '1 minute')",
        [serverId, member.user.id],
      );
      expect((await sentBefore("end of a timeout", sends[what])).status).toBe(201);
      expect(await stored()).toEqual(["late"]);
    },
  );

  test.each([
    ["ban", 404],
    ["timeout", 403],
  ] as const)("changes no message: an edit, with a %s", async (action, status) => {
    const { id } = await postMessage(member, channelId, "before");
    expect((await sentBefore(action, () => member.patch(`/messages/${id}`, { content: "late" }))).status).toBe(status);
    expect(await stored()).toEqual(["before"]);
  });
});

describe("what a member asks for before they lose the right, and whose turn comes after it", () => {
  let message: Message;

  beforeEach(async () => {
    message = await postMessage(owner, channelId, "here");
    const role = await createRole(owner, serverId, { permissions: permissionBits.MANAGE_MESSAGES });
    await assignRole(owner, role, member);
    roleId = role.id;
  });

  test.each([
    ["kick", 404],
    ["loss of a role", 403],
  ] as const)(
    "no pin is set for a member who has lost the right before its turn, with a %s",
    async (action, status) => {
      const pin = `/channels/${channelId}/messages/${message.id}/pin`;
      expect((await sentBefore(action, () => member.post(pin))).status).toBe(status);
      expect((await listMessages(owner, channelId)).map(({ pinned }) => pinned)).toEqual([false]);
    },
  );

  test.each([
    ["kick", 404],
    ["loss of a role", 403],
  ] as const)(
    "no message of another is deleted for a member who has lost the right before its turn, with a %s",
    async (action, status) => {
      expect((await sentBefore(action, () => member.delete(`/messages/${message.id}`))).status).toBe(status);
      expect(await stored()).toEqual(["here"]);
    },
  );

  test("no own message is deleted for a member who was kicked before its turn", async () => {
    const { id } = await postMessage(member, channelId, "own");
    expect((await sentBefore("kick", () => member.delete(`/messages/${id}`))).status).toBe(404);
    expect(await stored()).toEqual(["own", "here"]);
  });

  test("no reaction is added for a member who was kicked before its turn", async () => {
    const reactions = `/channels/${channelId}/messages/${message.id}/reactions`;
    await sentBefore("kick", () => member.put(`${reactions}/${encodeURIComponent("👍")}`));
    expect((await owner.get(reactions)).expect(200, z.array(ReactionCount))).toEqual([]);
  });

  test("no vote is counted for a member who was kicked before its turn", async () => {
    const { body } = await owner.post(`/channels/${channelId}/polls`, { question: "Who?", options: ["one", "two"] });
    const { poll } = z.object({ poll: Poll }).parse(body);
    const vote = { option_id: poll.options[0]?.id };
    expect((await sentBefore("kick", () => member.post(`/polls/${poll.id}/vote`, vote))).status).toBe(404);
    expect((await owner.get(`/polls/${poll.id}`)).expect(200, Poll).total_votes).toBe(0);
  });
});
