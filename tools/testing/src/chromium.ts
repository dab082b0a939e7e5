import { findSystemProgram } from "@parley/local-stack";
import type { Browser } from "playwright-core";

/** A test's needs of a browser beside the defaults. */
export interface ChromiumOptions {
  /** Camera and microphone are synthetic, and they and the page's own picture as screen are permitted unasked. */
  readonly fakeMedia?: boolean;
  /** Shows notifications and takes pushed messages. */
  readonly isWhole?: boolean;
  /** More arguments of Chromium's command line. */
  readonly args?: readonly string[];
}

const fakeMediaArguments = [
  "--use-fake-device-for-media-stream=device-count=2",
  "--use-fake-ui-for-media-stream",
  "--auto-accept-this-tab-capture",
];

/**
 * Starts the machine's Chromium without a window; call `close` in `afterAll`. A test without notifications gets the
 * smaller program. `npm test` installs both as it installs the servers. Throws a Refusal where that did not work, so a
 * test that needs a browser fails and is never skipped.
 */
export async function startChromium({
  fakeMedia = false,
  isWhole = false,
  args = [],
}: ChromiumOptions = {}): Promise<Browser> {
  // Loaded here, because most test files that import this package start no browser.
  const { chromium } = await import("playwright-core");
  return chromium.launch({
    executablePath: await findSystemProgram(isWhole ? "chromium" : "chromium-headless-shell"),
    args: [...(fakeMedia ? fakeMediaArguments : []), ...args],
  });
}

let shared: Promise<Browser> | undefined;

/** The browser that test files share which run one after the other in one process; it ends with the process. */
export function sharedChromium(): Promise<Browser> {
  shared ??= startChromium();
  return shared;
}
