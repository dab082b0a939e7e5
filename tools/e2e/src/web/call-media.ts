import { type Page, waitUntil } from "@parley/testing";

/** Keeps the connections of a page, so that their statistics can be read; to be run before the page's own scripts. */
export const keepConnections = `
  globalThis.connections = [];
  globalThis.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(...options) {
      super(...options);
      connections.push(this);
    }
  };
  globalThis.openConnections = () => connections.filter(({ signalingState }) => signalingState !== "closed");
  globalThis.received = async (kind, field) => {
    let sum = 0;
    for (const connection of openConnections()) {
      for (const stats of (await connection.getStats()).values()) {
        if (stats.type === "inbound-rtp" && stats.kind === kind) sum += stats[field] ?? 0;
      }
    }
    return sum;
  };
`;

const mediaTimeoutMs = 30_000;

/** The media that a page has received over its open connections: a field of `inbound-rtp`. */
export const received = (page: Page, kind: "audio" | "video", field: string) =>
  page.evaluate<number>(`received("${kind}", "${field}")`);

/** Waits until more of it arrives: by `least`, or by anything. */
export async function waitForMore(page: Page, kind: "audio" | "video", field: string, least = 0): Promise<void> {
  const before = await received(page, kind, field);
  await waitUntil(async () => (await received(page, kind, field)) - before > least, {
    timeoutMs: mediaTimeoutMs,
    what: `more ${field} of ${kind}`,
  });
}

/** Waits until a video has a picture, and goes on playing. */
export async function waitForFrames(page: Page, label: string): Promise<void> {
  const time = () =>
    page.evaluate<number>(`(() => {
      const video = [...document.querySelectorAll("video")].find((each) => each.ariaLabel === ${JSON.stringify(label)});
      return video?.videoWidth > 0 ? video.currentTime : 0;
    })()`);
  const first = await waitUntil(async () => (await time()) || false, {
    timeoutMs: mediaTimeoutMs,
    what: `frames of ${label}`,
  });
  await waitUntil(async () => (await time()) > first, { timeoutMs: mediaTimeoutMs, what: `more frames of ${label}` });
}

/** The stage of the voice channel. */
export const stageOf = (page: Page) => page.getByRole("region", { name: "Participants" });

/** The part of the stage that has the room. */
export const largeTiles = (page: Page) => stageOf(page).getByRole("list", { name: "On stage" });

/** The tile of a participant in the stage, not that of their screen. */
export const personTile = (page: Page, username: string) =>
  stageOf(page).getByRole("listitem").filter({ hasText: username, hasNotText: "Screen of" });

/** The mark of a participant who speaks, in the stage. */
export const speakingMark = (page: Page, username: string) => personTile(page, username).getByLabel("Speaking");

/** Opens a voice channel from the list, and joins the call in it. */
export async function joinCall(page: Page, channel: string): Promise<void> {
  await page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name: channel }).click();
  await stageOf(page).getByRole("button", { name: "Join" }).click();
  await stageOf(page).getByRole("button", { name: "Leave the call" }).waitFor();
  await page.getByRole("region", { name: "Call" }).waitFor();
}

/** Waits until a picture has most of the window of a desktop, which it shares with the lists and the small tiles. */
export async function waitUntilItFills(page: Page, label: string): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: Infinity, height: Infinity };
  await waitUntil(
    async () => {
      const video = await page.getByLabel(label, { exact: true }).boundingBox();
      return video !== null && video.width > width * 0.65 && video.height > height * 0.6;
    },
    { timeoutMs: mediaTimeoutMs, what: `${label} over the stage` },
  );
}
