import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findFreePort, type OwnedProcess, startProcess } from "@parley/local-stack";
import { makeCertificates, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectMessaging } from "./connect.js";
import { defaultStreamSettings, ensureStreams } from "./streams.js";

// The configuration of the deployment, in a real server.

const run = promisify(execFile);
const source = join(import.meta.dirname, "..", "..", "..", "deploy", "nats", "nats.conf");
const password = "p0123456789abcdef";
const logger = { info: () => undefined, warn: () => undefined };

let folder: string;
let server: OwnedProcess;
let port: number;
let host: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-nats-"));
  ({ server, port } = await startServer("plain", ""));
  host = `127.0.0.1:${port}`;
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A server with the configuration of the deployment and an addition. */
async function startServer(name: string, addition: string): Promise<{ server: OwnedProcess; port: number }> {
  const [port, monitoringPort] = [await findFreePort(), await findFreePort()];
  const { stdout } = await run("nats-server", ["--version"]);
  const isOld = /v2\.[0-9]\./.test(stdout);
  const text = (await readFile(source, "utf8"))
    .replace("host: 0.0.0.0", "host: 127.0.0.1")
    .replace("port: 4222", `port: ${port}`)
    .replace("http: 0.0.0.0:8222", `http: 127.0.0.1:${monitoringPort}`)
    .replace("store_dir: /data", `store_dir: ${JSON.stringify(join(folder, name))}`)
    // Known from 2.10 on.
    .replace(isOld ? /^ *sync_interval:.*$/m : "", "");
  const file = join(folder, `${name}.conf`);
  await writeFile(file, `${text}\n${addition}`);
  const env = { NATS_PASSWORD: password, NATS_SERVER_NAME: "nats", PATH: process.env.PATH };
  const server = await startProcess({ name: "NATS", command: "nats-server", args: ["-c", file], env });
  await waitUntil(() => fetch(`http://127.0.0.1:${monitoringPort}/healthz`).then(({ ok }) => ok || !server.running()));
  expect(server.running(), server.lastLines().join("\n")).toBe(true);
  return { server, port };
}

test("the password in the address opens the server of the deployment, which has room for the streams", async () => {
  const url = `nats://parley:${password}@${host},nats://parley:${password}@127.0.0.1:1`;
  const messaging = await connectMessaging({ url, name: "test", logger });
  await messaging.ping(1_000);
  await ensureStreams(messaging, defaultStreamSettings);
  await messaging.close();
});

// Container networks name servers by words without a dot.
test.each([
  ["a host without a dot", (at: string) => `nats://parley:${password}@localhost:${at}`],
  [
    "a list with spaces, the first of it down",
    (at: string) => `nats://parley:${password}@localhost:1, nats://parley:${password}@localhost:${at}`,
  ],
  [
    "a list of which one has the password",
    (at: string) => `nats://localhost:1,nats://parley:${password}@localhost:${at}`,
  ],
])("connects with a password to %s", async (_, url) => {
  const messaging = await connectMessaging({ url: url(String(port)), name: "test", logger });
  await messaging.ping(1_000);
  await messaging.close();
});

test("a list with different passwords is refused at once, and the error shows none", async () => {
  const url = `nats://parley:${password}@${host},nats://parley:other@${host}`;
  await expect(connectMessaging({ url, name: "test", logger })).rejects.toThrow(
    new Error("The addresses of NATS carry different credentials; all servers of a cluster take the same"),
  );
});

test.each(["", "parley:wrong@"])(
  "nats://%s… is refused at once, and the error shows no password",
  async (credentials) => {
    const connecting = connectMessaging({ url: `nats://${credentials}${host}`, name: "test", logger });
    await expect(connecting).rejects.toThrow(new Error(`NATS at nats://${host} refuses the credentials`));
  },
);

describe("tls://", () => {
  test("tls:// is refused at once where the server offers no TLS: the password is not sent", async () => {
    const connecting = connectMessaging({ url: `tls://parley:${password}@${host}`, name: "test", logger });
    await expect(connecting).rejects.toThrow(new Error(`NATS at tls://${host} does not offer TLS`));
  });

  test("encrypts, and trusts the authority that NODE_EXTRA_CA_CERTS names", async () => {
    const [certificate, key] = [join(folder, "certificate.pem"), join(folder, "key.pem")];
    const files = ["-keyout", key, "-out", certificate];
    const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
    await run("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", ...files, ...names]);
    const secured = await startServer("secured", `tls { cert_file: "${certificate}", key_file: "${key}" }\n`);
    try {
      const script = `
        const { connectMessaging } = await import(${JSON.stringify(join(import.meta.dirname, "..", "dist", "index.js"))});
        const logger = { info() {}, warn() {} };
        const messaging = await connectMessaging({ url: process.env.NATS_URL, name: "test", logger });
        process.stdout.write(String(messaging.nats.protocol.transport.isEncrypted()));
        await messaging.close();`;
      const env = {
        NODE_EXTRA_CA_CERTS: certificate,
        NATS_URL: `tls://parley:${password}@localhost:${secured.port}`,
      };
      const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", script], { env });
      expect(stdout).toBe("true");
    } finally {
      await secured.server.stop();
    }
  });
});

describe("a server that demands certificates", () => {
  test("is reached with the one that an address names, and not without; a missing file is reported at once", async () => {
    const { authority, server, parameters } = await makeCertificates();
    const tls = `tls { cert_file: "${server.cert}", key_file: "${server.key}", ca_file: "${authority}", verify: true }\n`;
    const secured = await startServer("demanding", tls);
    try {
      const at = `tls://parley:${password}@localhost:${secured.port}`;
      const messaging = await connectMessaging({ url: `${at}?${parameters},${at}`, name: "test", logger });
      await messaging.ping(1_000);
      await messaging.close();
      const without = connectMessaging({ url: `${at}?sslrootcert=${authority}`, name: "test", logger });
      await expect(without).rejects.toThrow(`NATS is not reachable at tls://localhost:${secured.port}`);
      await expect(connectMessaging({ url: `${at}?sslkey=/nowhere`, name: "test", logger })).rejects.toThrow(
        "The file /nowhere for TLS cannot be read (ENOENT)",
      );
    } finally {
      await secured.server.stop();
    }
  });
});
