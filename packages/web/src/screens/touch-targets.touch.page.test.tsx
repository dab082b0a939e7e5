import { errorTexts } from "@parley/contracts";
import { expect, onTestFinished, test, vi } from "vitest";
import { page } from "vitest/browser";
import { composer, messageWith } from "../page-stage/conversation.js";
import { refuse } from "../page-stage/fake-server.js";
import { tap } from "../page-stage/finger.js";
import { channel, channelPath, community, madeAt, message, newId, user } from "../page-stage/fixtures.js";
import { gone, shown } from "../page-stage/seeing.js";
import { answerAccount, answerServerSettings } from "../page-stage/settings-lists.js";
import { visit } from "../page-stage/stage.js";
import { world } from "../page-stage/world.js";

/** In CSS pixels; a scaled frame may take a part of one. */
const touchMin = 43.5;
const controls = "button, a[href], input, select, textarea, summary, [role=option], [role^=menuitem]";

/** What can be pressed and is smaller than a finger needs; words in a line of text are as high as the text. */
function tooSmall(): string[] {
  return [...document.querySelectorAll<HTMLElement>(controls)].flatMap((control) => {
    const { display, clipPath } = getComputedStyle(control);
    const isShown = control.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    if (!isShown || display === "inline" || clipPath !== "none" || control.closest("[inert]") !== null) return [];
    const label = control instanceof HTMLInputElement && control.type === "checkbox" ? control.labels?.[0] : undefined;
    const boxes = [control, ...(label === undefined ? [] : [label])].map((one) => one.getBoundingClientRect());
    const width = Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left));
    const height = Math.max(...boxes.map((box) => box.height));
    const isName = control.className.includes("author");
    return height >= touchMin && (width >= touchMin || isName)
      ? []
      : [`${width} × ${height}: ${control.outerHTML.slice(0, 200)}`];
  });
}

test("what fingers press is 44 pixels wide and high", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  const poll = { id: newId(), question: "Which day?", total_votes: 0, user_vote: null };
  const options = ["Monday", "Friday"].map((text) => ({ id: newId(), text, votes: 0 }));
  club.messages[general.id] = [
    message(general, ben, "Who comes?", { reactions: [{ emoji: "👍", count: 1, me: false }], created_at: madeAt }),
    message(general, ada, "Which day?", { poll: { ...poll, options } }),
  ];
  const stage = await visit(world(ada, [club]), {
    path: channelPath(general),
    prepare(server) {
      answerServerSettings(server, club, ben);
      answerAccount(server);
    },
  });
  await shown(messageWith("Which day?"));
  await shown(composer());
  await stage.settled();
  expect.soft(tooSmall(), "channel").toEqual([]);
  await tap(page.getByRole("button", { name: "More options for general" }));
  await shown(page.getByRole("menuitem", { name: "Pinned messages" }));
  expect.soft(tooSmall(), "menu").toEqual([]);
  await tap(page.getByRole("menuitem", { name: "Pinned messages" }));
  await shown(page.getByText("Nothing is pinned yet."));
  for (const [path, title] of [
    ["/account/notifications", "Notifications"],
    ["/account/data", "Data and deletion"],
    [`/servers/${club.server.id}/settings/members`, "Members"],
    [`/servers/${club.server.id}/settings/invites`, "Invites"],
    [`/servers/${club.server.id}/settings/automod`, "Auto-moderation"],
    ["/friends", "Friends"],
  ] as const) {
    stage.goTo(path);
    await shown(page.getByRole("heading", { name: title, exact: true }));
    await stage.settled();
    expect.soft(tooSmall(), title).toEqual([]);
  }
});

test("the buttons of a call have room for fingers, on its stage and in the drawer", async () => {
  const ada = user("ada");
  const club = community([ada]);
  const lounge = channel(club.server, "lounge", { type: "voice" });
  club.channels.push(lounge);
  const off = { self_deaf: false, self_video: false, self_screen: false, server_mute: false, server_deaf: false };
  const joined = { user_id: ada.id, username: ada.username, channel_id: lounge.id, joined_at: madeAt, self_mute: true };
  // A telephone without a microphone.
  vi.spyOn(navigator.mediaDevices, "getUserMedia").mockRejectedValue(new DOMException("", "NotFoundError"));
  onTestFinished(() => void vi.restoreAllMocks());
  const stage = await visit(world(ada, [club]), {
    path: channelPath(lounge),
    prepare(server) {
      server.on("GET /ice-servers", () => ({ iceServers: [], ttl: 60 }));
      server.on("GET /channels/:id/voice", () => []);
      server.on("GET /channels/:id/go-live", () => refuse(404, errorTexts.go_live_not_found));
      server.on("POST /channels/:id/voice", () => {
        server.on("GET /channels/:id/voice", () => [{ ...joined, ...off }]);
        return { ...joined, ...off };
      });
      server.on("PATCH /channels/:id/voice", () => ({ ...joined, ...off }));
      server.on("DELETE /channels/:id/voice", () => undefined);
    },
  });
  await tap(page.getByRole("button", { name: "Join" }));
  await shown(page.getByRole("button", { name: "Leave the call" }));
  await stage.settled();
  expect.soft(tooSmall(), "stage").toEqual([]);
  stage.goTo(channelPath(club.channels[0]));
  await shown(composer());
  await tap(page.getByRole("button", { name: "Servers and channels" }));
  await shown(page.getByRole("button", { name: "Leave the call" }));
  await stage.settled();
  expect.soft(tooSmall(), "drawer").toEqual([]);
  await tap(page.getByRole("button", { name: "Leave the call" }));
  await gone(page.getByRole("button", { name: "Leave the call" }));
});
