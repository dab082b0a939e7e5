import { createClient, type Gateway, type GatewayEvents } from "@parley/client";
import { readyFrame, startLoopbackGateway, waitUntil } from "@parley/testing";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";

const backoff = { baseMs: 1, maxMs: 5 };
type Server = Awaited<ReturnType<typeof startLoopbackGateway>>;
const open: { server: Server; gateway: Gateway }[] = [];

afterEach(async () => {
  for (const { server, gateway } of open.splice(0)) {
    gateway.close();
    await server.close();
  }
});

/** A client of a server that sends READY, then a frame on each of its connections until there are none left. */
async function connect(frames: (string | Buffer)[], endsEach = false) {
  const left = [...frames];
  const server = await startLoopbackGateway((socket, query) => {
    const position = query.get("s");
    socket.send(position === "" ? readyFrame() : '{"op":"DISPATCH","t":"RESUMED","s":"2","d":{"replayed":0}}');
    const frame = left.shift();
    if (frame !== undefined) socket.send(frame);
    if (frame !== undefined && endsEach) socket.close(1001);
  });
  const gateway = createClient({ baseUrl: server.url, botToken: "bot" }).gateway({ backoff });
  open.push({ server, gateway });
  const ends: GatewayEvents["disconnect"][] = [];
  const closed: unknown[] = [];
  gateway.on("disconnect", (end) => ends.push(end));
  gateway.on("close", (error) => closed.push(error));
  await gateway.connect();
  return { server, gateway, ends, closed };
}

const ready = JSON.parse(readyFrame()).d;
const dispatch = (frame: object) => JSON.stringify({ op: "DISPATCH", ...frame });
const wrongFrames: [string, string | Buffer][] = [
  ["garbage", "garbage"],
  ["nothing", ""],
  ["null", "null"],
  ["a number", "7"],
  ["a text", '"READY"'],
  ["an array", "[]"],
  ["an object without an operation", "{}"],
  ["an operation that is a number", '{"op":1,"t":"READY","d":{}}'],
  ["READY without a payload", dispatch({ t: "READY" })],
  ["READY with null", dispatch({ t: "READY", d: null })],
  ["READY with an array", dispatch({ t: "READY", d: [] })],
  ["READY without a user", dispatch({ t: "READY", d: { ...ready, user: null } })],
  ["READY with a resync that is an object", dispatch({ t: "READY", d: { ...ready, resync: {} } })],
  ["an event without a name", dispatch({ d: {} })],
  ["an event without a payload", dispatch({ t: "MESSAGE_CREATE", d: null })],
  ["a position that is a number", dispatch({ t: "MESSAGE_CREATE", s: 3, d: {} })],
  ["a position that is too long", dispatch({ t: "MESSAGE_CREATE", s: "x".repeat(129), d: {} })],
  ["a page of a proxy", "<html><body>502 Bad Gateway</body></html>"],
  ["a binary frame", Buffer.from(readyFrame())],
  ["a huge frame", "[".repeat(5_000_000)],
];

test("a frame that no Parley server sends ends the connection with a reason, and the next one goes on", async () => {
  const { server, ends, closed } = await connect(wrongFrames.map(([, frame]) => frame));
  await waitUntil(() => ends.length >= wrongFrames.length, { what: "an end for each frame" });
  const reasons = ends.map(({ code, reason, cause }, index) => [wrongFrames[index]?.[0], code, reason, cause?.message]);
  const expected = wrongFrames.map(([name]) => [name, 4001, "wrong frame", expect.stringContaining("that is none")]);
  expect(reasons).toEqual(expected);
  await waitUntil(() => server.connections() === wrongFrames.length + 1);
  expect(closed).toEqual([]);
});

test("frames with only the form right reach listeners of their name alone", async () => {
  const names = ["close", "disconnect", "resync", "error", "READY2", "constructor", "__proto__", "toString"];
  const frames = names.map((t) => dispatch({ t, d: {} })).join("\n");
  let sockets = 0;
  const server = await startLoopbackGateway((socket) => {
    sockets += 1;
    socket.send(readyFrame());
    for (const frame of frames.split("\n")) socket.send(frame);
    socket.send(JSON.stringify({ op: "FUTURE", t: null, d: [1] }));
    socket.send(dispatch({ t: "MESSAGE_DELETE", s: "2", d: { id: "last", channel_id: "c" } }));
  });
  const gateway = createClient({ baseUrl: server.url, botToken: "bot" }).gateway({ backoff });
  open.push({ server, gateway });
  const heard: unknown[] = [];
  for (const name of ["close", "disconnect", "resync", "error"] as const) gateway.on(name, () => heard.push(name));
  gateway.on("MESSAGE_DELETE", ({ id }, { position }) => heard.push([id, position]));
  await gateway.connect();
  await waitUntil(() => heard.length > 0);
  expect(heard).toEqual([["last", "2"]]);
  expect(sockets).toBe(1);
});

test("whatever the frames are, the client neither throws nor stays away", async () => {
  const frame = fc.oneof(
    fc.json(),
    fc.string(),
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    fc
      .record(
        {
          op: fc.constantFrom("DISPATCH", "HEARTBEAT_ACK", "x", null),
          t: fc.constantFrom("READY", "RESUMED", "MESSAGE_CREATE", "close", "error", null, 1),
          s: fc.oneof(fc.string(), fc.integer(), fc.constant(null)),
          d: fc.oneof(fc.jsonValue(), fc.record({ user: fc.jsonValue(), servers: fc.jsonValue() })),
        },
        { requiredKeys: [] },
      )
      .map((value) => JSON.stringify(value)),
  );
  const uncaught: unknown[] = [];
  const keep = (error: unknown) => uncaught.push(error);
  process.on("uncaughtException", keep);
  try {
    const frames = fc.sample(frame, 500);
    const { server, closed } = await connect(frames, true);
    await waitUntil(() => server.connections() > frames.length, { timeoutMs: 50_000, what: "all connections" });
    expect(closed).toEqual([]);
    expect(uncaught).toEqual([]);
  } finally {
    process.off("uncaughtException", keep);
  }
});
