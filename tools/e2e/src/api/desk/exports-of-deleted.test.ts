import { Message } from "@parley/contracts";
import {
  createClient,
  createServerWithMembers,
  postMessage,
  type RestClient,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { exportWhole, readExport } from "./exports-stage.js";

let stack: SharedStack;
let client: RestClient;
beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl);
});

const readWhole = async (owner: UserClient, serverId: string) =>
  readExport(await exportWhole(stack.apis[0]?.url ?? "", owner, serverId));

test("a whole export keeps the deleted root of a thread whose replies live, without its text and author", async () => {
  const { owner, server, channel } = await createServerWithMembers(client, 0);
  const [root, alone] = [await postMessage(owner, channel.id, "gone"), await postMessage(owner, channel.id, "alone")];
  const thread = `/channels/${channel.id}/messages/${root.id}/thread`;
  const reply = (await owner.post(thread, { content: "here" })).expect(201, Message);
  for (const { id } of [root, alone]) await owner.delete(`/messages/${id}`);
  const { lines } = await readWhole(owner, server.id);
  expect(lines(`messages/${channel.id}.jsonl`, z.unknown())).toEqual([
    expect.objectContaining({ id: root.id, deleted: true, content: "", author_id: null }),
    expect.objectContaining({ id: reply.id, deleted: false, content: "here" }),
  ]);
});

test("a deleted root, whose replies live on, names nobody", async () => {
  const { owner, server, channel, members } = await createServerWithMembers(client, 2);
  const [ann, guest] = members;
  const poll = { question: "Tea?", options: ["yes", "no"] };
  const asked = (await ann.post(`/channels/${channel.id}/polls`, poll)).expect(201, Message);
  (await ann.post(`/channels/${channel.id}/messages/${asked.id}/thread`, { content: "stays" })).expect(201, Message);
  const vote = await guest.post(`/polls/${asked.poll?.id}/vote`, { option_id: asked.poll?.options[0]?.id });
  expect(vote.status).toBe(200);
  expect((await guest.delete(`/servers/${server.id}/leave`)).status).toBe(204);
  expect((await ann.delete(`/messages/${asked.id}`)).status).toBe(204);
  const { lines } = await readWhole(owner, server.id);
  const people = lines("people.jsonl", z.looseObject({ id: z.string() })).map(({ id }) => id);
  expect(people).toEqual([owner, ann].map(({ user }) => user.id).sort());
  const [root] = lines(`messages/${channel.id}.jsonl`, z.looseObject({ id: z.string() }));
  expect(root).toMatchObject({ id: asked.id, deleted: true, author_id: null, poll: null });
});
