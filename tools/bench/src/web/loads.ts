import { setTimeout } from "node:timers/promises";
import type { Browser, Page } from "@parley/testing";
import { report } from "../measure.js";
import { openContext, reportTimes } from "./page.js";
import type { World } from "./world.js";

/** Bytes in KB, compressed, of all scripts that the page loads before it shows a message. */
const scriptGoalKb = 180;

/** Requests of a channel for a browser without any file of it, the connection included. */
const requestsGoal = 15;
const quietMs = 2_000;

/** Waits until nothing more is asked for. */
async function untilQuiet(asked: readonly string[]): Promise<void> {
  for (let before = -1; before !== asked.length; ) {
    before = asked.length;
    await setTimeout(quietMs);
  }
}

/** Each load has a browser context of its own, so nothing comes from the browser's cache. */
export async function measureLoads(browser: Browser, world: World, loads: number): Promise<void> {
  const times: number[] = [];
  let bytes = 0;
  let requests: string[] = [];
  // The first one warms the servers.
  for (let load = 0; load <= loads; load += 1) {
    const context = await openContext(browser, world, { viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    page.on("websocket", (socket) => asked.push(new URL(socket.url()).pathname));
    await page.goto(world.url + world.path(world.long));
    const time = await page.evaluate<number>("opened");
    if (load > 0) times.push(time);
    bytes = await scriptBytes(page);
    await untilQuiet(asked);
    requests = asked;
    await context.close();
  }
  report(`script of the first load   ${(bytes / 1024).toFixed(1)} KB compressed  (goal: ${scriptGoalKb} KB)`);
  report(`requests of the first load ${requests.length}  (goal: ${requestsGoal}; ${requests.join(" ")})`);
  reportTimes("navigation to channel", times, 1_000);
}

/** The bytes of the scripts that the page has loaded until now, as they were sent. */
const scriptBytes = (page: Page) =>
  page.evaluate<number>(`performance.getEntriesByType("resource")
    .filter(({ name }) => name.endsWith(".js"))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`);
