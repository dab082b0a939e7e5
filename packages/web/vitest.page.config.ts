import { join } from "node:path";
import { findSystemProgram, installMissingPrograms } from "@parley/local-stack";
import { createFakeServerCheck, type FakeTraffic } from "@parley/testing/fake-server-check";
import { playwright } from "@vitest/browser-playwright";
import type { BrowserContextOptions } from "playwright";
import type { Plugin } from "vite";
import { defineProject } from "vitest/config";
import type { BrowserCommand } from "vitest/node";
import { pollIntervalMs, waitTimeoutMs } from "../../tools/testing/src/limits.js";

// The check reads the description when a page asks for it: other projects of a run do not wait for that.
let check: ReturnType<typeof createFakeServerCheck> | undefined;
function fakeServerCheck() {
  check ??= createFakeServerCheck(join(import.meta.dirname, "../api-description/generated/openapi.json"));
  return check;
}

const filesOfMessages = "**/api/files/**";
let releaseFiles = (): void => undefined;

/** Work that page tests leave to Node.js; the types are in src/page-stage/commands.ts. */
const commands = {
  describedEndpoints: () => fakeServerCheck().endpoints,
  problemsOf: (_context, traffic) => fakeServerCheck().problemsOf(traffic),
  emulateMedia: ({ page }, media) => page.emulateMedia(media),
  restMouse: ({ page }) => page.mouse.move(-1, -1),
  tap: ({ page }, x, y) => page.touchscreen.tap(x, y),
  holdFiles: async ({ page }, png) => {
    const body = Buffer.from(png, "base64");
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    releaseFiles = release;
    await page.route(filesOfMessages, async (route) => {
      await released;
      await route.fulfill({ contentType: "image/png", body });
    });
  },
  releaseFiles: () => releaseFiles(),
  forgetFiles: ({ page }) => page.unroute(filesOfMessages),
} satisfies Record<string, BrowserCommand<never[]>> & {
  problemsOf: BrowserCommand<[FakeTraffic]>;
  holdFiles: BrowserCommand<[string]>;
  tap: BrowserCommand<[number, number]>;
  emulateMedia: BrowserCommand<[{ colorScheme?: "dark" | "light"; reducedMotion?: "reduce" | "no-preference" }]>;
};

const stores = join(import.meta.dirname, "src/page-stage/zustand.ts");

/** Makes the application import the stores of page tests for zustand. */
const storesOfTests: Plugin = {
  name: "stores-of-page-tests",
  enforce: "pre",
  resolveId: (id, importer) => (id === "zustand" && importer !== stores ? stores : null),
};

/** The machine's Chromium. Where it cannot be installed only page tests fail, and say so. */
async function findChromium(): Promise<string> {
  try {
    await installMissingPrograms(["chromium"]);
    return await findSystemProgram("chromium");
  } catch (error) {
    process.stderr.write(`${String(error)}\n`);
    return "chromium";
  }
}

const touched = "src/**/*.touch.page.test.tsx";

/** Page tests: the whole application in Chromium, with a fake server (src/page-stage). */
export default defineProject(async () => {
  const executablePath = await findChromium();
  const chromium = (context: BrowserContextOptions = {}) =>
    playwright({
      launchOptions: { executablePath },
      contextOptions: { locale: "en-GB", permissions: ["clipboard-read", "clipboard-write"], ...context },
      actionTimeout: waitTimeoutMs,
    });
  return {
    root: import.meta.dirname,
    base: "/app/",
    plugins: [storesOfTests],
    // Modules that the first import would discover: the page would be loaded again in the middle of a test.
    optimizeDeps: { entries: ["src/main.tsx", "src/**/*-worker.ts", "src/page-stage/*.ts*", "src/**/*.page.test.tsx"] },
    test: {
      name: "page",
      include: ["src/**/*.page.test.tsx"],
      setupFiles: ["src/page-stage/setup.ts"],
      sequence: { groupOrder: 4 },
      // The application is loaded once: its modules are hundreds of files.
      isolate: false,
      fileParallelism: false,
      testTimeout: 180_000,
      hookTimeout: 180_000,
      expect: { poll: { timeout: waitTimeoutMs, interval: pollIntervalMs } },
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        provider: chromium(),
        viewport: { width: 1280, height: 800 },
        commands,
        instances: [
          { browser: "chromium" as const, name: "page (mouse)", exclude: [touched] },
          // Chromium cannot be a telephone and then a computer again: tests of touch have a browser of their own.
          {
            browser: "chromium" as const,
            name: "page (touch)",
            include: [touched],
            viewport: { width: 390, height: 844 },
            provider: chromium({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } }),
          },
        ],
      },
    },
  };
});
