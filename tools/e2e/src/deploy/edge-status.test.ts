import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { findFreePort, type OwnedProcess, startProcess } from "@parley/local-stack";
import { runContext, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nginxProgram, provideProgram } from "./debian-program.js";
import { type NginxEdge, startNginx } from "./nginx-edge.js";

const program = await provideProgram(nginxProgram);

describe.skipIf(program === null)("the statuses of the edge", () => {
  const api = createServer((_, response) => response.writeHead(204).end());
  let counter: OwnedProcess;
  let nginx: NginxEdge;
  let metricsUrl: string;

  beforeAll(async () => {
    await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
    const [port, metricsPort] = [await findFreePort(), await findFreePort()];
    metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
    counter = await startProcess({
      name: "edge-status",
      command: process.execPath,
      args: [join(runContext().root, "services", "monitors", "dist", "edge-status", "main.js")],
      env: { PATH: process.env.PATH, METRICS_PORT: String(metricsPort), EDGE_STATUS_PORT: String(port) },
    });
    await waitUntil(() => readMetrics().then(() => true));
    const { port: apiPort } = api.address() as AddressInfo;
    nginx = await startNginx({
      program: program ?? "",
      apis: [`http://127.0.0.1:${apiPort}`],
      gateways: ["http://127.0.0.1:1"],
      statusTo: `127.0.0.1:${port}`,
    });
  });
  afterAll(async () => {
    await nginx?.stop();
    await counter?.stop({ signal: "SIGTERM" });
    api.close();
  });

  const readMetrics = async () => (await fetch(metricsUrl)).text();
  const counted = async (status: number, by: string) => {
    const series = `edge_answers_total{status="${status}",by="${by}"} `;
    const line = (await readMetrics()).split("\n").find((each) => each.startsWith(series));
    return Number(line?.slice(series.length) ?? 0);
  };

  test.each([
    ["an answer of an api", "/servers", 204, "service"],
    ["a refusal of nginx itself", "/metrics", 404, "edge"],
    ["a service that is away", "/ws", 502, "edge"],
  ])("%s is counted with its status and with who gave it", async (_, path, status, by) => {
    const before = await counted(status, by);
    for (let times = 0; times < 3; times += 1) expect((await fetch(`${nginx.url}${path}`)).status).toBe(status);
    await waitUntil(async () => (await counted(status, by)) === before + 3);
  });

  test("the edge goes on answering when nobody counts", async () => {
    await counter.stop({ signal: "SIGTERM" });
    for (let times = 0; times < 20; times += 1) expect((await fetch(`${nginx.url}/servers`)).status).toBe(204);
  });
});
