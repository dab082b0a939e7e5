import { findSystemProgram } from "@parley/local-stack";
import type { Browser } from "playwright-core";

/** A mouse: without a screen, Firefox finds no pointer, and hides what appears under one. Fine is 2, hover 4. */
const mousePreferences = { "ui.primaryPointerCapabilities": 6, "ui.allPointerCapabilities": 6 };

/** A synthetic camera and microphone, permitted unasked; pages may play sound before a click, as in Chromium's tests. */
const fakeMediaPreferences = {
  "media.navigator.streams.fake": true,
  "media.navigator.permission.disabled": true,
  "media.autoplay.default": 0,
  // A loudspeaker: on a machine without one, no AudioContext runs.
  "media.cubeb.force_mock_context": true,
  // Names of the local network in place of addresses need a multicast DNS, which test machines lack.
  "media.peerconnection.ice.obfuscate_host_addresses": false,
  "media.peerconnection.ice.loopback": true,
};

/**
 * Starts the machine's Firefox without a window, with synthetic camera and microphone; call `close` in `afterAll`.
 * `npm test` installs it as it installs Chromium. It is driven by WebDriver BiDi, so that stock versions will do. Not
 * possible with it: colour schemes, permissions of a context, a shared screen. Throws a Refusal without Firefox.
 */
export async function startFirefox(): Promise<Browser> {
  // Loaded here, because most test files that import this package start no browser.
  const { firefox } = await import("playwright-core");
  return firefox.launch({
    // The channel selects BiDi; without one, Playwright expects its own build of Firefox.
    channel: "moz-firefox",
    executablePath: await findSystemProgram("firefox"),
    firefoxUserPrefs: { ...mousePreferences, ...fakeMediaPreferences },
  });
}
