import { randomUUID } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import { closeCodes } from "@parley/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { payloadOf } from "../connection/frame-header.js";
import { encodeTextFrame } from "../connection/frames.js";
import { createCursors, cursorLengthMax } from "../cursors/cursor.js";
import { Numbering } from "../cursors/numbering.js";
import { PendingEvents } from "../cursors/pending-events.js";
import { Positions } from "../cursors/positions.js";
import { unsentBytesMax } from "../limits.js";
import { defaultQuery } from "../query/connection-query.js";
import { dispatchedEvent, EventSender, type Recipient } from "./event-sender.js";

const cursors = createCursors(["0123456789abcdef0123456789abcdef"]);
const userId = randomUUID();

/** An event that a client has, with its cursor. */
interface Sent {
  sequence: number;
  cursor: string;
}

/**
 * A node with a user who is in `serverCount` servers. The user's one connection is numbered, and the test decides which
 * events wait.
 */
function createNode(serverCount: number) {
  let highest = 0;
  const state = new Positions(cursors, { highWatermark: () => highest, highWatermarkId: () => `${highest}` });
  const sender = new EventSender(state);
  const servers = Array.from({ length: serverCount }, (_, index) => ({
    subscription: { pending: new PendingEvents(`live.server.${index}.>`, state) },
    isBlocked: false,
    waiting: [] as number[],
  }));
  const numbering = new Numbering("", userId, defaultQuery, cursors);
  const sent: Sent[] = [];
  const closes: number[] = [];
  const connection: Recipient = {
    numbering,
    shown: null,
    get state() {
      return closes.length > 0 ? "closed" : "open";
    },
    wants: () => true,
    send: () => {
      throw new Error("sent without a cursor");
    },
    sendNumbered(frame) {
      const text = payloadOf(frame).toString();
      const cursor = /"s":"([^. ]+)\./.exec(text)?.[1];
      sent.push({ sequence: Number(/"d":(\d+)/.exec(text)?.[1]), cursor: `${cursor}.${numbering.sessionTag}` });
    },
    close: (code) => closes.push(code),
  };
  const user = { connections: [connection], followed: () => servers.map(({ subscription }) => subscription.pending) };
  /** The server of each event of the user's servers. */
  const stored = new Map<number, PendingEvents>();

  type Server = (typeof servers)[number];
  function dispatch(server: Server, sequence: number, padding = "") {
    server.subscription.pending.dispatched(sequence);
    const received = { stored: { sequence, previousSequence: 0 }, id: `${sequence}`, receivedAt: 0 };
    const frame = encodeTextFrame(Buffer.from(`{"d":${sequence},"p":"${padding}"}`));
    sender.send(user, dispatchedEvent(server, received, frame, 1), {
      event: "MESSAGE_CREATE",
      serverCrc: 0,
      version: null,
      watched: null,
    });
  }

  return {
    servers,
    sent,
    closes,
    stored,
    setReplayBoundary() {
      numbering.setReplayBoundary({ sequence: highest, position: state.completePosition(), servers: [] });
      return highest;
    },
    receive(server: Server | undefined, padding = "") {
      highest += 1;
      if (server === undefined) return;
      stored.set(highest, server.subscription.pending);
      if (server.isBlocked || server.waiting.length > 0) {
        server.waiting.push(highest);
        server.subscription.pending.wait(highest);
      } else {
        dispatch(server, highest, padding);
      }
    },
    passWaiting(server: Server, count: number) {
      server.isBlocked = false;
      for (const sequence of server.waiting.splice(0, count)) dispatch(server, sequence);
    },
  };
}

/** The stored events that a client with this cursor gets. */
function replayOf(cursor: string, stored: ReadonlyMap<number, PendingEvents>): number[] {
  expect(cursor.length).toBeLessThanOrEqual(cursorLengthMax);
  const position = cursors.read(cursor, userId)?.position;
  if (position?.pending == null) throw new Error("no position");
  const { highest, pending } = position;
  return [...stored].flatMap(([sequence, { hash }]) =>
    sequence >= (pending.get(hash) ?? highest + 1) ? [sequence] : [],
  );
}

