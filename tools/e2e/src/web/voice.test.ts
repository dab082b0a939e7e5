import type { Channel } from "@parley/contracts";
import { createChannel, type Page, waitUntil } from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import { findingsInBothSchemes } from "./barriers.js";
import {
  joinCall,
  keepConnections,
  largeTiles,
  personTile,
  received,
  speakingMark,
  stageOf,
  waitForFrames,
  waitForMore,
  waitUntilItFills,
} from "./call-media.js";
import { type Conversation, openConversation, useWebStage, waitForCount, waitUntilGone } from "./web-stage.js";

const stage = useWebStage({ fakeMedia: true });
let talk: Conversation;
let lounge: Channel;

beforeAll(async () => {
  talk = await openConversation(stage, { script: keepConnections });
  const { ada, adasPage, bensPage, server } = talk;
  lounge = await createChannel(ada, server.id, { name: "lounge", type: "voice" });
  for (const page of [adasPage, bensPage]) {
    await page.reload();
    await joinCall(page, "lounge");
  }
  for (const page of [adasPage, bensPage]) await waitForMore(page, "audio", "totalAudioEnergy");
});

const callOf = (page: Page) => page.getByRole("region", { name: "Call" });
const members = (page: Page) => page.getByRole("navigation", { name: "Channels" }).getByRole("listitem");
const settingsOf = (page: Page) => page.getByRole("dialog", { name: "Voice and video" });

async function openSettings(page: Page) {
  await stageOf(page).getByRole("button", { name: "Voice settings" }).click();
  await settingsOf(page).waitFor();
  return settingsOf(page);
}

async function closeSettings(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await waitUntilGone(settingsOf(page));
}

/** Energy of the sound that a page receives in the next two seconds of it: some beeps of the synthetic microphone. */
async function energyOfNextSound(page: Page): Promise<number> {
  const before = await received(page, "audio", "totalAudioEnergy");
  await waitForMore(page, "audio", "totalSamplesDuration", 2);
  return (await received(page, "audio", "totalAudioEnergy")) - before;
}

/** Sound that is in the buffers when a microphone is closed still arrives. */
const quiet = (page: Page) => waitUntil(async () => (await energyOfNextSound(page)) < 1e-6, { what: "silence" });

test("a shared screen takes the stage, can be left for everybody and comes back, and goes over the whole screen", async () => {
  const { ada, ben, adasPage, bensPage } = talk;
  await stageOf(adasPage).getByRole("button", { name: "Turn the camera on" }).click();
  await waitForMore(bensPage, "video", "framesDecoded");
  await waitForFrames(bensPage, `Camera of ${ada.username}`);
  // Alone with her, Ben sees her large, and himself small.
  await waitUntilItFills(bensPage, `Camera of ${ada.username}`);

  const screen = `Screen of ${ben.username}`;
  await stageOf(bensPage).getByRole("button", { name: "Share a screen" }).click();
  await waitForFrames(adasPage, screen);
  await waitUntilItFills(adasPage, screen);
  await waitForCount(largeTiles(adasPage).getByRole("listitem"), 1);

  await largeTiles(adasPage).getByRole("button", { name: "Back to everyone" }).click();
  await waitForCount(largeTiles(adasPage).getByRole("listitem"), 2);
  await stageOf(adasPage)
    .getByRole("button", { name: `Enlarge: ${screen}` })
    .press("Enter");
  await waitUntilItFills(adasPage, screen);

  await largeTiles(adasPage).getByRole("listitem").hover();
  await largeTiles(adasPage).getByRole("button", { name: "Full screen" }).click();
  const full = `document.fullscreenElement?.querySelector("video")?.ariaLabel`;
  await waitUntil(async () => (await adasPage.evaluate(full)) === screen, { what: "the screen over everything" });
  await adasPage.getByRole("button", { name: "Leave full screen" }).click();
  await waitUntil(async () => (await adasPage.evaluate("document.fullscreenElement")) === null);

  await stageOf(bensPage).getByRole("button", { name: "Stop sharing" }).click();
  await waitUntilGone(adasPage.getByLabel(screen, { exact: true }));
  await largeTiles(adasPage).getByRole("listitem").filter({ hasText: ben.username }).waitFor();
});

// The other screens are in packages/web/src/screens/accessibility.page.test.tsx.
test("axe finds nothing in a running call", async () => {
  await personTile(talk.adasPage, talk.ada.username).waitFor();
  expect(await findingsInBothSchemes(talk.adasPage)).toEqual([]);
});

