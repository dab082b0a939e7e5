import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { ServerProcess } from "@parley/local-stack";
import {
  connectGateway,
  createClient,
  type GatewayClient,
  type UserClient,
  useMortalStack,
  waitUntil,
} from "@parley/testing";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

const mortal = useMortalStack();
/** One of its own, which nobody else is connected to. */
let gateway: ServerProcess;
let user: UserClient;
let bystander: GatewayClient;
let pid: number;
let lastHeartbeatAt = 0;

beforeAll(async () => {
  gateway = await mortal.stack.startGateway();
  user = await createClient(mortal.stack.edgeUrl).register();
  bystander = connectGateway(gateway.url, user.accessToken);
  await bystander.ready;
  pid = gateway.pid();
});
afterAll(async () => {
  await bystander?.heartbeat();
});

/** Whatever was sent: the process is the same, its other connections work, and it holds none of the broken ones. */
afterEach(async () => {
  // Not after each of many quick tests: more than 20 messages a second are dropped.
  if (performance.now() - lastHeartbeatAt > 100) {
    lastHeartbeatAt = performance.now();
    await bystander.heartbeat();
  }
  expect([gateway.running(), gateway.pid()]).toEqual([true, pid]);
  await waitUntil(async () => (await openConnections()) === 1, { what: "only the bystander to be connected" });
});

async function openConnections(): Promise<number> {
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
  return Number(/^gateway_connections(?:\{[^}]*\})? (\d+)$/m.exec(metrics)?.[1]);
}

const maskKey = Buffer.from([1, 2, 3, 4]);

/** A frame as clients send it, with whatever first byte and length field. */
function frame(firstByte: number, payload: Buffer, { masked = true, length = lengthField(payload.length) } = {}) {
  const [first = 0, ...more] = length;
  const body = masked ? Buffer.concat([maskKey, payload.map((byte, at) => byte ^ (maskKey[at % 4] ?? 0))]) : payload;
  return Buffer.concat([Buffer.from([firstByte, (masked ? 0x80 : 0) | first, ...more]), body]);
}

function lengthField(length: number): number[] {
  return length < 126 ? [length] : [126, length >> 8, length & 0xff];
}

const text = Buffer.from('{"op":"HEARTBEAT"}');
const nothing = Buffer.alloc(0);
const noUtf8 = Buffer.from([0xc3, 0x28]);
const normalClosure = Buffer.from([0x03, 0xe8]);

const handshakeLines = () => [
  `GET /ws?token=${user.accessToken} HTTP/1.1`,
  "Host: 127.0.0.1",
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
];

async function openRaw(): Promise<Socket> {
  const socket = connect(gateway.port, "127.0.0.1");
  // A server that resets the connection of somebody who breaks the protocol does well.
  socket.on("error", () => socket.destroy());
  await once(socket, "connect");
  return socket;
}

/** Sends bytes on a connection of their own and resolves with all that came back once the server has closed it. */
async function exchange(...sent: readonly (string | Buffer)[]): Promise<Buffer> {
  const socket = await openRaw();
  const received: Buffer[] = [];
  socket.on("data", (chunk) => received.push(chunk));
  const closed = once(socket, "close");
  for (const bytes of sent) socket.write(bytes);
  await closed;
  return Buffer.concat(received);
}

/** The code of the close frame among the server's frames; null when it just hung up. */
function closeCodeIn(received: Buffer): number | null {
  let at = received.indexOf("\r\n\r\n") + 4;
  while (at + 2 <= received.length) {
    const short = (received[at + 1] ?? 0) & 0x7f;
    const [header, length] =
      short < 126
        ? [2, short]
        : short === 126
          ? [4, received.readUInt16BE(at + 2)]
          : [10, Number(received.readBigUInt64BE(at + 2))];
    if (received[at] === 0x88) return length < 2 ? null : received.readUInt16BE(at + header);
    at += header + length;
  }
  return null;
}

const upgrade = () => `${handshakeLines().join("\r\n")}\r\n\r\n`;

