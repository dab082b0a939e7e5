import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startStack, type TestStack, waitUntil } from "@parley/testing";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";

const program = join(import.meta.dirname, "..", "..", "dist", "main.js");

let stack: TestStack;
let sql: pg.Client;
let folder: string;
const running = new Set<ChildProcess>();
beforeAll(async () => {
  // Registrations as few as an installation lets through, but not as slowly.
  stack = await startStack({ env: { RATE_LIMIT_AUTH_RPS: "5", RATE_LIMIT_AUTH_BURST: "5" } });
  sql = new pg.Client({ connectionString: stack.databaseUrl });
  await sql.connect();
});
afterAll(async () => {
  await sql?.end();
  await stack?.stop();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-load-"));
});
afterEach(async () => {
  for (const child of running) child.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

/** The command as an operator runs it, in a folder of its own. */
function load(...options: string[]) {
  const child = spawn(process.execPath, [program, "load", ...options], { cwd: folder });
  running.add(child);
  const output = { text: "" };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output.text += chunk.toString();
    });
  }
  const exit = once(child, "close").then(([code]) => {
    running.delete(child);
    return { code: code as number | null, text: output.text };
  });
  return { child, output, exit };
}

/** Accounts with names and servers that are there. */
async function left() {
  const accounts = await sql.query("SELECT 1 FROM users WHERE username LIKE 'load\\_%'");
  const servers = await sql.query("SELECT 1 FROM servers WHERE name LIKE 'Load %'");
  return { accounts: accounts.rowCount, servers: servers.rowCount, files: (await readdir(folder)).length };
}
const hasWritten = async () => {
  const text = "SELECT 1 FROM messages JOIN users ON users.id = author_id WHERE username LIKE 'load\\_%' LIMIT 1";
  return (await sql.query(text)).rowCount === 1;
};
const nothing = { accounts: 0, servers: 0, files: 0 };
const timeout = 120_000;

test("measures what accounts of its own see of their messages, within the installation's limits, and deletes all of it", {
  timeout,
}, async () => {
  const sizes = ["--users", "12", "--server-size", "6", "--rate", "20", "--seconds", "2"];
  const { code, text } = await load("--url", stack.edgeUrl, ...sizes).exit;
  expect(text).toContain("| accounts | 12 in 2 servers, 12 of whom show the channel |");
  expect(text).toMatch(/\| connections \| 12 READY after .* none failed \|/);
  const [, sent, posted] = /\| messages \| (\d+) in 2 s \(20\/s asked for\); (none failed) \|/.exec(text) ?? [];
  expect(posted).toBe("none failed");
  expect(Number(sent)).toBeGreaterThanOrEqual(30);
  expect(text).toContain(`| messages at sockets | ${6 * Number(sent)}; lost 0, doubled 0 |`);
  expect(text).toMatch(/\| from POST to a socket \| p50 \d+ ms, p99 \d+ ms, slowest \d+ ms \|/);
  expect(Number(/(\d+) bytes each on the wire/.exec(text)?.[1])).toBeGreaterThan(50);
  expect(text).toContain("The limit of registrations is reached, and kept.");
  expect(code).toBe(0);
  expect(await left()).toEqual(nothing);
});

test("deletes all of it when it is interrupted while it writes", { timeout }, async () => {
  const { child, exit } = load("--url", stack.edgeUrl, "--users", "3", "--rate", "5", "--seconds", "600");
  await waitUntil(async () => await hasWritten(), { timeoutMs: 60_000 });
  expect(await left()).toEqual({ accounts: 3, servers: 1, files: 1 });
  child.kill("SIGINT");
  expect((await exit).code).toBe(130);
  expect(await left()).toEqual(nothing);
});

test("says what deletes the accounts of a run that was killed, and that does", { timeout }, async () => {
  const { child, output, exit } = load("--url", stack.edgeUrl, "--users", "3", "--seconds", "600");
  await waitUntil(async () => (await left()).servers === 1, { timeoutMs: 60_000 });
  child.kill("SIGKILL");
  await exit;
  const [, file = ""] = /load --cleanup (\S+)/.exec(output.text) ?? [];
  expect((await left()).accounts).toBeGreaterThan(0);
  expect((await load("--cleanup", file).exit).code).toBe(0);
  expect(await left()).toEqual(nothing);
});

test("deletes the rows that it made when it fails, and gives the reason", { timeout }, async () => {
  const { code, text } = await load("--url", stack.edgeUrl, "--users", "2", "--invite", "x".repeat(3), "--rate", "0")
    .exit;
  expect(code).toBe(1);
  expect(text).toContain("rate");
  expect(text).toContain("Usage: npm run bench -- load");
  await sql.query("UPDATE instance_settings SET registration_mode = 'closed'");
  const closed = await load("--url", stack.edgeUrl, "--users", "2").exit;
  expect(closed.code).not.toBe(0);
  expect(closed.text).toContain("Registration is currently closed");
  expect(await left()).toEqual(nothing);
});
