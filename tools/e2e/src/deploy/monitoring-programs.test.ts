import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { findFreePort, startProcess } from "@parley/local-stack";
import { waitUntil } from "@parley/testing";
import { expect, test } from "vitest";
import { amtoolProgram, blackboxProgram, promtoolProgram, provideProgram } from "./debian-program.js";

// The files of deploy/monitoring, read by the programs that they are for.

const run = promisify(execFile);
const folder = join(import.meta.dirname, "..", "..", "..", "..", "deploy", "monitoring");
const promtool = await provideProgram(promtoolProgram);
const amtool = await provideProgram(amtoolProgram);
const blackbox = await provideProgram(blackboxProgram);

test.skipIf(promtool === null)("Prometheus takes its configuration and the alerts", async () => {
  const { stdout } = await run(promtool ?? "", ["check", "config", "prometheus.yml"], { cwd: folder });
  expect(stdout).toMatch(/SUCCESS: prometheus\.yml is valid/);
  expect(stdout).toMatch(/SUCCESS: \d+ rules found/);
});

test.skipIf(amtool === null)("Alertmanager takes its configuration, and pages for what is a page", async () => {
  const { stdout } = await run(amtool ?? "", ["check-config", "alertmanager.yml"], { cwd: folder });
  expect(stdout).toContain("SUCCESS");
  for (const severity of ["page", "ticket"]) {
    const args = ["config", "routes", "test", "--config.file=alertmanager.yml", `severity=${severity}`];
    expect((await run(amtool ?? "", args, { cwd: folder })).stdout.trim()).toBe(severity);
  }
});

test.skipIf(blackbox === null)("the probes distinguish a service that answers from one that does not", async () => {
  const port = await findFreePort();
  const server = createServer((request, response) => response.writeHead(request.url === "/well" ? 200 : 503).end());
  server.listen(0, "127.0.0.1");
  const process = await startProcess({
    name: "blackbox exporter",
    command: blackbox ?? "",
    args: [`--config.file=${join(folder, "blackbox.yml")}`, `--web.listen-address=127.0.0.1:${port}`],
    env: {},
  });
  try {
    const address = await waitUntil(() => server.address());
    const target = typeof address === "object" ? `127.0.0.1:${address.port}` : "";
    const probe = async (module: string, what: string) => {
      const query = new URLSearchParams({ module, target: what });
      const text = await (await fetch(`http://127.0.0.1:${port}/probe?${query}`)).text();
      return /^probe_success (\d)$/m.exec(text)?.[1];
    };
    await waitUntil(() => probe("tcp", target).then((value) => value === "1"));
    expect(await probe("http", `http://${target}/well`)).toBe("1");
    expect(await probe("http", `http://${target}/ill`)).toBe("0");
    expect(await probe("tcp", `127.0.0.1:${await findFreePort()}`)).toBe("0");
  } finally {
    await process.stop();
    server.close();
  }
});
