import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { IceServers } from "@parley/contracts";
import { type OwnedProcess, Refusal, startProcess } from "@parley/local-stack";
import { createClient, type EquippedStack, sharedStack, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** Programs of the Debian package coturn: the server, and a client that sends itself data through it. */
const server = "turnserver";
const probe = "turnutils_uclient";

const isInstalled = await runs(probe);
if (!isInstalled) process.stdout.write("Skipped: TURN credentials against coturn, which is not installed.\n");

let stack: EquippedStack;
let turn: OwnedProcess | undefined;
let folder: string | undefined;

beforeAll(async () => {
  if (!isInstalled) return;
  stack = await sharedStack();
  const { port, secret } = stack.turn;
  folder = await mkdtemp(join(tmpdir(), "parley-turn-"));
  const own = [
    "--use-auth-secret",
    `--static-auth-secret=${secret}`,
    "--realm=parley",
    `--userdb=${join(folder, "db")}`,
  ];
  const loopback = ["--listening-ip=127.0.0.1", "--relay-ip=127.0.0.1", "--allow-loopback-peers"];
  const quiet = ["-n", "--no-cli", "--no-tls", "--no-dtls", "--log-file=stdout", `--pidfile=${join(folder, "pid")}`];
  turn = await start(server, [...own, ...loopback, ...quiet, `--listening-port=${port}`]);
  const { lastLines } = turn;
  await waitUntil(() => lastLines().some((line) => line.includes("IO method (auth thread)")), { what: server });
});
afterAll(async () => {
  await turn?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

function start(command: string, args: readonly string[]): Promise<OwnedProcess> {
  return startProcess({ name: command, command, args, env: { PATH: process.env.PATH } });
}

async function runs(command: string): Promise<boolean> {
  try {
    await (await start(command, ["-h"])).exited;
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** Whether the TURN server lets somebody with these credentials send data through it. */
async function relays({ username, credential }: { username: string; credential: string }): Promise<boolean> {
  const one = ["-n", "1", "-m", "1", "-y", "-c", "-p", String(stack.turn.port)];
  const { exited, lastLines } = await start(probe, ["-u", username, "-w", credential, ...one, "127.0.0.1"]);
  const { code } = await exited;
  return code === 0 && lastLines().some((line) => line.includes("Total lost packets 0 "));
}

describe.skipIf(!isInstalled)("the TURN credentials of GET /ice-servers", () => {
  test("the TURN credentials of GET /ice-servers are accepted by coturn as they are, and in no other form", async () => {
    const ann = await createClient(stack.edgeUrl).register();
    const { iceServers } = (await ann.get("/ice-servers")).expect(200, IceServers.strict());
    const { username = "", credential = "" } = iceServers.find(({ urls }) => urls.startsWith("turn:")) ?? {};
    expect(await relays({ username, credential })).toBe(true);
    const longer = username.replace(/^\d+/, (expiry) => String(Number(expiry) + 60));
    expect(await relays({ username: longer, credential })).toBe(false);
    const other = `A${credential.slice(1)}`;
    expect(await relays({ username, credential: other === credential ? `B${credential.slice(1)}` : other })).toBe(
      false,
    );
  });
});
