import { execFile } from "node:child_process";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient, createServerWithMembers, postMessage, runContext, sharedStack } from "@parley/testing";
import { expect, test } from "vitest";
import { z } from "zod";

// The program of a rehearsal that repeats requests, against a stack instead of the copy of an installation.

const stack = await sharedStack();
const { root, folder } = runContext();
const Claims = z.object({ ver: z.int().default(0) });

test("a rehearsal reads in the name of users and writes a message, with a secret that is a file", async () => {
  const secret = join(await mkdtemp(join(folder, "secret-")), "jwt_secret");
  await writeFile(secret, `${stack.jwtSecret}\n`);
  const { code, output } = await repeatRequests({ JWT_SECRET: `file(${secret})` });
  expect([code, output]).toEqual([
    0,
    expect.stringMatching(/^requests: 1 of the last minute and 3 more, 4 answered, 0 refused, 0 failed;/),
  ]);
  expect(output).toMatch(/^a message was written, received after \d+ ms, edited and deleted$/m);
});

test("a rehearsal with a secret that is not the installation's says that its requests are refused, and fails", async () => {
  const { code, output } = await repeatRequests({ JWT_SECRET: "0".repeat(32) });
  expect([code, output]).toEqual([1, expect.stringMatching(/^requests: .*, 0 answered, 4 refused \(.* 401 ×1/)]);
  expect(output).toMatch(/^a message: \/ws refused the connection$/m);
});

async function repeatRequests(settings: Record<string, string>): Promise<{ code: unknown; output: string }> {
  const { owner, server, channel } = await createServerWithMembers(createClient(stack.edgeUrl), 0);
  await postMessage(owner, channel.id, "the last one");
  const claims = Buffer.from(owner.accessToken.split(".")[1] ?? "", "base64url").toString();
  const { ver } = Claims.parse(JSON.parse(claims));
  const lines = [
    { user: owner.user.id, session: ver, channel: channel.id, server: server.id },
    { method: "GET", path: `/servers/${server.id}`, status: 200, seconds: 0.01 },
  ];
  const program = await readFile(join(root, "deploy", "operations", "rehearsal.mjs"), "utf8");
  return new Promise((resolve) => {
    // Node.js 20 has WebSocket by this option alone; the images have a newer one.
    const args = ["--experimental-websocket", "--input-type=module", "--eval", program, stack.edgeUrl];
    const child = execFile(
      process.execPath,
      args,
      { env: { PATH: process.env.PATH, ...settings } },
      (error, out, err) => resolve({ code: error?.code ?? 0, output: out + err }),
    );
    child.stdin?.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  });
}