test.each<[string, number, () => Buffer[]]>([
  ["an unmasked frame", 1002, () => [frame(0x81, text, { masked: false })]],
  ["a reserved bit", 1002, () => [frame(0xa1, text)]],
  ["the bit of a compression that was not agreed on", 1002, () => [frame(0xc1, text)]],
  ["an unknown opcode", 1002, () => [frame(0x83, text)]],
  ["an unknown control opcode", 1002, () => [frame(0x8b, nothing)]],
  ["a continuation of nothing", 1002, () => [frame(0x80, text)]],
  ["a new message within a fragmented one", 1002, () => [frame(0x01, text), frame(0x81, text)]],
  ["a fragmented ping", 1002, () => [frame(0x09, nothing)]],
  ["a ping of 126 bytes", 1002, () => [frame(0x89, Buffer.alloc(126))]],
  ["a close frame of one byte", 1002, () => [frame(0x88, Buffer.alloc(1))]],
  ["a close code that may not be sent", 1002, () => [frame(0x88, Buffer.from([0x03, 0xed]))]],
  // Like every text that is no JSON it is dropped; the close frame after it is answered.
  ["a text that is no UTF-8, and then a close frame,", 1000, () => [frame(0x81, noUtf8), frame(0x88, normalClosure)]],
  ["a close reason that is no UTF-8", 1000, () => [frame(0x88, Buffer.concat([normalClosure, noUtf8]))]],
  ["a length of 2^63", 1009, () => [frame(0x81, nothing, { length: [127, 0x80, 0, 0, 0, 0, 0, 0, 0] })]],
  ["a length of 4 GB", 1009, () => [frame(0x81, nothing, { length: [127, 0, 0, 0, 1, 0, 0, 0, 0] })]],
  ["endless fragments", 1009, () => Array.from({ length: 40 }, (_, n) => frame(n === 0 ? 1 : 0, Buffer.alloc(500)))],
])("a socket's frame, %s, closes the connection with %i", async (_, code, frames) => {
  expect(closeCodeIn(await exchange(upgrade(), ...frames()))).toBe(code);
});

test("random bytes after the handshake end or are dropped, and disturb nobody", async () => {
  const bytes = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 300 }),
    fc
      .tuple(fc.nat(255), fc.uint8Array({ maxLength: 130 }), fc.boolean())
      .map(([firstByte, payload, masked]) => frame(firstByte, Buffer.from(payload), { masked })),
  );
  const sent = fc.asyncProperty(fc.array(bytes, { minLength: 1, maxLength: 5 }), async (frames) => {
    const socket = await openRaw();
    socket.resume();
    const closed = once(socket, "close");
    // If the bytes did not end the connection, the end of the stream does.
    socket.end(Buffer.concat([Buffer.from(upgrade()), ...frames.map((frame) => Buffer.from(frame))]));
    await closed;
  });
  await fc.assert(sent, { numRuns: 200 });
});

test.each<[string, (lines: string[]) => string[]]>([
  ["an unknown version of HTTP", ([, ...rest]) => [`GET /ws?token=${user.accessToken} HTTP/9.9`, ...rest]],
  ["a NUL in the path", ([, ...rest]) => ["GET /ws?token=\0 HTTP/1.1", ...rest]],
  ["a path of 100 KB", ([, ...rest]) => [`GET /ws?token=${"x".repeat(100_000)} HTTP/1.1`, ...rest]],
  ["10,000 headers", (lines) => [...lines, ...Array.from({ length: 10_000 }, (_, n) => `X-${n}: 1`)]],
  ["a header without a name", (lines) => [...lines, ": value"]],
  ["a header that ends in a bare carriage return", (lines) => [...lines, "X-Odd: a\rb"]],
  ["two lengths of the body", (lines) => [...lines, "Content-Length: 1", "Content-Length: 2"]],
  ["a key of the wrong length", (lines) => [...lines.slice(0, -1), "Sec-WebSocket-Key: AAAA"]],
  ["no key", (lines) => lines.slice(0, -1)],
  ["version 12", (lines) => lines.map((line) => line.replace("Version: 13", "Version: 12"))],
])("a handshake with %s is refused", async (_, change) => {
  const lines = [...change(handshakeLines()), "Connection: close"];
  const answer = (await exchange(`${lines.join("\r\n")}\r\n\r\n`)).toString("latin1");
  // A connection that is reset before its answer was read is refused as well.
  if (answer !== "") expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
});
