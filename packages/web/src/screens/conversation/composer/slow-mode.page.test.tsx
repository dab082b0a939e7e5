import type { Channel, DetailedMessage } from "@parley/client";
import { expect, onTestFinished, test, vi } from "vitest";
import { type Locator, page, userEvent } from "vitest/browser";
import { storedPart } from "../../../page-stage/bot.js";
import { composer, messageWith, sentMessage, write } from "../../../page-stage/conversation.js";
import { channelPath, community, message, user } from "../../../page-stage/fixtures.js";
import { gone, shown } from "../../../page-stage/seeing.js";
import { type Stage, visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";
import { openSeen } from "../../../state/seen/seen-store.js";

const wait = () => page.getByRole("timer");
const now = () => new Date().toISOString();

/** The page of a member, or the owner, of a server whose channel has this slow mode. */
async function openSlow(whose: "ada" | "ben", seconds: number) {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  if (seconds > 0) general.slow_mode_seconds = seconds;
  const me = { ada, ben }[whose];
  const stage = await visit(world(me, [club]), { path: channelPath(general) });
  stage.server.on<{ content: string; nonce: string }>("POST /channels/:id/messages", ({ body }) => {
    const sent: DetailedMessage = message(general, me, body.content, { created_at: now() });
    stage.arrives(sent);
    return { ...storedPart(sent), nonce: body.nonce };
  });
  await shown(composer());
  await stage.settled();
  return { stage, general, club, ben };
}

const sentTexts = ({ server }: Stage) =>
  server.requests<{ content: string }>("POST /channels/:id/messages").map(({ body }) => body.content);

test("a slow channel says how long to wait, keeps what is written meanwhile, and takes it afterwards", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const { stage, general } = await openSlow("ben", 5);
  await write("The first");
  await sentMessage("The first");
  await shown(wait().getByText("Slow mode: you can write again in 5 seconds."));
  vi.setSystemTime(Date.now() + 3_500);
  await shown(wait().getByText("Slow mode: you can write again in 2 seconds."));
  await write("The second");
  await expect.element(composer()).toHaveValue("The second");
  await stage.settled();
  await gone(messageWith("The second"));
  expect(sentTexts(stage)).toEqual(["The first"]);
  // The wait survives a reload, as the draft does.
  await stage.reload();
  await expect.element(composer()).toHaveValue("The second");
  await shown(wait());
  vi.setSystemTime(Date.now() + 1_500);
  await gone(wait());
  await composer().click();
  await userEvent.keyboard("{Enter}");
  await sentMessage("The second");
  expect(sentTexts(stage)).toEqual(["The first", "The second"]);
  await shown(wait());
  const { slow_mode_seconds: _seconds, ...quick } = general;
  stage.socket.event("CHANNEL_UPDATE", quick);
  await gone(wait());
});

test("after a reload nothing is sent to a slow channel before its messages say how long to wait", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  general.slow_mode_seconds = 3_600;
  club.messages[general.id] = [message(general, ben, "From elsewhere", { created_at: now() })];
  let release = () => {};
  const stage = await visit(world(ben, [club]), {
    path: channelPath(general),
    prepare: (server) => {
      const held = server.hold("GET /channels/:id/messages", () => (club.messages[general.id] ?? []).toReversed());
      release = held.release;
    },
  });
  await write("Too early");
  await expect.element(page.getByRole("button", { name: "Send" })).toBeDisabled();
  await expect.element(composer()).toHaveValue("Too early");
  release();
  await shown(wait());
  await expect.element(page.getByRole("button", { name: "Send" })).toBeDisabled();
  expect(sentTexts(stage)).toEqual([]);
});

test("the wait is known after a reload though many others have written since", async () => {
  const { stage, general, club } = await openSlow("ben", 3_600);
  await write("Mine");
  await sentMessage("Mine");
  const others = Array.from({ length: 60 }, (_, index) => message(general, user("ada"), `Later ${index}`));
  club.messages[general.id] = [...(club.messages[general.id] ?? []), ...others];
  await expect.poll(keptLastSent).toHaveProperty([general.id]);
  await stage.reload();
  await shown(messageWith("Later 59"));
  await shown(wait());
});