type Node = ReturnType<typeof createNode>;

/**
 * Each cursor names the events that the client lacks, whatever event it was lost behind; in the end the client has
 * everything in order.
 */
function expectExact(node: Node, boundary: number) {
  const due = new Map([...node.stored].filter(([sequence]) => sequence > boundary));
  const missing = new Set(due.keys());
  const latest = new Map<PendingEvents | undefined, number>();
  for (const { sequence, cursor } of node.sent) {
    expect(missing.delete(sequence), `event ${sequence}`).toBe(true);
    const server = due.get(sequence);
    expect(sequence).toBeGreaterThan(latest.get(server) ?? 0);
    latest.set(server, sequence);
    expect(replayOf(cursor, due)).toEqual([...missing].sort((one, other) => one - other));
  }
  expect([...missing]).toEqual([]);
}

describe("sending to a numbered connection", () => {
  test("sending to a numbered connection has an exact cursor in every frame while the events of 100 servers wait", async () => {
    const serverCount = 110;
    const step = fc.record({ server: fc.nat({ max: serverCount + 9 }), kind: fc.nat({ max: 9 }), turns: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 50, maxLength: 250 }),
        fc.nat({ max: 150 }),
        async (steps, early) => {
          const node = createNode(serverCount);
          // Some wait from before the boundary, all at its end.
          for (const [index, server] of node.servers.slice(0, 100).entries()) {
            server.isBlocked = true;
            if (index < early) node.receive(server);
          }
          const boundary = node.setReplayBoundary();
          for (const server of node.servers.slice(0, 100)) node.receive(server);
          for (const { server: index, kind, turns } of steps) {
            const server = node.servers[index];
            if (kind < 6 || server === undefined) node.receive(server);
            else if (kind < 7) server.isBlocked = true;
            else node.passWaiting(server, kind === 7 ? 1 : Number.POSITIVE_INFINITY);
            if (turns) await turn();
          }
          for (const server of node.servers) node.passWaiting(server, Number.POSITIVE_INFINITY);
          await turn();
          expectExact(node, boundary);
        },
      ),
      { numRuns: 100 },
    );
  });

  test("sending to a numbered connection sends what it can while too much waits for a cursor to say, and the rest in the order of the stream", async () => {
    const node = createNode(22);
    const boundary = node.setReplayBoundary();
    const [quick, slow, ...others] = node.servers;
    if (quick === undefined || slow === undefined) throw new Error("no servers");
    node.receive(quick);
    for (const server of [slow, ...others]) {
      server.isBlocked = true;
      node.receive(server);
    }
    const sequences = () => node.sent.map(({ sequence }) => sequence);
    node.receive(quick);
    node.receive(quick);
    expect(sequences()).toEqual([1]);
    node.passWaiting(slow, 1);
    expect(sequences()).toEqual([1, 2]);
    for (const server of others.slice(0, 10)) node.passWaiting(server, 1);
    await turn();
    const dispatched = Array.from({ length: 12 }, (_, index) => index + 1);
    expect(sequences()).toEqual(dispatched);
    for (const server of others.slice(10, 11)) node.passWaiting(server, 1);
    await turn();
    expect(sequences()).toEqual([...dispatched, 13, 23, 24]);
    for (const server of others.slice(11)) node.passWaiting(server, 1);
    await turn();
    expectExact(node, boundary);
  });

  test("sending to a numbered connection closes a connection for which too much is deferred, which continues where it was", async () => {
    const node = createNode(20);
    node.setReplayBoundary();
    const [quick, ...others] = node.servers;
    if (quick === undefined) throw new Error("no servers");
    for (const server of others) {
      server.isBlocked = true;
      node.receive(server);
    }
    for (let bytes = 0; bytes <= unsentBytesMax; bytes += 100_000) node.receive(quick, "x".repeat(100_000));
    expect(node.closes).toEqual([]);
    await turn();
    expect(node.closes).toEqual([closeCodes.goingAway]);
    expect(node.sent).toEqual([]);
  });
});
