import type { Poll } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { storedPart } from "../../../page-stage/bot.js";
import { composer } from "../../../page-stage/conversation.js";
import { channelPath, community, message, newId, user } from "../../../page-stage/fixtures.js";
import { shown } from "../../../page-stage/seeing.js";
import { visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

test("a poll is made, and counts the votes of others with one's own", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  const stage = await visit(world(ada, [club]), { path: channelPath(general) });
  await shown(composer());
  await stage.settled();
  let poll: Poll = { id: newId(), question: "", options: [], total_votes: 0, user_vote: null };
  const sent = message(general, ada, "");
  stage.server.on<{ question: string; options: string[]; nonce: string }>("POST /channels/:id/polls", ({ body }) => {
    const options = body.options.map((text) => ({ id: newId(), text, votes: 0 }));
    poll = { ...poll, question: body.question, options };
    const asked = { ...sent, poll };
    stage.arrives(asked);
    return { ...storedPart(asked), nonce: body.nonce };
  });
  const voted = (id: string) => {
    const options = poll.options.map((one) => (one.id === id ? { ...one, votes: one.votes + 1 } : one));
    poll = { ...poll, options, total_votes: poll.total_votes + 1 };
    return poll;
  };
  stage.server.on<{ option_id: string }>("POST /polls/:id/vote", ({ body: { option_id } }) => ({
    ...voted(option_id),
    user_vote: option_id,
  }));

  await page.getByRole("button", { name: "Poll, event, files" }).click();
  await page.getByRole("menuitem", { name: "Create a poll" }).click();
  const dialog = page.getByRole("dialog", { name: "Create a poll" });
  await dialog.getByRole("textbox", { name: "Question" }).fill("Which evening?");
  await dialog.getByRole("textbox", { name: "Option 1" }).fill("Monday");
  await dialog.getByRole("textbox", { name: "Option 2" }).fill("Friday");
  await dialog.getByRole("button", { name: "Send poll" }).click();
  await shown(page.getByRole("button", { name: /^Friday.*0 votes, 0%$/ }));
  expect(stage.server.requests("POST /channels/:id/polls").at(-1)?.body).toMatchObject({
    question: "Which evening?",
    options: ["Monday", "Friday"],
  });
  const friday = poll.options.find(({ text }) => text === "Friday")?.id ?? "";
  stage.socket.event("POLL_VOTE", {
    ...{ poll_id: poll.id, channel_id: general.id, message_id: sent.id, updated_poll: voted(friday) },
  });
  await page.getByRole("button", { name: /^Friday.*1 vote, 100%$/ }).click();
  await shown(page.getByRole("button", { name: /^Friday.*2 votes, 100%$/, pressed: true }));
  expect(stage.server.requests("POST /polls/:id/vote").map(({ body }) => body)).toEqual([{ option_id: friday }]);
});

test("of a poll with several answers each one is chosen and taken back alone, and none after its end", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  const [id, monday, friday] = [newId(), newId(), newId()];
  const asked = (own: readonly string[], ended = false): Poll => ({
    ...{ id, question: "Which evenings?", total_votes: Math.min(own.length, 1), user_vote: own[0] ?? null },
    ...{ multiple: 2, user_votes: [...own], ends_at: "2099-01-02T03:04:05.000Z", ended },
    options: [
      { id: monday, text: "Monday", votes: Number(own.includes(monday)) },
      { id: friday, text: "Friday", votes: Number(own.includes(friday)) },
    ],
  });
  const poll = asked([]);
  const sent = message(general, ben, "", { poll });
  club.messages[general.id] = [sent];
  const { server, socket } = await visit(world(ada, [club]), { path: channelPath(general) });
  server.on<{ option_ids: string[] }>("POST /polls/:id/vote", ({ body }) => asked(body.option_ids));
  server.on("DELETE /polls/:id/vote", () => asked([]));
  const option = (name: RegExp, pressed: boolean) => page.getByRole("button", { name, pressed });
  await option(/^Monday/, false).click();
  await shown(option(/^Monday/, true));
  await option(/^Friday/, false).click();
  await shown(option(/^Friday/, true));
  await option(/^Monday/, true).click();
  await shown(option(/^Monday/, false));
  await option(/^Friday/, true).click();
  await shown(option(/^Friday/, false));
  expect(server.requests("POST /polls/:id/vote").map(({ body }) => body)).toEqual([
    { option_ids: [monday] },
    { option_ids: [monday, friday] },
    { option_ids: [friday] },
  ]);
  expect(server.requests("DELETE /polls/:id/vote")).toHaveLength(1);
  socket.event("POLL_END", {
    ...{ poll_id: poll.id, channel_id: general.id, message_id: sent.id, updated_poll: asked([], true) },
  });
  await shown(page.getByText(/up to 2 answers each · ended$/));
  await expect.element(option(/^Monday/, false)).toBeDisabled();
});
