import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { startHttpServer } from "@parley/service-runtime";
import { createGate, waitUntil } from "@parley/testing";
import { expect, onTestFinished, test } from "vitest";
import { sendZip } from "./send-zip.js";
import { linesPart } from "./zip-part.js";

/** 256 KiB in each of these, ten times as often. */
const pace = { bytesMin: 256 * 1024, windowMs: 1_000, checkMs: 50 };
/** Serves an export whose messages are these pages; `ended` opens when it has ended. Nothing of it is read yet. */
async function serve(pages: () => AsyncGenerator<string[]>, demanded = pace) {
  const ended = createGate();
  const responses: ServerResponse[] = [];
  const server = await startHttpServer({
    handler: (_request, response) => {
      responses.push(response);
      const parts = [linesPart("messages.jsonl", pages)];
      void sendZip(response, parts, { timeoutMs: 3_600_000, pace: demanded }).finally(ended.open);
    },
    host: "127.0.0.1",
    port: 0,
  });
  onTestFinished(() => server.close());
  const socket = connect(server.port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {});
  socket.pause();
  socket.write("GET / HTTP/1.0\r\nHost: a\r\n\r\n");
  return { socket, ended: ended.opened, response: () => responses[0] };
}

/** More than sockets buffer while nothing is read; hardly smaller in an archive. */
async function* much(pages = 400): AsyncGenerator<string[]> {
  for (let page = 0; page < pages; page += 1) yield [randomBytes(65_536).toString("base64")];
}

/** Reads a socket in pieces, with a pause after each, until the end. */
async function readSlowly(socket: Socket, { bytes, pauseMs }: { bytes: number; pauseMs: number }): Promise<Buffer> {
  const pieces: Buffer[] = [];
  while (!socket.readableEnded && !socket.destroyed) {
    const piece: unknown = socket.read(Math.min(bytes, Math.max(socket.readableLength, 1)));
    if (Buffer.isBuffer(piece)) pieces.push(piece);
    await pause(pauseMs);
  }
  return Buffer.concat(pieces);
}

const isWhole = (archive: Buffer) => archive.subarray(-22, -18).toString("latin1") === "PK\u0005\u0006";

test("an export ends for a receiver that takes a few bytes at a time", async () => {
  const { socket, ended } = await serve(() => much());
  const received = readSlowly(socket, { bytes: 5, pauseMs: 100 });
  await ended;
  socket.destroy();
  expect(isWhole(await received)).toBe(false);
});

test("an export is whole for a receiver that is slow and steady", async () => {
  const { socket, ended } = await serve(() => much());
  const archive = await readSlowly(socket, { bytes: 65_536, pauseMs: 5 });
  await ended;
  expect(archive.length).toBeGreaterThan(16 * 1024 ** 2);
  expect(isWhole(archive)).toBe(true);
});

test("an export reads no more while its receiver takes nothing, and goes on when it does", async () => {
  const patient = { ...pace, windowMs: 3_600_000 };
  let isRead = false;
  const { socket, ended, response } = await serve(async function* () {
    yield* much();
    isRead = true;
  }, patient);
  await waitUntil(() => response()?.writableNeedDrain, { what: "the export to wait for its receiver" });
  // By the end of another one, which is read whole, the first one would have filled the memory.
  const other = await serve(() => much(250), patient);
  other.socket.resume();
  await other.ended;
  expect(isRead).toBe(false);
  expect(response()?.writableLength).toBeLessThan(1024 ** 2);
  socket.resume();
  await ended;
  expect(isRead).toBe(true);
});

test("an export is whole when reading it takes longer than its receiver may", async () => {
  const { socket, ended } = await serve(async function* () {
    for (const text of ["one", "two", "three"]) {
      await pause(1.2 * pace.windowMs);
      yield [text];
    }
  });
  const archive = await readSlowly(socket, { bytes: 65_536, pauseMs: 5 });
  await ended;
  expect(isWhole(archive)).toBe(true);
});
