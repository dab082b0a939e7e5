import { modelSteps } from "@parley/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createNode, History, type Listener } from "./rejoin-fixture.js";

const announced = ({ events }: Listener) => events.filter((name) => name.startsWith("SERVER_"));

/** A member with a connection to a node that knows of the membership. */
async function connectedMember() {
  const history = new History(true);
  const node = createNode(history, true);
  void node.connect(false);
  void node.connect(true);
  await node.becomeQuiet();
  return { history, node };
}

/**
 * The frames of a connection are a possible order of memberships; in the end they show whether the user is a member.
 */
function expectMemberships({ events, wasIn }: Listener, history: History): void {
  let isIn = wasIn;
  let joins = 0;
  let isTold = false;
  for (const [index, name] of events.entries()) {
    const label = `${name} after ${wasIn ? "in" : "out"} ${events.slice(0, index)}`;
    // READY may be ahead of the events behind it: the node did not know them when it read READY.
    if (name === "SERVER_JOIN" && isTold) expect(isIn, label).toBe(false);
    else if (name !== "SERVER_JOIN" && isTold) expect(isIn, label).toBe(true);
    if (name === "SERVER_JOIN") joins += 1;
    if (!name.startsWith("SERVER_")) continue;
    isIn = name === "SERVER_JOIN";
    isTold = true;
  }
  expect(isIn, `in the end of ${events}`).toBe(history.isMember);
  expect(joins).toBeLessThanOrEqual(history.memberships);
}

describe("a user who leaves and joins without a pause", () => {
  test("a user who leaves and joins without a pause gets each leave before the next join, once, while the server's events wait", async () => {
    const { history, node } = await connectedMember();
    history.changeRights();
    history.post();
    for (let round = 0; round < 6; round++) {
      history.leave();
      history.join();
    }
    // Everything arrives before the database answers the first statement.
    await node.hear(history.events.length);
    await node.becomeQuiet();
    const pair = ["SERVER_LEAVE", "SERVER_JOIN"];
    for (const listener of node.listeners) expect(announced(listener)).toEqual(Array(6).fill(pair).flat());
    expect(node.resynchronisations).toBe(0);
  });

  test("a user who leaves and joins without a pause gets nothing about a membership that ended before the node read it", async () => {
    const { history, node } = await connectedMember();
    history.leave();
    history.join();
    history.leave();
    await node.hear(history.events.length);
    await node.becomeQuiet();
    for (const listener of node.listeners) expect(announced(listener)).toEqual(["SERVER_LEAVE"]);
    history.join();
    await node.becomeQuiet();
    for (const listener of node.listeners) expect(announced(listener)).toEqual(["SERVER_LEAVE", "SERVER_JOIN"]);
    expect(node.resynchronisations).toBe(0);
  });

  test("a user who leaves and joins without a pause gets nothing from after a leave that waits for the join before it", async () => {
    const history = new History(false);
    const node = createNode(history, true);
    void node.connect(true);
    void node.connect(false);
    await node.becomeQuiet();
    history.join();
    history.post();
    await node.hear(history.events.length);
    // The database has answered with the members; the node has yet to read the content of SERVER_JOIN.
    await node.answer();
    history.leave();
    history.post();
    await node.hear(history.events.length);
    await node.becomeQuiet();
    for (const { events } of node.listeners) {
      expect(events.filter((name) => name === "MESSAGE_CREATE").length, `messages of ${events}`).toBeLessThanOrEqual(1);
      expect(events.at(-1)).toBe("SERVER_LEAVE");
    }
  });

  test("a user who leaves and joins without a pause gets nothing from after the last leave, though the gap since the join has it", async () => {
    const history = new History(false);
    const node = createNode(history, false);
    void node.connect(true);
    await node.hear(0);
    history.join();
    await node.hear(1);
    history.leave();
    await node.answer();
    history.join();
    await node.answer();
    history.leave();
    await node.hear(5);
    history.post();
    await node.becomeQuiet();
    for (const { events } of node.listeners) expect(events).not.toContain("MESSAGE_CREATE");
    history.join();
    history.post();
    await node.becomeQuiet();
    for (const { events } of node.listeners) expect(events.at(-1)).toBe("MESSAGE_CREATE");
  });

  test("a user who leaves and joins without a pause keeps the connection, and has what follows the join, when others here stay", async () => {
    const history = new History(false);
    const node = createNode(history, true);
    void node.connect(true);
    await node.becomeQuiet();
    history.join();
    history.leave();
    // The node reads that the first membership has ended, while it has the events of the second.
    await node.hear();
    history.join();
    history.post();
    await node.hear(history.events.length);
    await node.becomeQuiet();
    const [listener] = node.listeners;
    // The node does not know whether READY had the first one.
    expect(listener && announced(listener)).toEqual(["SERVER_LEAVE", "SERVER_JOIN"]);
    expect(listener?.events.at(-1)).toBe("MESSAGE_CREATE");
    expect(node.resynchronisations).toBe(0);
  });

  test("a user who leaves and joins without a pause gets both on two nodes, however fast each is, over connections old and new", async () => {
    const anyNode = fc.constantFrom(0 as const, 1 as const);
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom("move" as const) }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("post" as const, "changeRights" as const) }) },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constant("connect" as const), at: anyNode, isNumbered: fc.boolean() }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant("disconnect" as const), at: anyNode }) },
      { weight: 5, arbitrary: fc.record({ kind: fc.constant("hear" as const), at: anyNode, count: fc.nat(8) }) },
      { weight: 4, arbitrary: fc.record({ kind: fc.constant("answer" as const), at: anyNode }) },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.boolean(),
        fc.array(step, { maxLength: 60, size: "max" }),
        async (isIn, hasOwner, steps) => {
          const history = new History(isIn);
          const nodes = [createNode(history, hasOwner), createNode(history, hasOwner)] as const;
          for (const node of nodes) void node.connect(true);
          for (const step of steps) {
            if (step.kind === "connect") void nodes[step.at].connect(step.isNumbered);
            else if (step.kind === "disconnect") nodes[step.at].disconnect();
            else if (step.kind === "hear") await nodes[step.at].hear(step.count);
            else if (step.kind === "answer") await nodes[step.at].answer();
            else if (step.kind !== "move") history[step.kind]();
            else if (history.isMember) history.leave();
            else history.join();
          }
          for (const node of nodes) await node.becomeQuiet();
          history.post();
          for (const node of nodes) {
            await node.becomeQuiet();
            expect(node.resynchronisations).toBe(0);
            for (const listener of node.listeners) {
              expectMemberships(listener, history);
              expect(listener.events.at(-1) === "MESSAGE_CREATE", `the last of ${listener.events}`).toBe(
                history.isMember,
              );
            }
          }
        },
      ),
      { numRuns: modelSteps(1_500) },
    );
  }, 300_000);
});
