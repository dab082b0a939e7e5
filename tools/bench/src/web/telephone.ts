import type { Browser, Page } from "@parley/testing";
import { median, report } from "../measure.js";
import { openContext, reportTimes } from "./page.js";
import type { World } from "./world.js";

const goalMs = 1_000;

/** The size and properties of the device. */
const device = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };
const processorSlowdown = 4;
/** 3G as Lighthouse has it for telephones: 1.6 Mbit/s down, 750 kbit/s up, and 150 ms for each request. */
const network = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
};

/**
 * A channel after navigation on a telephone with a slow processor and network: for a new visitor, and for a returning
 * one, whose browser has the files (the service worker's) and the stored copy of the last visit.
 */
export async function measureTelephone(browser: Browser, world: World, visits: number): Promise<void> {
  const first: Moments[] = [];
  for (let visit = 0; visit < visits; visit += 1) {
    const context = await openContext(browser, world, device);
    first.push(await open(await context.newPage(), world));
    await context.close();
  }
  reportMoments("telephone, first visit", first);

  const context = await openContext(browser, world, device);
  const page = await context.newPage();
  await page.goto(world.url + world.path(world.long));
  await page.getByRole("article").first().waitFor();
  // All files, the worker has taken the page over, and the page has stored its copy (src/state/seen/seen.ts waits two
  // seconds).
  await page.evaluate("navigator.serviceWorker.ready");
  await page.waitForTimeout(4_000);
  await page.close();
  const next: Moments[] = [];
  for (let visit = 0; visit < visits; visit += 1) {
    const opened = await context.newPage();
    next.push(await open(opened, world));
    await opened.close();
  }
  reportMoments("telephone, next visit", next);
  await context.close();
}

/** Times of a navigation's steps, in milliseconds since its beginning. */
interface Moments {
  scripts: number;
  asked: number;
  answered: number;
  drawn: number;
}

async function open(page: Page, { url, path, long }: World): Promise<Moments> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Network.enable");
  await cdp.send("Network.emulateNetworkConditions", network);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: processorSlowdown });
  await page.goto(url + path(long), { waitUntil: "commit" });
  return page.evaluate<Moments>(`(async () => {
    const drawn = await opened;
    const entries = performance.getEntriesByType("resource").filter(({ startTime }) => startTime < drawn);
    const scripts = entries.filter(({ name }) => /\\/(?:start|screens)-[^/]*\\.js$/.test(name));
    const [history] = entries.filter(({ name }) => name.includes("/channels/${long.id}/messages?"));
    return {
      scripts: Math.max(...scripts.map(({ responseEnd }) => responseEnd)),
      asked: history?.startTime ?? 0,
      answered: history?.responseEnd ?? 0,
      drawn,
    };
  })()`);
}

function reportMoments(what: string, moments: readonly Moments[]): void {
  reportTimes(
    what,
    moments.map(({ drawn }) => drawn),
    goalMs,
  );
  const at = (name: keyof Moments) => median(moments.map((each) => each[name])).toFixed(0);
  report(`  scripts at ${at("scripts")} ms, history asked for at ${at("asked")} ms, answered at ${at("answered")} ms`);
}