test("who speaks is marked in the stage and in the list of channels, until they are muted", async () => {
  const { ada, ben, adasPage, bensPage } = talk;
  await speakingMark(adasPage, ben.username).waitFor();
  await speakingMark(adasPage, ada.username).waitFor();
  await members(adasPage).filter({ hasText: ben.username }).getByLabel("Speaking").first().waitFor();
  await stageOf(bensPage).getByRole("button", { name: "Mute", exact: true }).click();
  await personTile(adasPage, ben.username).getByLabel("Muted", { exact: true }).waitFor();
  await quiet(adasPage);
  await waitForCount(speakingMark(adasPage, ben.username), 0);
  await stageOf(bensPage).getByRole("button", { name: "Unmute" }).click();
  await speakingMark(adasPage, ben.username).waitFor();
});

test("a participant with push to talk is heard while they press the key or the button", async () => {
  const { ada, adasPage, bensPage } = talk;
  await speakingMark(bensPage, ada.username).waitFor();
  const settings = await openSettings(adasPage);
  await settings.getByLabel("Only send my voice while I hold a key").check();
  await settings.getByRole("button", { name: /^Key: F8/ }).click();
  await adasPage.keyboard.press("Escape");
  await settings.getByRole("button", { name: /^Key: F8/ }).click();
  await adasPage.keyboard.press("F9");
  await settings.getByRole("button", { name: /^Key: F9/ }).waitFor();
  await closeSettings(adasPage);
  await quiet(bensPage);
  await waitForCount(speakingMark(bensPage, ada.username), 0);

  await adasPage.keyboard.down("F9");
  await speakingMark(bensPage, ada.username).waitFor();
  await adasPage.keyboard.up("F9");
  await quiet(bensPage);

  await stageOf(adasPage).getByRole("button", { name: "Hold to talk (F9)" }).hover();
  await adasPage.mouse.down();
  await speakingMark(bensPage, ada.username).waitFor();
  await adasPage.mouse.up();
  await quiet(bensPage);

  await (await openSettings(adasPage)).getByLabel("Only send my voice while I hold a key").uncheck();
  await closeSettings(adasPage);
  await speakingMark(bensPage, ada.username).waitFor();
});

test("microphone, camera and speakers are changed in the middle of the call", async () => {
  const { ada, adasPage, bensPage } = talk;
  const sent = (kind: string) =>
    adasPage.evaluate<string[]>(
      `openConnections().flatMap((each) => each.getSenders()).flatMap(({ track }) => track?.kind === "${kind}" ? track.label : [])`,
    );
  const connections = await adasPage.evaluate("connections.length");
  const settings = await openSettings(adasPage);
  const choose = async (name: string, before: readonly string[]) => {
    const choice = settings.getByLabel(name, { exact: true });
    const labels = await choice.getByRole("option").allTextContents();
    const other = labels.findLast((label) => !before.includes(label) && label !== "System default");
    if (other === undefined) throw new Error(`There is no other device among ${labels.join()}.`);
    await choice.selectOption({ label: other });
    return other;
  };
  const microphone = await choose("Microphone", await sent("audio"));
  await waitUntil(async () => (await sent("audio")).includes(microphone), { what: `${microphone} being sent` });
  await waitForMore(bensPage, "audio", "totalAudioEnergy");
  const camera = await choose("Camera", await sent("video"));
  await waitUntil(async () => (await sent("video")).includes(camera), { what: `${camera} being sent` });
  await waitForFrames(adasPage, `Camera of ${ada.username}`);
  // Chromium encodes nothing of its second synthetic camera, so arriving video shows the first one again.
  await settings.getByLabel("Camera", { exact: true }).selectOption("");
  await waitUntil(async () => !(await sent("video")).includes(camera), { what: "the first camera being sent" });
  await waitForMore(bensPage, "video", "framesDecoded");
  await choose("Speakers", []);
  const outputs = `[...document.querySelectorAll("audio")].every(({ sinkId }) => sinkId !== "")`;
  await waitUntil(() => adasPage.evaluate<boolean>(outputs), { what: "sound in the chosen speakers" });
  expect(await adasPage.evaluate("connections.length")).toBe(connections);

  await settings.getByRole("button", { name: "Test the microphone" }).click();
  const level = settings.getByRole("meter", { name: "Microphone level" });
  await waitUntil(async () => Number(await level.getAttribute("value")) > 0, { what: "a level of the microphone" });
  await closeSettings(adasPage);
});

