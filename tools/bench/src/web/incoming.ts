import type { Browser, Page } from "@parley/testing";
import { median, report } from "../measure.js";
import { openContext } from "./page.js";
import { busyMessages, type World } from "./world.js";

const goalMs = 6;
/** Between two messages, in milliseconds: each is rendered on its own. */
const pauseMs = 250;
const restMs = 2_000;
/** Messages that are measured together, beside as long a time without any. */
const blockMessages = 10;

/** What the main thread of a page spends on each message that comes to a channel with 200 loaded messages. */
export async function measureIncoming(browser: Browser, world: World, messages: number): Promise<void> {
  const context = await openContext(browser, world, { viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(world.url + world.path(world.busy));
  await page.getByRole("article").last().waitFor();
  await scrollThrough(page);
  const read = await readSpent(page);
  const spent = async (act: () => Promise<unknown>) => {
    const before = await read();
    for (let number = 0; number < blockMessages; number += 1) await Promise.all([act(), page.waitForTimeout(pauseMs)]);
    // A mark of what was read, and its event, follow the last message.
    await page.waitForTimeout(restMs);
    const after = await read();
    return parts.map((part) => after[part] - before[part]);
  };
  const blocks: number[][] = [];
  for (let block = 0; block < messages / blockMessages; block += 1) {
    const idle = await spent(async () => undefined);
    const busy = await spent(() => world.say(`Incoming ${performance.now().toFixed(3)} with **some** words`));
    blocks.push(busy.map((ms, part) => (ms - (idle[part] ?? 0)) / blockMessages));
  }
  const of = (part: number) => blocks.map((each) => each[part] ?? 0);
  const named = parts.map((part, index) => `${part} ${median(of(index)).toFixed(1)}`).join(", ");
  report(
    `incoming message           ${median(of(0)).toFixed(1)} ms of the main thread, least ${Math.min(...of(0)).toFixed(1)} ms  (${named}; goal: ${goalMs} ms)`,
  );
  await context.close();
}

const parts = ["Task", "Script", "Layout", "RecalcStyle"] as const;

/** Returns a function that reads what the main thread has spent so far, in milliseconds. */
async function readSpent(page: Page): Promise<() => Promise<Record<(typeof parts)[number], number>>> {
  const cdp = await page.context().newCDPSession(page);
  // The time of its processor, so that what runs beside does not count.
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await cdp.send("Performance.getMetrics");
    const of = (part: string) => 1_000 * (metrics.find(({ name }) => name === `${part}Duration`)?.value ?? 0);
    return { Task: of("Task"), Script: of("Script"), Layout: of("Layout"), RecalcStyle: of("RecalcStyle") };
  };
}

/** Has the page read all messages of the channel, and shows the newest again. */
async function scrollThrough(page: Page): Promise<void> {
  await page.mouse.move(640, 400);
  const first = page.getByRole("article").filter({ hasText: /Message 1\b/ });
  for (let turn = 0; turn < busyMessages && (await first.count()) === 0; turn += 1) {
    await page.mouse.wheel(0, -2_000);
    await page.waitForTimeout(50);
  }
  await page.mouse.wheel(0, 1_000_000);
  await page.getByText(`Message ${busyMessages} `).first().waitFor();
  await page.mouse.move(0, 0);
  await page.waitForTimeout(1_000);
}
