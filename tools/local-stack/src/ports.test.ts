import { once } from "node:events";
import { createServer } from "node:net";
import { expect, it } from "vitest";
import { findFreePort, isPortFree, portRefusal, requireFreePorts } from "./ports.js";

async function occupy(port: number) {
  const server = createServer().listen({ port, host: "127.0.0.1" });
  await once(server, "listening");
  return server;
}

const wanted = (port: number) => ({ port, host: "127.0.0.1", for: "the edge", setting: "EDGE_PORT" });

it("finds ports on which a listener can be opened, outside the range of outgoing connections", async () => {
  const port = await findFreePort();
  expect(await isPortFree(port)).toBe(true);
  expect(port).toBeLessThan(32_768);
});

it("says in one sentence which port is in use, what needs it and which setting moves it", async () => {
  const port = await findFreePort();
  const server = await occupy(port);
  await expect(requireFreePorts([wanted(await findFreePort()), wanted(port)])).rejects.toThrow(
    `Port ${port}, which the edge needs, is already in use: stop the program that uses it, or choose another port with EDGE_PORT.`,
  );
  server.close();
});

it("is content with free ports, and waits for one that is about to become free", async () => {
  await requireFreePorts([wanted(await findFreePort())]);
  const port = await findFreePort();
  const server = await occupy(port);
  const waiting = requireFreePorts([wanted(port)], 10_000);
  server.close();
  await waiting;
});

it("says when the address itself is unusable", () => {
  expect(portRefusal({ ...wanted(80), host: "192.0.2.1" }, "EADDRNOTAVAIL").message).toBe(
    "the edge cannot listen on 192.0.2.1:80 (EADDRNOTAVAIL): choose another address with HOST, or another port with EDGE_PORT.",
  );
});