test("one participant is made quieter, or muted, for oneself alone", async () => {
  const { ben, adasPage, bensPage } = talk;
  const sound = () =>
    adasPage.evaluate<[number, boolean]>(
      `(({ volume, muted }) => [Math.round(volume * 100), muted])(document.querySelector("audio[data-user='${ben.user.id}']"))`,
    );
  const is = (volume: number, isMuted: boolean) =>
    waitUntil(async () => JSON.stringify(await sound()) === JSON.stringify([volume, isMuted]), {
      what: `a volume of ${volume}`,
    });
  await is(100, false);
  const name = `Volume of ${ben.username}`;
  await personTile(adasPage, ben.username).hover();
  await personTile(adasPage, ben.username).getByRole("button", { name }).click();
  const card = adasPage.getByRole("dialog", { name });
  await card.getByRole("slider").fill("40");
  await is(40, false);
  await card.getByLabel("Mute for me").check();
  await is(40, true);
  await card.getByLabel("Mute for me").uncheck();
  await adasPage.keyboard.press("Escape");
  await waitUntilGone(card);
  const settings = await openSettings(adasPage);
  await settings.getByLabel("Volume of all calls").fill("50");
  await is(20, false);
  await closeSettings(adasPage);
  await waitForMore(adasPage, "audio", "totalAudioEnergy");
  await waitForMore(bensPage, "audio", "totalAudioEnergy");
});

test("the mark of a live stream leads to it", async () => {
  const { ben, adasPage, bensPage } = talk;
  await stageOf(bensPage).getByRole("button", { name: "Go live" }).click();
  const screen = `Screen of ${ben.username}`;
  await waitUntilItFills(adasPage, screen);
  await largeTiles(adasPage).getByRole("button", { name: "Back to everyone" }).click();
  const list = adasPage.getByRole("navigation", { name: "Channels" });
  await list.getByRole("link", { name: "general" }).click();
  await waitUntilGone(stageOf(adasPage));
  await list.getByRole("link", { name: `Watch ${ben.username}’s stream` }).click();
  await waitUntilItFills(adasPage, screen);
  await waitForCount(largeTiles(adasPage).getByRole("listitem"), 1);
  await stageOf(bensPage).getByRole("button", { name: "Stop sharing" }).click();
  await waitUntilGone(adasPage.getByLabel(screen, { exact: true }));
});

test("a call follows a moderator's move, there and back", async () => {
  const { ada, ben, adasPage, bensPage, server } = talk;
  const terrace = await createChannel(ada, server.id, { name: "terrace", type: "voice" });
  for (const { id, name } of [terrace, lounge]) {
    const moved = await ada.patch(`/servers/${server.id}/members/${ben.user.id}/voice`, { channel_id: id });
    expect(moved.status).toBe(200);
    await callOf(bensPage).getByText(name).waitFor();
    await joinCall(adasPage, name);
    for (const page of [adasPage, bensPage]) await waitForMore(page, "audio", "totalAudioEnergy");
  }
});

test("a user without a microphone learns why and tries again, and leaving ends the call", async () => {
  const { ben, adasPage, bensPage } = talk;
  const open = "openConnections().length";
  await stageOf(bensPage).getByRole("button", { name: "Leave the call" }).click();
  await waitUntilGone(callOf(bensPage));
  await waitUntilGone(personTile(adasPage, ben.username));
  for (const page of [adasPage, bensPage]) await waitUntil(async () => (await page.evaluate(open)) === 0);

  await bensPage.evaluate(`{
    const devices = navigator.mediaDevices;
    const open = devices.getUserMedia;
    devices.getUserMedia = () => {
      devices.getUserMedia = open;
      return Promise.reject(new DOMException("Permission denied", "NotAllowedError"));
    };
  }`);
  await joinCall(bensPage, "lounge");
  const note = callOf(bensPage).getByRole("alert");
  await note.getByText("your browser blocks the microphone").waitFor();
  await personTile(adasPage, ben.username).getByLabel("Muted", { exact: true }).waitFor();
  await note.getByRole("button", { name: "Try the microphone again" }).click();
  await waitUntilGone(note);
  await speakingMark(adasPage, ben.username).waitFor();

  for (const page of [bensPage, adasPage]) await stageOf(page).getByRole("button", { name: "Leave the call" }).click();
  await adasPage.getByText("Nobody is here yet.").waitFor();
  await waitUntil(async () => (await adasPage.evaluate(open)) === 0, { what: "the end of the connections" });
});
