import { createChannel, type Page, waitUntil } from "@parley/testing";
import { beforeAll, test } from "vitest";
import { type Conversation, openConversation, useWebStage, waitUntilGone } from "./web-stage.js";

const stage = useWebStage({}, { fakeMedia: true });
let talk: Conversation;

/** Keeps the connections of a page, so that their statistics can be read. */
const keepConnections = `
  globalThis.connections = [];
  globalThis.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(...options) {
      super(...options);
      connections.push(this);
    }
  };
  globalThis.received = async (kind, field) => {
    let sum = 0;
    for (const connection of connections.filter(({ connectionState }) => connectionState !== "closed")) {
      for (const stats of (await connection.getStats()).values()) {
        if (stats.type === "inbound-rtp" && stats.kind === kind) sum += stats[field] ?? 0;
      }
    }
    return sum;
  };
`;

beforeAll(async () => {
  talk = await openConversation(stage, { script: keepConnections });
});

const received = (page: Page, kind: "audio" | "video", field: string) =>
  page.evaluate<number>(`received("${kind}", "${field}")`);

/** Waits until more of it arrives. */
async function waitForMore(page: Page, kind: "audio" | "video", field: string): Promise<void> {
  const before = await received(page, kind, field);
  await waitUntil(async () => (await received(page, kind, field)) > before, {
    timeoutMs: 20_000,
    what: `more ${field} of ${kind}`,
  });
}

/** Waits until a video has a picture, and then the next one. */
const waitForFrames = (page: Page, label: string) =>
  waitUntil(
    () =>
      page.evaluate<boolean>(`(() => {
        const video = [...document.querySelectorAll("video")].find((each) => each.ariaLabel === ${JSON.stringify(label)});
        return video?.videoWidth > 0 && video.getVideoPlaybackQuality().totalVideoFrames > 2;
      })()`),
    { timeoutMs: 20_000, what: `frames of ${label}` },
  );

test("two people talk, show cameras and a screen in a voice channel, and leave it", async () => {
  const { ada, ben, adasPage, bensPage, server } = talk;
  await createChannel(ada, server.id, { name: "lounge", type: "voice" });
  for (const page of [adasPage, bensPage]) {
    await page.reload();
    await page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name: "lounge" }).click();
    await page.getByRole("region", { name: "Participants" }).getByRole("button", { name: "Join" }).click();
    await page.getByRole("region", { name: "Call" }).getByRole("button", { name: "Leave the call" }).waitFor();
  }
  for (const page of [adasPage, bensPage]) await waitForMore(page, "audio", "totalAudioEnergy");

  const controls = (page: Page) => page.getByRole("region", { name: "Participants" });
  await controls(adasPage).getByRole("button", { name: "Turn the camera on" }).click();
  await waitForMore(bensPage, "video", "framesDecoded");
  await waitForFrames(bensPage, `Camera of ${ada.username}`);
  await controls(bensPage).getByRole("button", { name: "Share a screen" }).click();
  await waitForMore(adasPage, "video", "framesDecoded");
  await waitForFrames(adasPage, `Screen of ${ben.username}`);
  await controls(bensPage).getByRole("button", { name: "Stop sharing" }).click();
  await waitUntilGone(adasPage.getByLabel(`Screen of ${ben.username}`));

  await controls(bensPage).getByRole("button", { name: "Mute", exact: true }).click();
  await controls(adasPage).getByRole("listitem").filter({ hasText: ben.username }).getByLabel("Muted").waitFor();

  await bensPage.getByRole("region", { name: "Call" }).getByRole("button", { name: "Leave the call" }).click();
  await waitUntilGone(bensPage.getByRole("region", { name: "Call" }));
  await waitUntilGone(controls(adasPage).getByRole("listitem").filter({ hasText: ben.username }));
  const open = "connections.filter(({ connectionState }) => connectionState !== 'closed').length";
  for (const page of [adasPage, bensPage]) await waitUntil(async () => (await page.evaluate(open)) === 0);
  await controls(adasPage).getByRole("button", { name: "Leave the call" }).click();
  await adasPage.getByText("Nobody is here yet.").waitFor();
  await waitUntil(async () => (await adasPage.evaluate(open)) === 0, { what: "the end of the connections" });
});
