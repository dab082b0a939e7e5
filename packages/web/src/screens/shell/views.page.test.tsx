import { expect, onTestFinished, test } from "vitest";
import { page } from "vitest/browser";
import { act, composer } from "../../page-stage/conversation.js";
import { channel, channelPath, community, directChannel, message, user } from "../../page-stage/fixtures.js";
import { shown } from "../../page-stage/seeing.js";
import { type Stage, visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

// The page reports its channel in view; tests of the server check that it sends no push for it.

/** The VIEW frames of the newest connection, in order. */
const said = ({ socket }: Pick<Stage, "socket">) => socket.received.filter(({ op }) => op === "VIEW").map(({ d }) => d);
const looks = (stage: Stage, channelId: string | undefined, active = channelId !== undefined) =>
  expect.poll(() => said(stage).at(-1)).toEqual({ channel_ids: channelId === undefined ? [] : [channelId], active });

/** Shows or hides the page, with or without the keyboard, by the properties and events of a browser. */
function setLooked({ isVisible, hasFocus }: { isVisible: boolean; hasFocus: boolean }): void {
  const state = { value: isVisible ? "visible" : "hidden", configurable: true };
  Object.defineProperty(document, "visibilityState", state);
  Object.defineProperty(document, "hasFocus", { value: () => hasFocus, configurable: true });
  const event = !isVisible ? "visibilitychange" : hasFocus ? "focus" : "blur";
  (isVisible ? window : document).dispatchEvent(new Event(event));
}

/** The page of somebody who looks at #general of their server. */
async function openLooked() {
  setLooked({ isVisible: true, hasFocus: true });
  onTestFinished(() => {
    Reflect.deleteProperty(document, "visibilityState");
    Reflect.deleteProperty(document, "hasFocus");
  });
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  const endgames = channel(club.server, "endgames");
  club.channels = [general, endgames];
  club.messages[general.id] = [message(general, ada, "Shall we?")];
  const direct = directChannel(ben);
  const stage = await visit(world(ada, [club], { directChannels: [direct] }), { path: channelPath(general) });
  stage.server.on("GET /channels/:id/messages/:message/thread", () => []);
  stage.server.on("GET /servers/browse", () => []);
  await shown(composer());
  return { stage, general, endgames, direct };
}

test("the channel on the screen is looked at, its thread as well, and not the one that was left", async () => {
  const { stage, general, endgames, direct } = await openLooked();
  await looks(stage, general.id);
  await act("Shall we?", "Reply in a thread");
  await shown(page.getByRole("complementary", { name: "Thread" }));
  await stage.settled();
  await looks(stage, general.id);
  await page
    .getByRole("navigation", { name: "Channels" })
    .getByRole("link", { name: /endgames/ })
    .click();
  await looks(stage, endgames.id);
  stage.goTo(`/dm/${direct.id}`);
  await looks(stage, direct.id);
  await page.getByRole("navigation", { name: "Servers" }).getByRole("link", { name: "Discover servers" }).click();
  await looks(stage, undefined);
});

test("a page that is hidden or behind another window is not looked at, and is again once it is in front", async () => {
  const { stage, general } = await openLooked();
  await looks(stage, general.id);
  setLooked({ isVisible: false, hasFocus: true });
  await looks(stage, general.id, false);
  setLooked({ isVisible: true, hasFocus: true });
  await looks(stage, general.id);
  setLooked({ isVisible: true, hasFocus: false });
  await looks(stage, general.id, false);
  setLooked({ isVisible: true, hasFocus: true });
  await looks(stage, general.id);
});

test("the client names the channels in view once, and again on the next connection after the gateway died", async () => {
  const { stage, general } = await openLooked();
  const shownThere = [{ channel_ids: [general.id], active: true }];
  await expect.poll(() => said(stage)).toEqual(shownThere);
  stage.socket.close();
  await expect.poll(() => stage.connections).toBe(2);
  await expect.poll(() => said(stage)).toEqual(shownThere);
});
