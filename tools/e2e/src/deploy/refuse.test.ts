import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { runContext, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nginxProgram, provideProgram } from "./debian-program.js";
import { type NginxEdge, startNginx } from "./nginx-edge.js";

const run = promisify(execFile);
const program = await provideProgram(nginxProgram);
const { root } = runContext();
const neighbour = "127.0.0.77";

describe.skipIf(program === null)("deploy/parley refuse", () => {
  let nginx: NginxEdge;
  let folder: string;
  let api: Server;
  const held: ServerResponse[] = [];

  beforeAll(async () => {
    api = createServer((request, response) => {
      if (request.url === "/slow") held.push(response);
      else response.end("here");
    });
    await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
    nginx = await startNginx({ program: program ?? "", apis: [url], gateways: [url] });
    folder = await mkdtemp(join(runContext().folder, "refuse-"));
    await mkdir(join(folder, "programs"));
    await mkdir(join(folder, "running"));
    await symlink(join(import.meta.dirname, "docker-stand-in.sh"), join(folder, "programs", "docker"));
    await writeFile(join(folder, "running", "edge"), "");
    await writeFile(join(folder, "env"), "");
  });
  afterAll(async () => {
    await nginx?.stop();
    api.closeAllConnections();
    api.close();
  });

  test("one network gets 403 at once, the others lose no request, and it ends", async () => {
    expect(await statusFrom(neighbour)).toBe(200);
    const slow = fetch(`${nginx.url}/slow`);
    await waitUntil(() => held.length === 1);
    const kept = connect(Number(new URL(nginx.url).port), "127.0.0.1");
    await new Promise((resolve) => kept.once("connect", resolve));

    await operate("refuse", `${neighbour}/32`);
    await waitUntil(async () => (await statusFrom(neighbour)) === 403);
    expect(await statusFrom("127.0.0.1")).toBe(200);
    held[0]?.end("late");
    expect(await (await slow).text()).toBe("late");
    // A connection that was open before, and had asked for nothing yet.
    kept.write("GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    let answer = "";
    for await (const part of kept) answer += String(part);
    expect(answer).toMatch(/^HTTP\/1\.1 [23]/);

    // Twice is once.
    await operate("refuse", `${neighbour}/32`);
    expect(await readFile(join(nginx.folder, "refused.conf"), "utf8")).toBe(`deny ${neighbour}/32;\n`);
    await operate("admit", `${neighbour}/32`);
    await waitUntil(async () => (await statusFrom(neighbour)) === 200);
  });

  test.each(["300.1.1.1", "10.0.0.0/99", "all", "1.2.3.4; allow all", "example.com", "face"])(
    "'%s' is no network and changes nothing",
    async (network) => {
      await expect(operate("refuse", network)).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/is no network/),
      });
      expect(await statusFrom("127.0.0.1")).toBe(200);
    },
  );

  function operate(...args: string[]) {
    const path = [join(folder, "programs"), dirname(program ?? ""), process.env.PATH].join(delimiter);
    const env = {
      ...process.env,
      PATH: path,
      STAND_IN: folder,
      COMPOSE_ENV_FILES: join(folder, "env"),
      REFUSED: join(nginx.folder, "refused.conf"),
      NGINX_PID: join(nginx.folder, "run", "nginx.pid"),
    };
    return run(join(root, "deploy", "parley"), args, { env });
  }

  async function statusFrom(localAddress: string): Promise<number | undefined> {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${nginx.url}/servers`, { localAddress, agent: false }, resolve).on("error", reject);
    });
    answer.resume();
    return answer.statusCode;
  }
});

describe.skipIf(program === null)("an edge whose network is gone", () => {
  test("ends, so that it starts again in the new one", async () => {
    const nginx = await startNginx({
      program: program ?? "",
      apis: ["http://127.0.0.1:9"],
      gateways: ["http://127.0.0.1:9"],
    });
    try {
      expect(nginx.running()).toBe(true);
      await nginx.loseNetwork();
      await waitUntil(() => !nginx.running(), { what: "the edge to end" });
    } finally {
      await nginx.stop();
    }
  });
});
