import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { waitUntil } from "@parley/testing";
import { afterEach, describe, expect, test } from "vitest";
import type { Edge } from "./edge.js";
import {
  closeAll,
  Echoed,
  echo,
  edgeTo,
  exchangeRaw,
  named,
  openSocket,
  startGateway,
  startUpstream,
} from "./edge-fixture.js";

afterEach(closeAll);

describe("edge: slow and many connections", () => {
  const later = () => new Promise((resolve) => setTimeout(resolve, 20));

  /** Sends the head of a request slowly, line by line, and never ends it. @returns the answer until the close */
  async function dripHead(edge: Edge): Promise<string> {
    const socket = connect(edge.port, "127.0.0.1");
    socket.on("error", () => {});
    const answered = text(socket);
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n");
    for (let line = 0; !socket.destroyed && !socket.readableEnded; line += 1) {
      if (socket.writable) socket.write(`X-${line}: 1\r\n`);
      await later();
    }
    return answered;
  }

  test("edge: slow and many connections closes a request head that drips, but neither a long upload nor a socket that is silent as long", async () => {
    const api = await startUpstream(echo);
    const gateway = await startGateway();
    const timeouts = { headMs: 300, checkMs: 50 };
    const edge = await edgeTo({ apis: [api.url], gateways: [gateway.url], timeouts });
    const socket = await openSocket(edge);
    const upload = httpRequest(`${edge.url}/upload`, { method: "POST" });
    const answered = once(upload, "response");
    upload.write("first half, ");
    expect(await dripHead(edge)).toContain("Request took too long to arrive");
    upload.end("second half");
    const [response]: IncomingMessage[] = await answered;
    if (response === undefined) throw new Error("no answer");
    expect(Echoed.parse(JSON.parse(await text(response)))).toMatchObject({ bytes: 23 });
    socket.send("still here");
    expect(String((await once(socket, "message"))[0])).toBe("still here");
  });

  test("edge: slow and many connections closes connections above the number that one address may have, until others have ended", async () => {
    const { url } = await startUpstream(named("api"));
    const edge = await edgeTo({ apis: [url], connectionsPerAddressMax: 2 });
    const held = [connect(edge.port, "127.0.0.1"), connect(edge.port, "127.0.0.1")];
    await Promise.all(held.map((socket) => once(socket, "connect")));
    const answer = () =>
      exchangeRaw(edge, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").catch(() => "closed");
    expect(["", "closed"]).toContain(await answer());
    held[0]?.destroy();
    await waitUntil(async () => (await answer()).endsWith("api"));
    held[1]?.destroy();
  });
});
