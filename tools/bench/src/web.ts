import { AuthResponse, Channel, Server } from "@parley/contracts";
import { findFreePort, readApplication, startEdge } from "@parley/local-stack";
import type { Browser, Page } from "@parley/testing";
import { startChromium } from "@parley/testing/chromium";
import { z } from "zod";
import { median, report } from "./measure.js";
import { createPoster } from "./poster.js";
import { type BenchStack, root, withStack } from "./stack.js";

const messages = 10_000;
const loads = 7;
const switches = 30;
const scrollMs = 6_000;
/** Pixels per second. */
const scrollSpeed = 3_000;

interface World {
  url: string;
  tokens: { accessToken: string; refreshToken: string };
  path: (channel: Channel) => string;
  long: Channel;
  short: Channel;
}

/**
 * What somebody at a browser waits for: the script of the first load, a channel after navigation and after a click, and
 * frames while scrolling through a long history.
 */
export async function benchWeb(): Promise<void> {
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
    await measureLoads(browser, world);
    const page = await openPage(browser, world);
    await page.goto(world.url + world.path(world.long));
    await page.getByRole("article").first().waitFor();
    await measureSwitches(page, world);
    await measureScrolling(browser, page);
    await edge.close();
  }).finally(() => browser.close());
}

async function createWorld(stack: BenchStack, url: string): Promise<World> {
  const post = createPoster(`${url}/api`);
  const { access_token, refresh_token, user } = AuthResponse.parse(
    await post("/auth/register", { username: "bench", password: "benchmark" }),
  );
  const auth = { authorization: `Bearer ${access_token}` };
  const server = Server.parse(await post("/servers", { name: "bench" }, auth));
  const create = async (name: string) => Channel.parse(await post(`/servers/${server.id}/channels`, { name }, auth));
  const [long, short] = [await create("long"), await create("short")];
  await stack.pool.query(
    `INSERT INTO messages (channel_id, server_id, author_id, content)
      SELECT $1, $2, $3, 'Message ' || n || ' ' || repeat('with **some** words of \`text\` ', 1 + n % 7)
      FROM generate_series(1, $4::int) n`,
    [long.id, server.id, user.id, messages],
  );
  for (let number = 1; number <= 60; number += 1) {
    await post(`/channels/${short.id}/messages`, { content: `Reply ${number}` }, auth);
  }
  return {
    url,
    tokens: { accessToken: access_token, refreshToken: refresh_token },
    path: ({ id, server_id }) => `/app/servers/${server_id}/channels/${id}`,
    long,
    short,
  };
}

async function openPage(browser: Browser, { url, tokens }: World): Promise<Page> {
  const localStorage = [{ name: "parley.tokens", value: JSON.stringify(tokens) }];
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    storageState: { cookies: [], origins: [{ origin: url, localStorage }] },
  });
  await context.addInitScript(noteFirst);
  return await context.newPage();
}

/** Notes when a message is drawn for the first time, in milliseconds since the navigation or click. */
const noteFirst = `
  globalThis.drawn = (wanted) => new Promise((resolve) => {
    const look = () => {
      const row = [...document.querySelectorAll("article")].find(({ textContent }) => textContent.includes(wanted));
      if (row === undefined) requestAnimationFrame(look);
      // After the frame that shows it.
      else requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    };
    look();
  });
  globalThis.opened = drawn("");
`;

/** Each load has a browser context of its own, so nothing comes from the browser's cache. */
async function measureLoads(browser: Browser, world: World): Promise<void> {
  const times: number[] = [];
  let bytes = 0;
  // The first one warms the servers.
  for (let load = 0; load <= loads; load += 1) {
    const page = await openPage(browser, world);
    await page.goto(world.url + world.path(world.long));
    const time = await page.evaluate<number>("opened");
    if (load > 0) times.push(time);
    bytes = await page.evaluate<number>(`performance.getEntriesByType("resource")
      .filter(({ name }) => name.endsWith(".js"))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`);
    await page.context().close();
  }
  report(`script of the first load   ${(bytes / 1024).toFixed(1)} KB compressed  (goal: 250 KB)`);
  reportTimes("navigation to channel", times, 1_000);
}

async function measureSwitches(page: Page, { long, short }: World): Promise<void> {
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

function reportTimes(what: string, times: readonly number[], goalMs: number): void {
  report(
    `${what.padEnd(26)} ${median(times).toFixed(0)} ms  slowest ${Math.max(...times).toFixed(0)} ms  (median of ${times.length}; goal: ${goalMs} ms)`,
  );
}

/** Scrolls up through the history as with a finger on a wheel, and counts what the compositor drew. */
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

/** What a trace of Chromium says of the frames: how many were drawn and dropped, from the first to the last of them. */
function drawnFrames(trace: Uint8Array): { frames: number; dropped: number; seconds: number } {
  const { traceEvents } = Trace.parse(JSON.parse(Buffer.from(trace).toString("utf8")));
  const drawn = traceEvents.filter(({ name }) => name === "DrawFrame").map(({ ts }) => ts);
  const dropped = traceEvents.filter(({ name }) => name === "DroppedFrame").length;
  const [first, last] = [Math.min(...drawn), Math.max(...drawn)];
  return { frames: drawn.length - 1, dropped, seconds: (last - first) / 1_000_000 };
}
