import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { get } from "node:https";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import { promisify } from "node:util";
import { errorBody } from "@parley/contracts";
import { waitUntil } from "@parley/testing";
import { describe, expect, test } from "vitest";
import { nginxProgram, provideProgram } from "./debian-program.js";
import { exchange, jsonType, startNginx } from "./nginx-edge.js";

const program = await provideProgram(nginxProgram);

describe.skipIf(program === null)("nginx without services", () => {
  const nobody = "http://127.0.0.1:1";
  // With those of repeat.conf a request that no api answers would wait for half a minute, as long as an unfinished one may.
  const waitMs = 10;
  const secret = "secret-token";

  test.each([
    ["the gateway", `/ws?token=${secret}`],
    ["the gateway below /api", `/api/ws?bot_token=${secret}`],
    ["a signed file", `/files/1/a.png?signature=${secret}`],
    ["no address at all", `/%zz?token=${secret}`],
    ["an address that is too long", `/${"a".repeat(40_000)}?token=${secret}`],
  ])("writes no token of a request for %s to any log", async (_, path) => {
    const nginx = await startNginx({ program: program ?? "", apis: [nobody], gateways: [nobody], waitMs });
    try {
      const answer = await exchange(nginx.url, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      const [, status] = /^HTTP\/1.1 (\d+)/.exec(answer) ?? [];
      await waitUntil(async () => (await nginx.accessLog()).includes(`"status":${status}`));
      expect(await nginx.allLogs()).not.toContain(secret);
    } finally {
      await nginx.stop();
    }
  });

  test("answers over TLS too where it has a certificate, and takes a renewed one without a reload", async () => {
    const certificate = await mkdtemp(join(tmpdir(), "parley-certificate-"));
    await makeCertificate(certificate, "first");
    const nginx = await startNginx({ program: program ?? "", apis: [nobody], gateways: [nobody], certificate });
    try {
      expect(await subjectOf(nginx.tlsUrl)).toEqual(["404", "first"]);
      const plain = await exchange(nginx.tlsUrl, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      expect(plain).toMatch(/^HTTP\/1.1 400 /);
      expect(plain).toContain(JSON.stringify(errorBody("HTTPS is required here")));
      await makeCertificate(nginx.tlsFolder, "second");
      expect(await subjectOf(nginx.tlsUrl)).toEqual(["404", "second"]);
    } finally {
      await nginx.stop();
      await rm(certificate, { recursive: true });
    }
  });

  test.each([
    ["EDGE_CONNECTIONS_PER_ADDRESS", { connectionsPerAddress: "many" }],
    ["EDGE_CONNECTIONS_PER_ADDRESS", { connectionsPerAddress: 0 }],
    ["EDGE_DRAIN_SECONDS", { drainSeconds: "60s" }],
    ["EDGE_WORKERS", { workers: "auto" }],
  ])("nginx does not start with an unusable %s, and says which", async (name, settings) => {
    await expect(
      startNginx({ program: program ?? "", apis: [nobody], gateways: [nobody], ...settings }),
    ).rejects.toThrow(`${name} must be a whole number from 1 on`);
  });

  test("nginx does not start with a certificate whose key it cannot read", async () => {
    const certificate = await mkdtemp(join(tmpdir(), "parley-certificate-"));
    await makeCertificate(certificate, "first");
    await rm(join(certificate, "tls.key"));
    try {
      await expect(
        startNginx({ program: program ?? "", apis: [nobody], gateways: [nobody], certificate }),
      ).rejects.toThrow(/tls\/tls\.key cannot be read by user \d+/);
    } finally {
      await rm(certificate, { recursive: true });
    }
  });

  test("refuses an address that the runbook denies, in the form of every error", async () => {
    const trustedProxies = "deny 127.0.0.1;\n";
    const nginx = await startNginx({ program: program ?? "", apis: [nobody], gateways: [nobody], trustedProxies });
    try {
      const refused = await fetch(`${nginx.url}/servers`);
      expect([refused.status, refused.headers.get("content-type"), await refused.json()]).toEqual([
        403,
        jsonType,
        errorBody("Forbidden"),
      ]);
    } finally {
      await nginx.stop();
    }
  });

  test("nginx has no more than the set number of requests of one address in progress", async () => {
    const nginx = await startNginx({
      program: program ?? "",
      apis: [nobody],
      gateways: [nobody],
      waitMs,
      connectionsPerAddress: 2,
    });
    const { hostname, port } = new URL(nginx.url);
    const unfinished = "POST /servers HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{";
    const waiting: Socket[] = [];
    try {
      const refused = await waitUntil(async () => {
        // Where a request of this loop was in progress before it, nginx refuses this one, which holds no place then.
        const socket = connect(Number(port), hostname);
        socket.on("error", () => undefined).write(unfinished);
        waiting.push(socket);
        const answer = await fetch(`${nginx.url}/x`);
        return answer.status === 503 && waiting.length > 1 && answer;
      });
      expect([refused.headers.get("content-type"), await refused.json()]).toEqual([
        jsonType,
        errorBody("Service unavailable"),
      ]);
      for (const socket of waiting) socket.destroy();
      await waitUntil(async () => (await fetch(`${nginx.url}/x`)).status === 502);
    } finally {
      for (const socket of waiting) socket.destroy();
      await nginx.stop();
    }
  });
});

async function makeCertificate(folder: string, name: string): Promise<void> {
  const files = ["-keyout", join(folder, "tls.key"), "-out", join(folder, "tls.crt")];
  const options = ["-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", `/CN=${name}`];
  await promisify(execFile)("openssl", ["req", "-x509", ...options, ...files]);
}

/** The status of an answer over a connection of its own, and the name on the certificate of that. */
async function subjectOf(url: string): Promise<[string, string]> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${url}/metrics`, { rejectUnauthorized: false, agent: false }, resolve).on("error", reject);
  });
  const { socket } = response;
  const subject = socket instanceof TLSSocket ? String(socket.getPeerCertificate().subject.CN) : "";
  response.resume();
  return [String(response.statusCode), subject];
}
