import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findFreePort, type OwnedProcess, startProcess } from "@parley/local-stack";
import { waitUntil } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectMessaging } from "./connect.js";
import { defaultStreamSettings, ensureStreams } from "./streams.js";

// The configuration of the deployment, in a real server.

const source = join(import.meta.dirname, "..", "..", "..", "deploy", "nats", "nats.conf");
const password = "p0123456789abcdef";
const logger = { info: () => undefined, warn: () => undefined };

let folder: string;
let server: OwnedProcess;
let host: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-nats-"));
  const [port, monitoringPort] = [await findFreePort(), await findFreePort()];
  host = `127.0.0.1:${port}`;
  const { stdout } = await promisify(execFile)("nats-server", ["--version"]);
  const isOld = /v2\.[0-9]\./.test(stdout);
  const text = (await readFile(source, "utf8"))
    .replace("host: 0.0.0.0", "host: 127.0.0.1")
    .replace("port: 4222", `port: ${port}`)
    .replace("http: 0.0.0.0:8222", `http: 127.0.0.1:${monitoringPort}`)
    .replace("store_dir: /data", `store_dir: ${JSON.stringify(folder)}`)
    // Known from 2.10 on.
    .replace(isOld ? /^ *sync_interval:.*$/m : "", "");
  const file = join(folder, "nats.conf");
  await writeFile(file, text);
  const env = { NATS_PASSWORD: password, NATS_SERVER_NAME: "nats", PATH: process.env.PATH };
  server = await startProcess({ name: "NATS", command: "nats-server", args: ["-c", file], env });
  await waitUntil(() => fetch(`http://127.0.0.1:${monitoringPort}/healthz`).then(({ ok }) => ok || !server.running()));
  expect(server.running(), server.lastLines().join("\n")).toBe(true);
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

test("the password in the address opens the server of the deployment, which has room for the streams", async () => {
  const url = `nats://parley:${password}@${host},nats://parley:${password}@127.0.0.1:1`;
  const messaging = await connectMessaging({ url, name: "test", logger });
  await messaging.ping(1_000);
  await ensureStreams(messaging, defaultStreamSettings);
  await messaging.close();
});

test.each(["", "parley:wrong@"])(
  "nats://%s… is refused at once, and the error shows no password",
  async (credentials) => {
    const connecting = connectMessaging({ url: `nats://${credentials}${host}`, name: "test", logger });
    await expect(connecting).rejects.toThrow(new Error(`NATS at nats://${host} refuses the credentials`));
  },
);
