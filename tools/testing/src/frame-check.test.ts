import { describeGateway } from "@parley/contracts/gateway-description";
import { expect, test } from "vitest";
import { createFrameCheck } from "./frame-check.js";

const check = createFrameCheck();
const dispatch = (t: string, d: unknown, more = {}) => JSON.stringify({ op: "DISPATCH", t, d, ...more });
const id = "0190a5b4-7c1d-7e3a-9f00-1b2c3d4e5f60";

test("every example of the description is as described", () => {
  const { frames } = describeGateway();
  for (const { from, examples } of frames) {
    expect(examples.length).toBeGreaterThan(0);
    if (from === "gateway")
      expect(examples.map((example) => check(JSON.stringify(example)))).toEqual(examples.map(() => null));
  }
});

test.each([
  ["an unknown event", dispatch("TYPING_STOP", {}), /described nowhere/],
  ["an unknown op", JSON.stringify({ op: "HELLO", t: null, d: null }), /described nowhere/],
  ["an op of clients", JSON.stringify({ op: "HEARTBEAT", t: null, d: null }), /described nowhere/],
  ["an envelope without t", JSON.stringify({ op: "HEARTBEAT_ACK", d: null }), /described nowhere/],
  ["a payload with one field more", dispatch("ROLE_DELETE", { server_id: id, role_id: id, extra: 1 }), /additional/],
  ["a payload with one field less", dispatch("ROLE_DELETE", { server_id: id }), /required/],
  ["an id that is none", dispatch("ROLE_DELETE", { server_id: id, role_id: "1" }), /format/],
  ["a position that is none", dispatch("ROLE_DELETE", { server_id: id, role_id: id }, { s: "a b" }), /pattern/],
  ["an ephemeral event with a position", dispatch("TYPING_START", {}, { s: "a" }), /additional/],
])("the deviation is found: %s", (_, frame, problem) => {
  expect(check(frame)).toMatch(problem);
});
