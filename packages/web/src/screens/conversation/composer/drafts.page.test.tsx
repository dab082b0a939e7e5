import { expect, onTestFinished, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { composer, messageWith, sentMessage, write } from "../../../page-stage/conversation.js";
import { noNetwork } from "../../../page-stage/fake-server.js";
import { channel, channelPath, community, madeAt, message, user } from "../../../page-stage/fixtures.js";
import { gone, shown } from "../../../page-stage/seeing.js";
import { visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

async function openConversation() {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  const stage = await visit(world(ada, [club]), { path: channelPath(general) });
  await shown(composer());
  await stage.settled();
  return { stage, ben, general };
}

test("a typing user is shown to the other, until the message is there, and again when they go on", async () => {
  const { stage, ben, general } = await openConversation();
  // The message ends it, and not its time.
  const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now());
  onTestFinished(() => clock.mockRestore());
  const line = page.getByText("ben is typing …");
  for (const text of ["I think", "I hope"]) {
    const timestamp = new Date().toISOString();
    stage.socket.event("TYPING_START", { user_id: ben.id, username: "ben", channel_id: general.id, timestamp });
    await shown(line);
    stage.arrives(message(general, ben, text));
    await shown(messageWith(text));
    await gone(line);
  }
  // The other way round: the others get it from the server.
  await composer().fill("So do I");
  await expect.poll(() => stage.socket.received.map(({ op }) => op)).toContain("TYPING_START");
});

test("an unsent text outlives a reload, and is gone once it is sent", async () => {
  const { stage } = await openConversation();
  await composer().fill("Not finished yet");
  await stage.reload();
  await expect.element(composer()).toHaveValue("Not finished yet");
  await write("Not finished yet");
  await sentMessage("Not finished yet");
  await stage.reload();
  await shown(messageWith("Not finished yet"));
  await expect.element(composer()).toHaveValue("");
});

/** The bodies of the drafts that the page has sent. */
const sentDrafts = (stage: Awaited<ReturnType<typeof openConversation>>["stage"]) =>
  stage.server
    .requests<{ content: string | null; reply_to: string | null }>("PUT /users/@me/drafts/:channel")
    .map(({ body: { content, reply_to } }) => ({ content, reply_to }));

test("a draft goes to the other devices, in one request for many keys, and goes away with its message", async () => {
  const { stage } = await openConversation();
  await composer().click();
  await userEvent.keyboard("Not finished");
  await expect.poll(() => sentDrafts(stage)).toEqual([{ content: "Not finished", reply_to: null }]);
  await userEvent.keyboard("{Enter}");
  await sentMessage("Not finished");
  await expect.poll(() => sentDrafts(stage).at(-1)).toEqual({ content: null, reply_to: null });
  expect(sentDrafts(stage)).toHaveLength(2);
});

test("the later change of a draft counts, on whichever device it was made", async () => {
  const { stage, general } = await openConversation();
  const elsewhere = (content: string | null, updated_at: string) =>
    stage.socket.event("DRAFT_UPDATE", {
      ...{ channel_id: general.id, thread_id: null, content, reply_to: null, updated_at },
    });
  await composer().fill("Here");
  elsewhere("Too late", "2020-01-01T00:00:00.000Z");
  await stage.settled();
  await expect.element(composer()).toHaveValue("Here");
  const later = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  elsewhere("There", later(1));
  await expect.element(composer()).toHaveValue("There");
  elsewhere(null, later(2));
  await expect.element(composer()).toHaveValue("");
});

test("the drafts of other devices are there after a start, marked in the list, and can be deleted", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const openings = channel(club.server, "openings", { position: 1 });
  club.channels.push(openings);
  const [general] = club.channels;
  const kept = { channel_id: openings.id, thread_id: null, content: "The Dutch is", reply_to: null };
  const stage = await visit(world(ada, [club]), {
    path: channelPath(general),
    prepare: (server) => server.on("GET /users/@me/drafts", () => ({ drafts: [{ ...kept, updated_at: madeAt }] })),
  });
  const link = page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name: /^openings/ });
  await shown(link.filter({ hasText: "has a draft" }));
  await link.click();
  await expect.element(composer()).toHaveValue("The Dutch is");
  stage.goTo("/inbox/drafts");
  const rows = page.getByRole("list", { name: "Drafts" }).getByRole("listitem");
  await shown(rows.getByText("The Dutch is"));
  await rows.getByRole("button", { name: /^Delete the draft/ }).click();
  await gone(rows);
  await expect.poll(() => sentDrafts(stage)).toEqual([{ content: null, reply_to: null }]);
  stage.goTo(channelPath(openings));
  await shown(composer());
  await expect.element(composer()).toHaveValue("");
});

test("a text that was written offline is sent after the next start, unless it was deleted elsewhere since it was sent", async () => {
  const { stage } = await openConversation();
  stage.server.on("PUT /users/@me/drafts/:channel", noNetwork);
  await composer().fill("On the train");
  // The client repeats it.
  await expect.poll(() => sentDrafts(stage).length).toBeGreaterThan(0);
  stage.server.on("PUT /users/@me/drafts/:channel", () => undefined);
  const before = sentDrafts(stage).length;
  await stage.reload();
  await expect.poll(() => sentDrafts(stage).slice(before)).toContainEqual({ content: "On the train", reply_to: null });
  await stage.settled();
  // The list of the server is empty now: another device has deleted it.
  await stage.reload();
  await expect.element(composer()).toHaveValue("");
});
