import { waitUntil } from "@parley/testing";
import { expect, test } from "vitest";
import { fewRecipientsMax, flushSliceMax } from "../limits.js";
import { encodeTextFrame } from "./frames.js";
import { openRecorded } from "./recorded-connection-fixture.js";
import { createWriteSchedulers } from "./write-scheduler.js";

const frame = (text: string) => encodeTextFrame(Buffer.from(text));

/** Connections that record the order and content of their writes. */
function createConnections() {
  const writeSchedulers = createWriteSchedulers();
  const writes: { userId: string; frames: string[] }[] = [];
  const open = (userId: string) => openRecorded(userId, writeSchedulers, (frames) => writes.push({ userId, frames }));
  return { writes, open };
}

test("the gateway writes what few get after one slice of what thousands get", async () => {
  const { writes, open } = createConnections();
  const large = Array.from({ length: 10 * flushSliceMax }, () => open("large"));
  const small = Array.from({ length: 3 }, () => open("small"));
  const [toAll, toFew] = [frame("to all"), frame("to few")];
  for (const connection of large) connection.send(toAll, performance.now(), fewRecipientsMax + 1);
  for (const connection of small) connection.send(toFew, performance.now());
  await waitUntil(() => writes.length === large.length + small.length);
  const order = writes.map(({ userId }) => userId);
  expect(order.indexOf("small")).toBeLessThanOrEqual(flushSliceMax);
  expect(order.lastIndexOf("small") - order.indexOf("small")).toBe(small.length - 1);
});

test("the gateway writes what few get between two slices, however much is sent to all meanwhile", async () => {
  const { writes, open } = createConnections();
  const large = Array.from({ length: 4 * flushSliceMax }, () => open("large"));
  const small = open("small");
  const rounds = 5;
  for (let round = 0; round < rounds; round += 1) {
    const written = writes.length;
    const [toAll, toFew] = [frame(`to all ${round}`), frame(`to few ${round}`)];
    for (const connection of large) connection.send(toAll, performance.now(), fewRecipientsMax + 1);
    await waitUntil(() => writes.length > written);
    small.send(toFew, performance.now());
    const sentAt = writes.length;
    await waitUntil(() => writes.some(({ frames }) => frames.includes(`to few ${round}`)));
    const wroteAt = writes.findIndex(({ frames }) => frames.includes(`to few ${round}`));
    expect(wroteAt - sentAt).toBeLessThanOrEqual(flushSliceMax);
  }
});

test("the gateway keeps the order of a connection that waits for both, and writes each frame once", async () => {
  const { writes, open } = createConnections();
  const large = Array.from({ length: 4 * flushSliceMax }, () => open("large"));
  const both = open("both");
  const [presence, toAll, toFew] = [frame("presence"), frame("to all"), frame("to few")];
  both.sendPresence(presence, performance.now(), "somebody");
  for (const connection of [...large, both]) connection.send(toAll, performance.now(), fewRecipientsMax + 1);
  both.send(toFew, performance.now());
  await waitUntil(() => writes.length === large.length + 1);
  const last = frame("last");
  both.send(last, performance.now());
  await waitUntil(() => writes.some(({ frames }) => frames.includes("last")));
  const ofBoth = writes.filter(({ userId }) => userId === "both");
  expect(ofBoth.map(({ frames }) => frames)).toEqual([["presence", "to all", "to few"], ["last"]]);
  expect(writes.findIndex(({ userId }) => userId === "both")).toBeLessThanOrEqual(flushSliceMax);
});