const dialogs: [
  kind: string,
  opens: string,
  fill: (dialog: Locator) => Promise<unknown>,
  send: string,
  endpoint: string,
][] = [
  ["a poll", "Create a poll", fillPoll, "Send poll", "POST /channels/:id/polls"],
  ["an event", "Plan an event", fillEvent, "Send event", "POST /channels/:id/events"],
];

test.each(dialogs)("%s waits in its dialog as a message does, in a slow channel and in a timeout", async (...kind) => {
  const [, opens, fill, send, endpoint] = kind;
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const { stage, club, ben } = await openSlow("ben", 5);
  await write("The first");
  await sentMessage("The first");
  await openDialog(opens);
  const dialog = page.getByRole("dialog", { name: opens });
  const button = dialog.getByRole("button", { name: send });
  await fill(dialog);
  await shown(dialog.getByText(/^Slow mode: you can write again in/));
  await expect.element(button).toBeDisabled();
  vi.setSystemTime(Date.now() + 5_500);
  await expect.element(button).toBeEnabled();
  const about = { server_id: club.server.id, user_id: ben.id };
  stage.socket.event("MEMBER_TIMEOUT", { ...about, expires_at: "2099-01-01T00:00:00.000Z", reason: "Too loud" });
  await shown(dialog.getByText(/^You are timed out until/));
  await expect.element(button).toBeDisabled();
  await userEvent.keyboard("{Enter}");
  stage.socket.event("MEMBER_TIMEOUT_REMOVE", about);
  await expect.element(button).toBeEnabled();
  expect(stage.server.requests(endpoint)).toEqual([]);
  await expect.element(dialog.getByRole("textbox").first()).toHaveValue("Which evening?");
});

async function openDialog(name: string): Promise<void> {
  await page.getByRole("button", { name: "Poll, event, files" }).click();
  await page.getByRole("menuitem", { name }).click();
}

async function fillPoll(dialog: Locator): Promise<void> {
  await dialog.getByRole("textbox", { name: "Option 1" }).fill("Monday");
  await dialog.getByRole("textbox", { name: "Option 2" }).fill("Friday");
  await dialog.getByRole("textbox", { name: "Question" }).fill("Which evening?");
}

async function fillEvent(dialog: Locator): Promise<void> {
  await dialog.getByLabelText("Starts").fill("2099-01-01T19:00");
  await dialog.getByRole("textbox", { name: "Name" }).fill("Which evening?");
}

/** When the user wrote last in each channel, as the browser keeps it. */
async function keptLastSent(): Promise<unknown> {
  const store = await openSeen();
  const kept = await store.get("notices", "notices");
  store.close();
  return kept?.lastSent;
}

test("a channel is made slow in its settings, and those who manage messages do not wait there", async () => {
  const { stage, general } = await openSlow("ada", 0);
  stage.server.on<Partial<Channel>>("PATCH /channels/:id", ({ body: { slow_mode_seconds = 0 } }) => {
    general.slow_mode_seconds = slow_mode_seconds;
    stage.socket.event("CHANNEL_UPDATE", general);
    return general;
  });
  const link = page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name: general.name });
  await link.click({ button: "right" });
  await page.getByRole("menuitem", { name: "Edit channel" }).click();
  const dialog = page.getByRole("dialog", { name: `Edit ${general.name}` });
  await dialog.getByRole("combobox", { name: "Slow mode" }).selectOptions("5 seconds");
  await dialog.getByRole("button", { name: "Save" }).click();
  await gone(dialog);
  expect(stage.server.requests("PATCH /channels/:id").at(-1)?.body).toMatchObject({ slow_mode_seconds: 5 });
  for (const text of ["At once", "And again"]) {
    await write(text);
    await sentMessage(text);
  }
  await stage.settled();
  await gone(wait());
});
