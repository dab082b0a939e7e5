import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { claimTestPorts, findFreePort, findFreePorts, isPortFree, portRefusal, requireFreePorts } from "./ports.js";

async function occupy(port: number) {
  const server = createServer().listen({ port, host: "127.0.0.1" });
  await once(server, "listening");
  return server;
}

const wanted = (port: number) => ({ port, host: "127.0.0.1", for: "the edge", setting: "EDGE_PORT" });

test("the ports found can be listened on and lie outside the range of outgoing connections", async () => {
  const port = await findFreePort();
  expect(await isPortFree(port)).toBe(true);
  expect(port).toBeLessThan(32_768);
});

test("ports in a row are given to nobody else", async () => {
  const given: number[] = [];
  for (let turn = 0; turn < 20; turn += 1) {
    const first = await findFreePorts(3);
    given.push(first, first + 1, first + 2, await findFreePort());
  }
  expect(new Set(given).size).toBe(80);
});

test("two runs of tests never find the same port", async () => {
  const own = process.env.PARLEY_TEST_PORTS;
  onTestFinished(() => {
    process.env.PARLEY_TEST_PORTS = own;
  });
  const runs = [];
  for (let run = 0; run < 2; run += 1) {
    const release = await claimTestPorts();
    onTestFinished(release);
    const first = await findFreePorts(100);
    runs.push(Array.from({ length: 100 }, (_, at) => first + at));
  }
  expect(new Set(runs.flat()).size).toBe(200);
});

test("two processes of one run never find the same port, whatever number Vitest gives them", async () => {
  // Short rows: at the end of its share, of 283 ports, a process begins again, and would meet a first row of more than 94.
  const program = `import { findFreePorts } from ${JSON.stringify(join(import.meta.dirname, "../dist/ports.js"))};
    console.log(await findFreePorts(50), await findFreePorts(50));
    process.stdin.resume();`;
  const found = await Promise.all(
    [1, 2].map(async () => {
      const env = { ...process.env, VITEST_POOL_ID: "1" };
      const child = spawn(process.execPath, ["--input-type=module", "--eval", program], { env });
      onTestFinished(() => void child.kill());
      const [line] = await once(child.stdout, "data");
      return String(line).trim().split(" ").map(Number);
    }),
  );
  const ports = found.flat().flatMap((first) => Array.from({ length: 50 }, (_, at) => first + at));
  expect(new Set(ports).size).toBe(200);
});

test("the check of ports names the two that want one port, also when neither has opened it", async () => {
  const port = await findFreePort();
  const gateway = { ...wanted(port), for: "gateway-2", setting: "GATEWAY_PORT_BASE" };
  await expect(requireFreePorts([wanted(port), gateway])).rejects.toThrow(
    `Port ${port} is wanted twice, by the edge (EDGE_PORT) and gateway-2 (GATEWAY_PORT_BASE): choose another port for one of them.`,
  );
});

test("the check of ports says when counting up from a base leaves no port", async () => {
  const gateway = { ...wanted(65_536), for: "gateway-2", setting: "GATEWAY_PORT_BASE" };
  await expect(requireFreePorts([gateway])).rejects.toThrow(
    "gateway-2 would need port 65536, and 65535 is the last: choose a lower GATEWAY_PORT_BASE.",
  );
});

test("the check of ports says in one sentence which port is in use, what needs it and which setting moves it", async () => {
  const port = await findFreePort();
  const server = await occupy(port);
  await expect(requireFreePorts([wanted(await findFreePort()), wanted(port)])).rejects.toThrow(
    `Port ${port}, which the edge needs, is already in use: stop the program that uses it, or choose another port with EDGE_PORT.`,
  );
  server.close();
});

test("the check of ports accepts free ports, and waits for one that is about to become free", async () => {
  await requireFreePorts([wanted(await findFreePort())]);
  const port = await findFreePort();
  const server = await occupy(port);
  const waiting = requireFreePorts([wanted(port)], 10_000);
  server.close();
  await waiting;
});

test("the check of ports says when the address itself is unusable", () => {
  expect(portRefusal({ ...wanted(80), host: "192.0.2.1" }, "EADDRNOTAVAIL").message).toBe(
    "the edge cannot listen on 192.0.2.1:80 (EADDRNOTAVAIL): choose another address with HOST, or another port with EDGE_PORT.",
  );
});
