import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { createClient, createServerWithMembers, postMessage, startStack } from "@parley/testing";
import { test } from "vitest";
import { WebSocket } from "ws";
const rss = async (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
test("measure", async () => {
  const stack = await startStack({ apis: 1, gateways: 1, automods: 1, webhookDispatchers: 1 });
  await pause(8000);
  for (const s of [...stack.apis, ...stack.gateways, ...stack.automods, ...stack.webhookDispatchers]) console.log("idle", s.name, (await rss(s.pid())).toFixed(0));
  const g = stack.gateways[0]!;
  const f = await createServerWithMembers(createClient(stack.edgeUrl), 60);
  const before = await rss(g.pid());
  const sockets: WebSocket[] = [];
  for (const m of f.members) {
    await Promise.all(Array.from({ length: 50 }, () => new Promise<void>((res, rej) => { const w = new WebSocket(`${g.url.replace("http", "ws")}/ws?token=${m.accessToken}`, { perMessageDeflate: false }); sockets.push(w); w.once("message", () => res()); w.once("error", rej); })));
  }
  await pause(5000);
  const after = await rss(g.pid());
  console.log("gateway", before.toFixed(0), "->", after.toFixed(0), "MB for", sockets.length, "=", ((after - before) * 1024 / sockets.length).toFixed(1), "KB each");
  for (let i = 0; i < 30; i++) await postMessage(f.owner, f.channel.id, "hello");
  await pause(3000);
  console.log("after fan-out", (await rss(g.pid())).toFixed(0), "api", (await rss(stack.apis[0]!.pid())).toFixed(0));
  for (const w of sockets) w.terminate();
  await stack.stop();
}, 200_000);
