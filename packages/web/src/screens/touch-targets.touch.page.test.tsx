import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { composer, messageWith } from "../page-stage/conversation.js";
import { tap } from "../page-stage/finger.js";
import { channelPath, community, madeAt, message, newId, user } from "../page-stage/fixtures.js";
import { shown } from "../page-stage/seeing.js";
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
