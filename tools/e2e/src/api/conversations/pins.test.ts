import { randomUUID } from "node:crypto";
import { errorBody as error, Message } from "@parley/contracts";
import { createChannel, createClient, postMessage, type UserClient } from "@parley/testing";
import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type ChannelStage, expectForInsiders, expectNoEvent, startChannelStage } from "../stages/channel-stage.js";

let stage: ChannelStage;
let owner: UserClient;
let member: UserClient;

beforeAll(async () => {
  stage = await startChannelStage();
  ({ owner, member } = stage);
});

const pathOf = (messageId: string, channelId = stage.channel.id) => `/channels/${channelId}/messages/${messageId}/pin`;
const post = () => postMessage(member, stage.channel.id, "pin me");
const pinned = async (channelId = stage.channel.id) =>
  (await member.get(`/channels/${channelId}/pinned-messages`)).expect(200, z.array(Message.strict()));

describe("a pin", () => {
  test("a pin marks the message without editing it and reaches those who may view the channel", async () => {
    const message = await post();
    const bare = createClient(stage.stack.edgeUrl, { authorization: `Bearer ${owner.accessToken}` });
    await expectNoEvent(stage, "MESSAGE_UPDATE", async () => {
      const answer = await bare.post(pathOf(message.id));
      expect([answer.status, answer.body]).toEqual([204, undefined]);
    });
    const [seen] = await pinned();
    if (seen === undefined || seen.pinned_at === null) throw new Error("The message is not pinned.");
    expect(seen.pinned_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(seen).toEqual({ ...message, pinned: true, pinned_by: owner.user.id, pinned_at: seen.pinned_at });
    await expectForInsiders(stage, "MESSAGE_PIN", {
      message_id: message.id,
      channel_id: stage.channel.id,
      pinned_by: owner.user.id,
      pinned_at: seen.pinned_at,
    });
  });

  test("a pin of a pinned message changes nothing and says nothing", async () => {
    const { id } = await post();
    await owner.post(pathOf(id));
    const before = await pinned();
    await expectNoEvent(stage, "MESSAGE_PIN", async () => {
      expect((await owner.post(pathOf(id), {})).status).toBe(204);
    });
    expect(await pinned()).toEqual(before);
  });

  test("a pin is listed whole and in pieces, however many there are", async () => {
    const { id: channelId } = await createChannel(owner, stage.serverId);
    const sql = new pg.Client({ connectionString: stage.stack.databaseUrl });
    await sql.connect();
    // Three in each millisecond, so that pieces end between pins of the same time.
    const { rows } = await sql.query(
      `WITH made AS (
          INSERT INTO messages (channel_id, server_id, author_id, content, pinned, pinned_at)
          SELECT $1, $2, $3, 'pin ' || n, true, now() + make_interval(secs => (random() * 100)::int / 1000.0)
          FROM generate_series(1, 300) AS n RETURNING id, pinned_at)
        SELECT id FROM made ORDER BY pinned_at DESC, id DESC`,
      [channelId, stage.serverId, owner.user.id],
    );
    await sql.end();
    const ordered = z.array(z.object({ id: z.string() })).parse(rows);
    const answer = await member.get(`/channels/${channelId}/pinned-messages`);
    expect(answer.headers.get("content-length")).toBeNull();
    const listed = answer.expect(200, z.array(Message.strict()));
    expect(listed.map(({ id }) => id)).toEqual(ordered.map(({ id }) => id));
  });

  test("made many times at once is one pin and one event", async () => {
    const { id } = await post();
    const answers = await Promise.all(Array.from({ length: 8 }, () => owner.post(pathOf(id))));
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(8).fill(204));
    const pinned_at = (await pinned())[0]?.pinned_at ?? "";
    const ids = { message_id: id, channel_id: stage.channel.id };
    await expectForInsiders(stage, "MESSAGE_PIN", { ...ids, pinned_by: owner.user.id, pinned_at });
    const removals = await Promise.all(Array.from({ length: 4 }, () => owner.delete(pathOf(id))));
    expect(removals.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404]);
    await expectForInsiders(stage, "MESSAGE_UNPIN", { ...ids, unpinned_by: owner.user.id });
  });

  test("may be put on a thread reply", async () => {
    const { id } = await post();
    const answer = await member.post(`/channels/${stage.channel.id}/messages/${id}/thread`, { content: "reply" });
    const reply = answer.expect(201, Message);
    expect((await owner.post(pathOf(reply.id))).status).toBe(204);
    expect((await pinned())[0]?.id).toBe(reply.id);
  });
});

test("pins are listed by the latest pin, without unpinned or deleted messages", async () => {
  const channel = await createChannel(owner, stage.serverId, { name: "pins" });
  const messages = [];
  for (const content of ["a", "b", "c", "d"]) messages.push(await postMessage(member, channel.id, content));
  const [a, b, c, d] = messages.map(({ id }) => id);
  for (const id of [c, a, d, b]) await owner.post(pathOf(id ?? "", channel.id));
  expect((await pinned(channel.id)).map(({ content }) => content)).toEqual(["b", "d", "a", "c"]);
  const removal = await owner.delete(pathOf(d ?? "", channel.id));
  expect([removal.status, removal.body]).toEqual([204, undefined]);
  await member.delete(`/messages/${a}`);
  expect((await pinned(channel.id)).map(({ content }) => content)).toEqual(["b", "c"]);
});

describe("pins are refused", () => {
  test("pins are refused on messages that are missing, deleted or of another channel", async () => {
    const deleted = await post();
    await member.delete(`/messages/${deleted.id}`);
    const elsewhere = await postMessage(owner, stage.openChannel.id, "elsewhere");
    for (const id of [randomUUID(), deleted.id, elsewhere.id]) {
      for (const user of [owner, member]) {
        for (const answer of [await user.post(pathOf(id)), await user.delete(pathOf(id))]) {
          expect([answer.status, answer.body]).toEqual([404, error("Message not found")]);
        }
      }
    }
  });

  test("taking a pin away is refused when there is none", async () => {
    const { id } = await post();
    const answer = await owner.delete(pathOf(id));
    expect([answer.status, answer.body]).toEqual([404, error("Message is not pinned")]);
  });

  test("pins are refused to those without the rights, also on their own messages", async () => {
    const { id } = await post();
    const needPermission = [403, error("You need the Manage Messages permission to pin messages")];
    const cannotView = [403, error("You don't have permission to view this channel")];
    for (const method of ["POST", "DELETE"]) {
      for (const [user, expected] of [
        [stage.stranger, [404, error("Channel not found")]],
        [stage.hidden, cannotView],
        [member, needPermission],
      ] as const) {
        const { status, body } = await user.send(method, pathOf(id));
        expect([status, body]).toEqual(expected);
      }
    }
    const listPath = `/channels/${stage.channel.id}/pinned-messages`;
    expect((await stage.stranger.get(listPath)).body).toEqual(error("Channel not found"));
    expect((await stage.hidden.get(listPath)).status).toBe(403);
    expect((await stage.silenced.get(listPath)).status).toBe(200);
  });
});
