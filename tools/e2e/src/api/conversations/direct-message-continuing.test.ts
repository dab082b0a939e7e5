import { waitUntil } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createConnections } from "../stages/connection-stage.js";
import { formOf } from "../stages/upload-stage.js";
import { type DirectStage, startDirectStage } from "./direct-stage.js";

let stage: DirectStage;
let connections: ReturnType<typeof createConnections>;
beforeAll(async () => {
  stage = await startDirectStage();
  connections = createConnections(stage.stack);
});
afterAll(() => {
  connections?.closeAll();
  stage?.stop();
});

const Frame = z.object({ t: z.string().nullable(), d: z.unknown(), s: z.string().optional() });
const framesOf = ({ frames }: { frames: readonly string[] }) => frames.map((frame) => Frame.parse(JSON.parse(frame)));
/** The durable events among the frames, without their cursors. */
const durable = (frames: ReturnType<typeof framesOf>) =>
  frames.flatMap(({ t, d, s }) => (s === undefined || t === "READY" || t === "RESUMED" ? [] : [{ t, d }]));

test("what happens in a conversation while a connection is lost comes when it is back, in its order, over either gateway", async () => {
  const { ann, bob, send } = stage;
  const { accessToken } = bob;
  const [witness, lost] = [await connections.open(accessToken, 0, "s="), await connections.open(accessToken, 0, "s=")];
  const cursor = framesOf(lost).findLast(({ s }) => s !== undefined)?.s;
  lost.terminate();
  await lost.closed;

  const first = await send(ann, "first");
  const path = `/dm-messages/${first.id}`;
  for (const answer of [
    await ann.patch(path, { content: "edited" }),
    await bob.put(`${path}/reactions/❌`),
    await ann.send("POST", `${path}/attachments`, { body: formOf([{ name: "a.txt", bytes: Buffer.from("a") }]) }),
    await bob.delete(`${path}/reactions/❌`),
  ]) {
    expect(answer.status).toBeLessThan(300);
  }
  await send(bob, "a reply", first.id);
  expect((await ann.delete(path)).status).toBe(204);
  await witness.waitFor("DM_MESSAGE_DELETE", ({ id }) => id === first.id);
  const witnessed = durable(framesOf(witness));
  expect(witnessed.map(({ t }) => t)).toEqual([
    ...["DM_MESSAGE_CREATE", "DM_MESSAGE_UPDATE", "DM_REACTION_ADD", "DM_ATTACHMENT_CREATE", "DM_REACTION_REMOVE"],
    ...["DM_MESSAGE_CREATE", "DM_MESSAGE_DELETE"],
  ]);

  for (const gateway of [0, 1] as const) {
    const back = connections.connect(accessToken, gateway, `s=${cursor}`);
    await waitUntil(() => framesOf(back).some(({ t }) => t === "RESUMED"), { what: "RESUMED" });
    expect(durable(framesOf(back))).toEqual(witnessed);
  }
});

test("events of conversations can be named without v=2, and come to shard 0 alone", async () => {
  const { ann, bob, send } = stage;
  const named = await connections.open(bob.accessToken, 1, "events=DM_MESSAGE_DELETE");
  const [zero, one] = await Promise.all([0, 1].map((n) => connections.open(bob.accessToken, 1, `shard=${n}/2`)));
  const { id } = await send(ann, "soon gone");
  await ann.patch(`/dm-messages/${id}`, { content: "edited" });
  await ann.delete(`/dm-messages/${id}`);
  await named.waitFor("DM_MESSAGE_DELETE", (deleted) => deleted.id === id);
  await zero?.waitFor("DM_MESSAGE_DELETE", (deleted) => deleted.id === id);
  expect(named.events.map(({ name }) => name)).toEqual(["DM_MESSAGE_DELETE"]);
  await one?.heartbeat();
  expect(one?.events.filter(({ name }) => name.startsWith("DM_"))).toEqual([]);
});
