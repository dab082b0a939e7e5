import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { findFreePort } from "../ports.js";
import { createRequestForwarder } from "./forward-request.js";
import { idleUpstreamMs } from "./limits.js";

async function listen(listener: RequestListener): Promise<string> {
  const port = await findFreePort();
  const server = createServer(listener).listen(port, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${port}`;
}

test("asks many services that are down without leaving listeners behind", async () => {
  const service = await listen(async (request, response) => response.end(`${request.method} ${await text(request)}`));
  const ports = await Promise.all(Array.from({ length: 14 }, findFreePort));
  const targets = [...ports.map((port) => `http://127.0.0.1:${port}`), service];
  const forwarder = createRequestForwarder();
  onTestFinished(forwarder.close);
  const edge = await listen(
    (request, response) => void forwarder.forward(request, response, () => targets, { waits: false }),
  );
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on("warning", onWarning);
  onTestFinished(() => void process.off("warning", onWarning));
  expect(await (await fetch(edge)).text()).toBe("GET ");
  expect(await (await fetch(edge, { method: "POST", body: "body" })).text()).toBe("POST body");
  expect(warnings).toEqual([]);
});

test("keeps a request whose connection is being made while the process has no time for its sockets", async () => {
  const service = await listen((_request, response) => void response.end("answered"));
  const forwarder = createRequestForwarder();
  onTestFinished(forwarder.close);
  const edge = await listen((request, response) => {
    void forwarder.forward(request, response, () => [service], { waits: false });
    // Runs before the next look at sockets; timers that are due meanwhile run before it, too.
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, idleUpstreamMs + 100));
  });
  const response = await fetch(edge);
  expect([response.status, await response.text()]).toEqual([200, "answered"]);
});
