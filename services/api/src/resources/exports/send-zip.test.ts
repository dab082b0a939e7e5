import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { startHttpServer } from "@parley/service-runtime";
import { createGate } from "@parley/testing";
import { expect, onTestFinished, test } from "vitest";
import { sendZip } from "./send-zip.js";
import type { ServerExport } from "./service.js";

/** 256 KiB in each of these, ten times as often. */
const pace = { bytesMin: 256 * 1024, windowMs: 1_000, checkMs: 50 };
const times = { created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z" };
const id = "01900000-0000-7000-8000-000000000001";

/** Serves an export whose messages are these pages; `ended` opens when it has ended. */
async function serve(pages: () => AsyncGenerator<string[]>) {
  const ended = createGate();
  const content: ServerExport = {
    server: {
      id,
      name: "s",
      owner_id: id,
      icon_url: null,
      is_public: false,
      ...times,
      require_invite: false,
      member_count: 1,
    },
    channels: [{ id, server_id: id, name: "c", type: "text", category: null, position: 0, topic: null, ...times }],
    roles: [],
    async *members() {
      yield [];
    },
    messages: pages,
  };
  const server = await startHttpServer({
    handler: (_request, response) => void sendZip(response, content, pace).finally(ended.open),
    host: "127.0.0.1",
    port: 0,
  });
  onTestFinished(() => server.close());
  const socket = connect(server.port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {});
  socket.pause();
  socket.write("GET / HTTP/1.0\r\nHost: a\r\n\r\n");
  return { socket, ended: ended.opened };
}

/** More than sockets buffer while nothing is read; hardly smaller in an archive. */
async function* much(): AsyncGenerator<string[]> {
  for (let page = 0; page < 400; page += 1) yield [randomBytes(65_536).toString("base64")];
}

/** What is read in pieces, with a pause after each, until the end. */
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

test("an export ends for a receiver that takes a few bytes at a time", { timeout: 60_000 }, async () => {
  const { socket, ended } = await serve(much);
  const received = readSlowly(socket, { bytes: 5, pauseMs: 100 });
  await ended;
  socket.destroy();
  expect(isWhole(await received)).toBe(false);
});

test("an export is whole for a receiver that is slow and steady", { timeout: 60_000 }, async () => {
  const { socket, ended } = await serve(much);
  const archive = await readSlowly(socket, { bytes: 65_536, pauseMs: 5 });
  await ended;
  expect(archive.length).toBeGreaterThan(16 * 1024 ** 2);
  expect(isWhole(archive)).toBe(true);
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
