import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { errorBody, Message } from "@parley/contracts";
import { migrate } from "@parley/database";
import {
  connectGateway,
  createClient,
  createServerWithMembers,
  runContext,
  startPostgres,
  startStack,
  waitUntil,
} from "@parley/testing";
import { expect, onTestFinished, test } from "vitest";
import { readHistory } from "../../deploy/rolling-traffic.js";
import { fillDisk, mountSmallDisk } from "./small-disk.js";

/** A page of a table has room for a few of these. */
const newContent = () => randomBytes(900).toString("hex");

test("while PostgreSQL's disk is full messages are refused with 503 and history is read; with room again all goes on, and what was acknowledged is there once", async (context) => {
  const disk = await mountSmallDisk("256m");
  if (disk === null) return context.skip("may not mount a file system");
  onTestFinished(disk.unmount);
  const postgres = await startPostgres({ dataDir: join(disk.folder, "postgres") });
  onTestFinished(postgres.stop);
  const databaseUrl = postgres.databaseUrl("postgres");
  await migrate({ databaseUrl, migrationsDir: join(runContext().root, "prisma", "migrations") });
  // Its own: its database is filled.
  const stack = await startStack({ apis: 1, gateways: 1, databaseUrl });
  onTestFinished(stack.stop);
  const fixture = await createServerWithMembers(createClient(stack.edgeUrl), 0);
  const socket = connectGateway(stack.edgeUrl, fixture.owner.accessToken);
  await socket.ready;
  onTestFinished(() => socket.terminate());
  const acknowledged: string[] = [];
  const post = async () => {
    const answer = await fixture.owner.post(`/channels/${fixture.channel.id}/messages`, { content: newContent() });
    if (answer.status === 201) acknowledged.push(answer.expect(201, Message).id);
    else expect([answer.status, answer.body]).toEqual([503, errorBody("Service unavailable")]);
    return answer.status;
  };
  expect(await post()).toBe(201);

  const filler = await fillDisk(disk);
  await waitUntil(async () => (await post()) === 503, { what: "a message to be refused", timeoutMs: 30_000 });
  expect(await readHistory(fixture)).toEqual(acknowledged);

  await rm(filler);
  const before = acknowledged.length;
  await waitUntil(async () => (await post()) === 201 && acknowledged.length > before + 20, {
    what: "messages to be taken again",
    timeoutMs: 30_000,
  });
  expect(await readHistory(fixture)).toEqual(acknowledged);
  const received = () =>
    socket.events.flatMap(({ name, payload }) => (name === "MESSAGE_CREATE" ? [Message.parse(payload).id] : []));
  await waitUntil(() => received().length >= acknowledged.length, { what: "every message", timeoutMs: 30_000 });
  expect(received().toSorted()).toEqual(acknowledged.toSorted());
});
