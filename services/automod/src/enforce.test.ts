import { afterAll, beforeAll, expect, test } from "vitest";
import { type AutomodFixture, describeSubmission, startAutomodFixture } from "./automod-fixture.js";

let fixture: AutomodFixture;

beforeAll(async () => {
  fixture = await startAutomodFixture();
});
afterAll(() => fixture?.stop());

test("the refusal of a message is logged once, and waits for nothing that is ordered in its channel", async () => {
  const scene = await fixture.createScene();
  const { serverId: server_id, channelId: channel_id } = scene;
  const submission = { ...describeSubmission(scene, "forbidden"), rules: ["word_filter" as const] };
  const match = { rule: "word_filter", term: "forbidden", text: "forbidden" } as const;
  const actions = await fixture.outbox.transaction([{ server_id, channel_id }], async () => {
    const first = await fixture.instance(0).enforce(submission, match, null);
    return [first, await fixture.instance(1).enforce(submission, match, null)];
  });
  expect(actions).toEqual(["delete", null]);
  const logged = await fixture.database.prisma.automodLog.findMany({ where: { server_id } });
  expect(logged).toMatchObject([{ channel_id, action_taken: "delete", matched_term: "forbidden", message_id: null }]);
});
