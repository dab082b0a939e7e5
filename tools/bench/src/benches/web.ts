import { findFreePort, readApplication, startEdge } from "@parley/local-stack";
import type { Browser, Page } from "@parley/testing";
import { startChromium } from "@parley/testing/chromium";
import { z } from "zod";
import { bench } from "../bench.js";
import { report } from "../measure.js";
import { root, withStack } from "../stack.js";
import { measureIncoming } from "../web/incoming.js";
import { measureLoads } from "../web/loads.js";
import { openContext, reportTimes } from "../web/page.js";
import { measureTelephone } from "../web/telephone.js";
import { createWorld, messages, type World } from "../web/world.js";

const scrollMs = 6_000;
/** Pixels per second. */
const scrollSpeed = 3_000;

/**
 * The waits of a user at a browser: for the script of the first load, for a channel after navigation, on a telephone,
 * too, and after a click, and frames while scrolling through a long history.
 */
export default bench(
  {
    sizes: { loads: 7, visits: 5, switches: 30, incoming: 60 },
    quick: { loads: 1, visits: 1, switches: 4, incoming: 10 },
    words: ["incoming", "loads"],
  },
  async ({ loads, visits, switches, incoming }, words) => {
    const runs = (part: string) => words.length === 0 || words.includes(part);
    const browser = await startChromium();
    await withStack({}, async (stack) => {
      const [api, gateway] = [await stack.start("api"), await stack.start("gateway")];
      const edge = await startEdge({
        hosts: ["127.0.0.1"],
        port: await findFreePort(),
        apis: () => [api.url],
        gateways: () => [gateway.url],
        application: await readApplication(root),
      });
      const world = await createWorld(stack, `http://127.0.0.1:${edge.port}`);
      if (runs("loads")) await measureLoads(browser, world, loads);
      if (runs("incoming")) await measureIncoming(browser, world, incoming);
      if (words.length > 0) return edge.close();
      await measureTelephone(browser, world, visits);
      const context = await openContext(browser, world, { viewport: { width: 1280, height: 800 } });
      const page = await context.newPage();
      await page.goto(world.url + world.path(world.long));
      await page.getByRole("article").first().waitFor();
      await measureSwitches(page, world, switches);
      await measureScrolling(browser, page);
      await edge.close();
    }).finally(() => browser.close());
  },
);

async function measureSwitches(page: Page, { long, short }: World, switches: number): Promise<void> {
  const times: number[] = [];
  for (let count = 0; count < switches; count += 1) {
    const [target, text] = count % 2 === 0 ? [short, "Reply 60"] : [long, `Message ${messages} `];
    await page.evaluate(`addEventListener("click", ({ timeStamp }) => {
      globalThis.switched = drawn(${JSON.stringify(text)}).then((at) => at - timeStamp);
    }, { once: true, capture: true })`);
    await page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name: target.name }).click();
    const time = await page.evaluate<number>("switched");
    // Both channels are opened once before.
    if (count > 1) times.push(time);
  }
  reportTimes("click to other channel", times, 100);
}

/** Scrolls up through the history as with a finger on a wheel, and counts the frames that the compositor drew. */
async function measureScrolling(browser: Browser, page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await browser.startTracing(page, {
    categories: ["disabled-by-default-devtools.timeline.frame", "devtools.timeline.frame"],
  });
  // Made by Chromium itself: a wheel turned by single commands waits for the answer to each.
  await cdp.send("Input.synthesizeScrollGesture", {
    x: 640,
    y: 400,
    yDistance: (scrollSpeed * scrollMs) / 1_000,
    speed: scrollSpeed,
    gestureSourceType: "mouse",
    preventFling: true,
  });
  const trace = await browser.stopTracing();
  const { frames, seconds, dropped } = drawnFrames(trace);
  const shown = await page.getByRole("article").first().textContent();
  report(
    `scrolling ${messages} messages  ${(frames / seconds).toFixed(1)} frames/s, ${dropped} dropped in ${seconds.toFixed(1)} s  (goal: 60; arrived at ${/Message \d+/.exec(shown ?? "")?.[0] ?? "nothing"})`,
  );
}

const Trace = z.object({ traceEvents: z.array(z.object({ name: z.string(), ts: z.number().default(0) })) });

/** The frames in a trace of Chromium: how many were drawn and dropped, from the first to the last of them. */
function drawnFrames(trace: Uint8Array): { frames: number; dropped: number; seconds: number } {
  const { traceEvents } = Trace.parse(JSON.parse(Buffer.from(trace).toString("utf8")));
  const drawn = traceEvents.filter(({ name }) => name === "DrawFrame").map(({ ts }) => ts);
  const dropped = traceEvents.filter(({ name }) => name === "DroppedFrame").length;
  const [first, last] = [Math.min(...drawn), Math.max(...drawn)];
  return { frames: drawn.length - 1, dropped, seconds: (last - first) / 1_000_000 };
}
