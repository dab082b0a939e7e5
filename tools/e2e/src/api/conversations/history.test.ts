import { DetailedMessage, IncomingWebhookWithToken, Message, Poll, SentMessage } from "@parley/contracts";
import { postMessage, type SharedStack, sharedStack, type UserClient } from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { type AppStage, answer, Begun, connectWith, createAppStage, unhurried, use } from "../stages/app-stage.js";

let stack: SharedStack;
let stage: AppStage;
let owner: UserClient;
let member: UserClient;
let path: string;

beforeAll(async () => {
  stack = await sharedStack();
  stage = await createAppStage(stack.edgeUrl, [{ name: "play", description: "Begins" }]);
  ({ owner, member } = stage);
  path = `/channels/${stage.channelId}/messages`;
});

const included = "include=reactions,attachments,previews,author";
const list = async (user: UserClient, query: string) =>
  (await user.get(`${path}?${query}`)).expect(200, z.array(DetailedMessage.strict()));

/** Posts one message of each kind. @returns their ids, newest first */
async function postEveryKind(): Promise<string[]> {
  const { channelId, serverId, bot } = stage;
  const plain = await postMessage(
    owner,
    channelId,
    `"quoted" \\ back\nslash\ttab \u{1f980} é \u2028 @${member.username}`,
  );
  const edited = await postMessage(owner, channelId, "befor");
  (await owner.patch(`${path}/${edited.id}`, { content: "before" })).expect(200, Message.strict());
  const reply = (await member.post(path, { content: "@everyone", reply_to: edited.id })).expect(201, Message.strict());
  expect((await owner.post(`${path}/${reply.id}/pin`)).status).toBe(204);
  expect((await member.put(`${path}/${reply.id}/reactions/${encodeURIComponent("♟")}`)).status).toBe(204);
  expect((await member.post(`${path}/${plain.id}/thread`, { content: "in the thread" })).status).toBe(201);

  const poll = { question: "Which?", options: ["one", "two"] };
  const polled = (await member.post(`/channels/${channelId}/polls`, poll)).expect(201, Message.strict());
  const option_id = polled.poll?.options[0]?.id;
  (await owner.post(`/polls/${polled.poll?.id}/vote`, { option_id })).expect(200, Poll.strict());
  const starts_at = new Date(Date.now() + 3_600_000).toISOString();
  const scheduled = await member.post(`/channels/${channelId}/events`, { name: "Blitz", starts_at });

  const picture = { url: "https://pictures.example/board.png" };
  const button = { type: "button", style: "primary", label: "Approve", custom_id: "approve" };
  const embedded = await bot.client.post(path, {
    embeds: [{ title: "Build", image: picture }],
    components: [[button]],
  });
  const hook = (
    await owner.post(`/servers/${serverId}/incoming-webhooks`, { channel_id: channelId, name: "Builds" })
  ).expect(201, IncomingWebhookWithToken.strict());
  const hooked = await member.post(`${hook.path}?wait=true`, { content: "done", username: "CI" });

  const gateway = await connectWith(stack.gateways[0]?.url ?? "", `bot_token=${bot.token}`);
  const { id } = (await member.post(`/channels/${channelId}/interactions`, use(stage, "play"))).expect(202, Begun);
  const interaction = await gateway.waitFor("INTERACTION_CREATE", (each) => each.id === id);
  await unhurried(stack.databaseUrl, id);
  await gateway.close();
  const answered = await answer(member, interaction, { type: "message", data: { content: "e4" } });
  const { message_id } = answered.expect(200, z.object({ message_id: z.string() }));
  const [hookedId, embeddedId, scheduledId] = [
    hooked.expect(200, SentMessage).id,
    embedded.expect(201, Message).id,
    scheduled.expect(201, Message).id,
  ] as const;
  return [message_id, hookedId, embeddedId, scheduledId, polled.id, reply.id, edited.id, plain.id];
}

test("a history shows each kind of message as it is shown by itself, to each viewer, in every kind of page", async () => {
  const ids = await postEveryKind();
  for (const user of [owner, member]) {
    for (const query of ["", included]) {
      const alone = await Promise.all(
        ids.map(async (id) => (await user.get(`${path}/${id}?${query}`)).expect(200, DetailedMessage.strict())),
      );
      expect(await list(user, query)).toEqual(alone);
      expect(await list(user, `${query}&before=${ids[2]}`)).toEqual(alone.slice(3));
      expect(await list(user, `${query}&after=${ids[6]}&limit=3`)).toEqual(alone.slice(3, 6));
      expect(await list(user, `${query}&since=${alone[6]?.created_at}&limit=3`)).toEqual(alone.slice(4, 7));
    }
  }
});
