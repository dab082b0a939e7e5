import { rm } from "node:fs/promises";
import {
  connectGateway,
  createClient,
  createServerWithMembers,
  postMessage,
  startStack,
  waitUntil,
} from "@parley/testing";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { fillDisk, mountSmallDisk } from "./small-disk.js";

test("a NATS whose disk was full is not ready until it is restarted, and every message then arrives once", async (context) => {
  const disk = await mountSmallDisk("24m");
  if (disk === null) return context.skip("may not mount a file system");
  onTestFinished(disk.unmount);
  // Its own: its stream is filled.
  const stack = await startStack({
    natsDataDir: disk.folder,
    gateways: 1,
    env: { EVENTS_MAX_BYTES: String(8 * 1024 ** 2) },
  });
  onTestFinished(stack.stop);
  const client = createClient(stack.edgeUrl);
  const { owner, channel } = await createServerWithMembers(client, 0);
  const socket = connectGateway(stack.edgeUrl, owner.accessToken);
  await socket.ready;
  onTestFinished(() => socket.terminate());
  const nats = async () => JSON.stringify((await client.get("/health/ready")).body);
  const working = '"nats":{"ok":true}';
  await waitUntil(async () => (await nats()).includes(working));

  const filler = await fillDisk(disk);
  const posted: string[] = [];
  const post = async (count: number) => {
    for (let n = 0; n < count; n += 1) {
      posted.push((await postMessage(owner, channel.id, "x".repeat(2_000))).id);
    }
  };
  await post(20);
  await waitUntil(async () => (await nats()).includes('"nats":{"ok":false'), { what: "the api to report it" });
  // Each process tries the stream by itself, at its own times.
  for (const { url } of [...stack.apis, ...stack.gateways]) {
    const isNotWritable = async () => (await (await fetch(`${url}/metrics`)).text()).includes("\nstream_writable 0\n");
    await waitUntil(isNotWritable, { what: `stream_writable 0 at ${url}` });
  }
  expect((await client.get("/health/serving")).status).toBe(200);

  await rm(filler);
  // It does not end on SIGTERM in this state.
  await stack.nats.kill();
  await stack.nats.restart();
  await waitUntil(async () => (await nats()).includes(working), { timeoutMs: 30_000 });
  await post(1);
  const Created = z.object({ id: z.string() });
  const received = () =>
    socket.events.flatMap(({ name, payload }) => (name === "MESSAGE_CREATE" ? [Created.parse(payload).id] : []));
  await waitUntil(() => posted.every((id) => received().includes(id)), { what: "every message", timeoutMs: 30_000 });
  expect(received().toSorted()).toEqual(posted.toSorted());
});
