import { DmChannel, Message } from "@parley/contracts";
import { createChannel, type Page, waitUntil } from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import { runSql } from "../api/admin-stage.js";
import { findingsInBothSchemes } from "./barriers.js";
import {
  type Conversation,
  channelPath,
  composer,
  copyWith,
  messageWith,
  openConversation,
  useWebStage,
  waitUntilGone,
} from "./web-stage.js";

// Ways to a place in a history: by its day, and by the link of a thread reply.

const stage = useWebStage();
let talk: Conversation;

beforeAll(async () => {
  talk = await openConversation(stage);
});

/** Three messages a day, far more than a page has, with the last one on the evening of 11 May 2024; none on 21 February. */
const days = (from: string) => `
  SELECT uuidv7(at - now()) AS id, 'Move ' || n || ' of ' || to_char(at, 'YYYY-MM-DD') AS content
  ${from} FROM generate_series(1, 3) n, LATERAL (
    SELECT day + make_interval(hours => 6 * n) AS at FROM generate_series(timestamptz '2024-01-01', '2024-05-11', '1 day') day
  ) times WHERE to_char(at, 'MM-DD') <> '02-21'`;

/** Goes to a day by the keyboard alone. */
async function jumpTo(page: Page, day: string): Promise<void> {
  await page.getByRole("button", { name: "Jump to a date" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Jump to a date" });
  await dialog.getByLabel("Day").and(page.locator(":focus")).waitFor();
  await dialog.getByLabel("Day").fill(day);
  await page.keyboard.press("Enter");
  await waitUntilGone(dialog);
}
const focused = (page: Page, text: string) => messageWith(page, text).and(page.locator(":focus")).waitFor();

test("a date leads to the first message of its day, else to the next one, else to the newest, which then has the focus", async () => {
  const { ada, ben, server } = talk;
  const { databaseUrl } = stage.stack;
  const channel = await createChannel(ada, server.id, { name: "archive" });
  const direct = (await ada.post("/dm-channels", { user_id: ben.user.id })).expect(201, DmChannel);
  await runSql(
    databaseUrl,
    `INSERT INTO messages (id, content, channel_id, server_id, author_id) ${days(", $1, $2, $3")}`,
    [channel.id, server.id, ada.user.id],
  );
  await runSql(databaseUrl, `INSERT INTO dm_messages (id, content, channel_id, author_id) ${days(", $1, $2")}`, [
    direct.id,
    ada.user.id,
  ]);
  for (const path of [channelPath({ server_id: server.id, id: channel.id }), `/dm/${direct.id}`]) {
    const page = await stage.visit(ben, { path });
    await messageWith(page, "Move 3 of 2024-05-11").waitFor();
    await page.getByRole("button", { name: "Jump to a date" }).click();
    await page.getByRole("dialog", { name: "Jump to a date" }).waitFor();
    expect(await findingsInBothSchemes(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await jumpTo(page, "2024-03-05");
    await focused(page, "Move 1 of 2024-03-05");
    await page.keyboard.press("ArrowUp");
    await focused(page, "Move 3 of 2024-03-04");
    await jumpTo(page, "2024-02-21");
    await focused(page, "Move 1 of 2024-02-22");
    await jumpTo(page, "2024-06-01");
    await focused(page, "Move 3 of 2024-05-11");
    // Once more to where the page is already.
    await composer(page).focus();
    await jumpTo(page, "2024-06-01");
    await focused(page, "Move 3 of 2024-05-11");
    await page.context().close();
  }
});

test("the link of a thread reply opens its thread at the reply, beside its root", async () => {
  const { ada, channel, server, adasPage, path } = talk;
  const root = (await ada.post(`/channels/${channel.id}/messages`, { content: "Which opening?" })).expect(201, Message);
  await runSql(
    stage.stack.databaseUrl,
    `INSERT INTO messages (id, channel_id, server_id, author_id, content, thread_id)
       SELECT uuidv7(make_interval(secs => n - 200)), $1, $2, $3, 'Reply ' || n || '.', $4 FROM generate_series(1, 150) n`,
    [channel.id, server.id, ada.user.id, root.id],
  );
  await runSql(stage.stack.databaseUrl, "UPDATE messages SET thread_reply_count = 150 WHERE id = $1", [root.id]);
  await runSql(
    stage.stack.databaseUrl,
    `INSERT INTO messages (channel_id, server_id, author_id, content)
       SELECT $1, $2, $3, 'Later ' || n || '.' FROM generate_series(1, 120) n`,
    [channel.id, server.id, ada.user.id],
  );
  await adasPage.goto(`${stage.stack.edgeUrl}/app${path}/${root.id}`);
  await messageWith(adasPage, "Which opening?").getByRole("button", { name: "150 replies" }).click();
  const thread = (page: Page) => page.getByRole("complementary", { name: "Thread" });
  const reply = (page: Page, n: number) =>
    thread(page)
      .getByRole("article")
      .filter({ hasText: `Reply ${n}.` });
  await reply(adasPage, 150).waitFor();
  await reply(adasPage, 149).click({ button: "right" });
  const link = await copyWith(adasPage.getByRole("menuitem", { name: "Copy link" }));
  expect(link).toMatch(new RegExp(`^${stage.stack.edgeUrl}/app${path}/[0-9a-f-]{36}$`));

  const [middle] = (await ada.get(`/channels/${channel.id}/messages/${root.id}/thread?limit=75`))
    .expect(200, Message.array())
    .slice(-1);
  const page = await stage.visit(talk.ben, { path: `${path}/${middle?.id}` });
  await reply(page, 75).and(page.locator("[data-target=true]")).waitFor();
  await waitUntil(() => isWithin(page, reply(page, 75)), { what: "the linked reply in sight" });
  await messageWith(page, "Which opening?").waitFor();
  // Followed inside of the application, another link leads to another reply.
  await thread(page).getByRole("button", { name: "Close" }).click();
  await ada.post(`/channels/${channel.id}/messages`, { content: `See ${link}` });
  await page.getByRole("button", { name: /Jump to the newest messages|new messages?$/ }).click();
  await messageWith(page, "See").getByRole("link").click();
  await reply(page, 149).and(page.locator("[data-target=true]")).waitFor();
  await messageWith(page, "Which opening?").waitFor();
  await page.context().close();
});

/** Whether an element stands within the window. */
async function isWithin(page: Page, element: ReturnType<typeof messageWith>): Promise<boolean> {
  const box = await element.boundingBox();
  return box !== null && box.y > 0 && box.y + box.height < (page.viewportSize()?.height ?? 0);
}
