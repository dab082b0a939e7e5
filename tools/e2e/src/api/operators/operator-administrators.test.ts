import { execFile } from "node:child_process";
import { join } from "node:path";
import { createClient, runContext, type SharedStack, sharedStack, type UserClient } from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createBotClient } from "../stages/admin-stage.js";

// The command that `deploy/parley admin` runs in the container of an api.

let stack: SharedStack;
let ann: UserClient;
beforeAll(async () => {
  stack = await sharedStack();
  ann = await createClient(stack.edgeUrl).register();
});

function operate(...args: string[]): Promise<{ code: number; output: string }> {
  const program = join(runContext().root, "services", "api", "dist", "administrators-main.js");
  const env = { PATH: process.env.PATH, DATABASE_URL: stack.databaseUrl };
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { env }, (error, stdout) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout }),
    );
  });
}
const statusAtEach = () =>
  Promise.all(
    stack.apis.map(
      async ({ url }) =>
        (await createClient(url).withAuthorization(`Bearer ${ann.accessToken}`).get("/admin/settings")).status,
    ),
  );

test("an operator makes an account administrator and takes the right away, in force at every api at once", async () => {
  const { username } = ann.user;
  // The last one stays.
  const other = await createClient(stack.edgeUrl).register();
  expect((await operate("add", other.user.username)).code).toBe(0);
  expect(new Set(await statusAtEach())).toEqual(new Set([403]));
  expect(await operate("add", username)).toEqual({ code: 0, output: `${username} is an administrator.\n` });
  expect(new Set(await statusAtEach())).toEqual(new Set([200]));
  expect((await operate("list")).output.split("\n")).toContain(username);
  expect((await operate("remove", username)).code).toBe(0);
  expect(new Set(await statusAtEach())).toEqual(new Set([403]));
});

test("an operator makes no administrator of a bot, of nobody, and of what is no name", async () => {
  const bot = await createBotClient(ann);
  const Username = z.object({ username: z.string() });
  const { username } = (await bot.client.get("/users/@me")).expect(200, Username);
  for (const name of [username, "nobody-has-this-name", "x' OR true --"]) {
    expect(await operate("add", name)).toEqual({ code: 1, output: expect.stringContaining("There is no account") });
  }
  for (const args of [[], ["add"], ["list", "all"], ["drop", username]]) {
    expect(await operate(...args)).toEqual({ code: 2, output: expect.stringContaining("usage: ") });
  }
  expect(new Set(await statusAtEach())).toEqual(new Set([403]));
});
