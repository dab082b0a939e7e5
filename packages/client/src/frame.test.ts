import { expect, test } from "vitest";
import { readFrame } from "./frame.js";

const frame = (changes: object) => JSON.stringify({ op: "DISPATCH", t: "MESSAGE_DELETE", s: "1-0", d: {}, ...changes });

test("reads an event with its position, which events that are never replayed do not have", () => {
  const data = { id: "m", channel_id: "c" };
  expect(readFrame(frame({ d: data }))).toEqual({ name: "MESSAGE_DELETE", data, position: "1-0" });
  expect(readFrame(frame({ s: undefined }))?.position).toBeNull();
});

test("a newer server may send events and operations that the client does not know", () => {
  expect(readFrame(frame({ t: "SOMETHING_NEW" }))?.name).toBe("SOMETHING_NEW");
  expect(readFrame(JSON.stringify({ op: "HEARTBEAT_ACK" }))).toBeNull();
});

test.each<[problem: string, data: unknown]>([
  ["it is binary", new ArrayBuffer(1)],
  ["it is no JSON", "<html>"],
  ["it is no envelope", "[]"],
  ["it is no envelope", "{}"],
  ["an event needs a name and a payload", frame({ t: 7 })],
  ["an event needs a name and a payload", frame({ d: [] })],
  ["its position is none", frame({ s: "a b" })],
  ["its position is none", frame({ s: 7 })],
  ["READY is not complete", frame({ t: "READY", d: { user: {}, servers: [] } })],
  ["READY is not complete", frame({ t: "READY", d: { user: { id: "u" }, servers: [], resync: 7 } })],
])("says that %s", (problem, data) => {
  expect(() => readFrame(data)).toThrow(problem);
});
