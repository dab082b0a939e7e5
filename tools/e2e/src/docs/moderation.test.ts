import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { Channel } from "@parley/contracts";
import { createClient, joinServer, runContext, sharedStack } from "@parley/testing";
import { expect, test } from "vitest";
import { z } from "zod";

const run = promisify(execFile);
const { root, folder } = runContext();

test("what docs/guides/moderating.md says closes a community's team, asks newcomers to wait, and stops what its rules name", async () => {
  const stack = await sharedStack();
  const page = await readFile(join(root, "docs", "guides", "moderating.md"), "utf8");
  const script = [...page.matchAll(/```js\n([\s\S]*?)```/g)].map(([, block]) => block).join("\n");
  const place = await mkdtemp(join(folder, "community-"));
  await mkdir(join(place, "node_modules", "@parley"), { recursive: true });
  await symlink(join(root, "packages", "client"), join(place, "node_modules", "@parley", "client"));
  const told = "\nconsole.log(JSON.stringify({ serverId: server.id, generalId: general.id, matches }));\n";
  await writeFile(join(place, "community.mjs"), script.replaceAll("http://localhost:8080", stack.edgeUrl) + told);
  const { stdout } = await run(process.execPath, ["community.mjs"], { cwd: place });
  const { serverId, generalId, matches } = Told.parse(JSON.parse(stdout.trim().split("\n").at(-1) ?? ""));
  expect(matches).toMatchObject([{ term: "blunderbuss" }]);

  const newcomer = await createClient(stack.edgeUrl).register();
  await joinServer(newcomer, serverId);
  const channels = (await newcomer.get(`/servers/${serverId}/channels`)).expect(200, z.array(Channel));
  expect(channels.map(({ name }) => name).sort()).toEqual(["general", "news"]);
  const refused = await newcomer.post(`/channels/${generalId}/messages`, { content: "Hello" });
  expect(refused).toMatchObject({ status: 403, body: { error: "New members of this server cannot write yet" } });
});

const Told = z.object({
  serverId: z.string(),
  generalId: z.string(),
  matches: z.array(z.object({ term: z.string() })),
});
