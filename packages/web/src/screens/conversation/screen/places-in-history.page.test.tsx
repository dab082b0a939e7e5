import type { DmMessage } from "@parley/client";
import { expect, test } from "vitest";
import { type Locator, page, userEvent } from "vitest/browser";
import { composer, copyWith, messageWith } from "../../../page-stage/conversation.js";
import { findingsInBothSchemes } from "../../../page-stage/findings.js";
import { channelPath, community, directChannel, message, newId, user } from "../../../page-stage/fixtures.js";
import { focused, pressAt } from "../../../page-stage/keys.js";
import { gone, shown } from "../../../page-stage/seeing.js";
import { visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

// Ways to a place in a history: by its day, and by the link of a message or of a thread reply.

/** Three messages a day, far more than a page has, with the last one on the evening of 11 May 2024; none on 21 February. */
function moves(): { content: string; created_at: string }[] {
  const days = Array.from({ length: 132 }, (_, n) => new Date(2024, 0, 1 + n)).filter(
    (day) => day.getMonth() !== 1 || day.getDate() !== 21,
  );
  const two = (part: number) => String(part).padStart(2, "0");
  return days.flatMap((day) =>
    [1, 2, 3].map((n) => {
      const date = `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
      const at = new Date(day.getFullYear(), day.getMonth(), day.getDate(), 6 * n);
      return { content: `Move ${n} of ${date}`, created_at: at.toISOString() };
    }),
  );
}

/** Goes to a day by the keyboard alone. */
async function jumpTo(day: string): Promise<void> {
  await pressAt(page.getByRole("button", { name: "Jump to a date" }), "{Enter}");
  const dialog = page.getByRole("dialog", { name: "Jump to a date" });
  const field = dialog.getByLabelText("Day");
  await focused(field);
  await field.fill(day);
  await pressAt(field, "{Enter}");
  await gone(dialog);
}

test.each(["a channel", "a direct message"])(
  "in %s a date leads to the first message of its day, else to the next one, else to the newest, which then has the focus",
  async (where) => {
    const [ada, ben] = [user("ada"), user("ben")];
    const club = community([ada, ben]);
    const [general] = club.channels;
    const direct = directChannel(ada);
    const author = { id: ada.id, username: ada.username, nickname: null, avatar_url: null };
    club.messages[general.id] = moves().map(({ content, created_at }) =>
      message(general, ada, content, { created_at }),
    );
    const directMessages: DmMessage[] = moves().map((one) => ({
      ...{ id: newId(), channel_id: direct.id, author_id: ada.id, edited_at: null, ...one },
      ...{ reactions: [], attachments: [], author },
    }));
    const there = world(ben, [club], {
      directChannels: [direct],
      directMessages: { [direct.id]: directMessages },
    });
    await visit(there, { path: where === "a channel" ? channelPath(general) : `/dm/${direct.id}` });
    await shown(messageWith("Move 3 of 2024-05-11"));
    await page.getByRole("button", { name: "Jump to a date" }).click();
    await shown(page.getByRole("dialog", { name: "Jump to a date" }));
    expect(await findingsInBothSchemes()).toEqual([]);
    await userEvent.keyboard("{Escape}");
    await gone(page.getByRole("dialog", { name: "Jump to a date" }));
    await jumpTo("2024-03-05");
    await focused(messageWith("Move 1 of 2024-03-05"));
    await userEvent.keyboard("{ArrowUp}");
    await focused(messageWith("Move 3 of 2024-03-04"));
    await jumpTo("2024-02-21");
    await focused(messageWith("Move 1 of 2024-02-22"));
    await jumpTo("2024-06-01");
    await focused(messageWith("Move 3 of 2024-05-11"));
    // Once more to where the page is already.
    await composer().click();
    await focused(composer());
    await jumpTo("2024-06-01");
    await focused(messageWith("Move 3 of 2024-05-11"));
  },
);

test("the message with the focus keeps it while it is out of sight", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  club.messages[general.id] = moves().map(({ content, created_at }) => message(general, ada, content, { created_at }));
  await visit(world(ben, [club]), { path: channelPath(general) });
  await shown(messageWith("Move 3 of 2024-05-11"));
  await focused(composer());
  await jumpTo("2024-04-27");
  const row = messageWith("Move 1 of 2024-04-27");
  await focused(row);
  // A press would take the focus.
  const press = new MouseEvent("click", { bubbles: true });
  page.getByRole("button", { name: "Jump to the newest messages" }).element().dispatchEvent(press);
  const newest = messageWith("Move 3 of 2024-05-11");
  await shown(newest);
  await expect.poll(() => isWithin(newest)).toBe(true);
  await focused(row);
});

test("the link of a thread reply opens its thread at the reply, beside its root", async () => {
  const ada = user("ada");
  const club = community([ada]);
  const [general] = club.channels;
  const root = message(general, ada, "Which opening?", { thread_reply_count: 150 });
  const replies = Array.from({ length: 150 }, (_, n) =>
    message(general, ada, `Reply ${n + 1}.`, { thread_id: root.id }),
  );
  const later = Array.from({ length: 120 }, (_, n) => message(general, ada, `Later ${n + 1}.`));
  club.messages[general.id] = [root, ...later];
  const stage = await visit(world(ada, [club]), {
    path: `${channelPath(general)}/${root.id}`,
    prepare(server) {
      server.on("GET /channels/:id/messages/:message/thread", ({ query }) => {
        const after = query.get("after") ?? "";
        return replies.filter(({ id }) => id > after).slice(0, Number(query.get("limit")));
      });
      server.on("GET /channels/:id/messages/:message", ({ params: { message: id } }) =>
        [root, ...replies, ...later].find((one) => one.id === id),
      );
    },
  });
  await messageWith("Which opening?").getByRole("button", { name: "150 replies" }).click();
  const thread = page.getByRole("complementary", { name: "Thread" });
  const reply = (n: number) => thread.getByRole("article").filter({ hasText: `Reply ${n}.` });
  const linked = (n: number) => reply(n).and(page.getByCss("[data-target=true]"));
  await shown(reply(150));
  await reply(149).click({ button: "right" });
  const link = await copyWith(page.getByRole("menuitem", { name: "Copy link" }));
  expect(link).toBe(`${location.origin}/app${channelPath(general)}/${replies[148]?.id}`);

  stage.goTo("/dm");
  await gone(thread);
  stage.goTo(`${channelPath(general)}/${replies[74]?.id}`);
  await shown(linked(75));
  await expect.poll(() => isWithin(reply(75))).toBe(true);
  await shown(messageWith("Which opening?"));
  // Followed inside of the application, another link leads to another reply.
  await thread.getByRole("button", { name: "Close" }).click();
  stage.arrives(message(general, ada, `See ${link}`));
  await page.getByRole("button", { name: /Jump to the newest messages|new messages?$/ }).click();
  await messageWith("See").getByRole("link").click();
  await shown(linked(149));
  await shown(messageWith("Which opening?"));
});

test("a link leads to a message far back, from which the history goes on in both directions", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  const history = Array.from({ length: 300 }, (_, n) => message(general, ada, `Move ${n + 1}.`));
  club.messages[general.id] = history;
  await visit(world(ben, [club]), { path: `${channelPath(general)}/${history[119]?.id}` });
  await shown(messageWith("Move 120."));
  const toNewest = page.getByRole("button", { name: /Jump to the newest messages|new messages?$/ });
  await shown(toNewest);
  const list = page.getByRole("region", { name: "Messages" });
  const turnWheel = (direction: 1 | -1, isDone: () => boolean) =>
    expect
      .poll(async () => {
        await userEvent.wheel(list, { delta: { y: direction * 2_000 } });
        return isDone();
      })
      .toBe(true);
  const beginning = page.getByRole("heading", { name: "This is the beginning of #general." });
  await turnWheel(-1, () => beginning.elements().length === 1);
  await shown(messageWith(/Move 1\.$/));
  await turnWheel(1, () => toNewest.elements().length === 0);
  await shown(messageWith("Move 300."));
});

/** Whether an element stands within the window. */
function isWithin(locator: Locator): boolean {
  const { top, bottom } = locator.element().getBoundingClientRect();
  return top > 0 && bottom < innerHeight;
}
