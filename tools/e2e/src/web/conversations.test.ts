import { createChannel, joinServer, type Page, postMessage, waitUntil } from "@parley/testing";
import { beforeAll, test } from "vitest";
import { z } from "zod";
import { runSql } from "../api/admin-stage.js";
import {
  act,
  actInMenu,
  type Conversation,
  channelPath,
  composer,
  messageWith,
  openConversation,
  registerAs,
  useWebStage,
  waitForCount,
  waitUntilGone,
  write,
} from "./web-stage.js";

const stage = useWebStage();
let talk: Conversation;

beforeAll(async () => {
  talk = await openConversation(stage);
});

test("messages go both ways, and are edited, answered and deleted in both browsers", async () => {
  const { adasPage, bensPage } = talk;
  await write(adasPage, "Shall we play tonight?");
  await messageWith(bensPage, "Shall we play tonight?").waitFor();
  await write(bensPage, "Yes, at **nine**.");
  await messageWith(adasPage, "Yes, at nine.").getByText("nine").waitFor();
  await act(bensPage, "Yes, at nine.", "Edit");
  const editor = bensPage.getByRole("textbox", { name: "Edit message" });
  await editor.fill("Yes, at ten.");
  await editor.press("Enter");
  await messageWith(adasPage, "Yes, at ten.").getByText("(edited)").waitFor();
  await act(adasPage, "Yes, at ten.", "Reply");
  await write(adasPage, "Fine with me");
  await messageWith(bensPage, "Fine with me")
    .getByRole("button", { name: /Yes, at ten\./ })
    .waitFor();
  await actInMenu(adasPage, "Shall we play tonight?", "Delete");
  await adasPage.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await waitUntilGone(messageWith(adasPage, "Shall we play tonight?"));
  await waitUntilGone(messageWith(bensPage, "Shall we play tonight?"));
});

test("a reaction counts for both, and is taken back", async () => {
  const { adasPage, bensPage } = talk;
  await write(adasPage, "I won!");
  await act(bensPage, "I won!", "Add a reaction");
  await bensPage.getByRole("searchbox", { name: "Find an emoji" }).fill("heart");
  await bensPage.getByRole("region", { name: "Emoji" }).getByRole("button", { name: "red heart" }).click();
  const ofAda = messageWith(adasPage, "I won!").getByRole("button", { name: /: 1 reaction$/ });
  await ofAda.click();
  const ofBen = messageWith(bensPage, "I won!").getByRole("button", { name: /: 2 reactions, including yours$/ });
  await ofBen.click();
  await messageWith(adasPage, "I won!")
    .getByRole("button", { name: /: 1 reaction, including yours$/ })
    .waitFor();
});

test("a thread stands beside the channel, and counts its replies", async () => {
  const { adasPage, bensPage } = talk;
  await write(adasPage, "Which opening?");
  await act(bensPage, "Which opening?", "Reply in a thread");
  const reply = bensPage.getByRole("textbox", { name: "Reply in the thread" });
  await reply.fill("The Dutch");
  await reply.press("Enter");
  await messageWith(adasPage, "Which opening?").getByRole("button", { name: "1 reply" }).click();
  await adasPage
    .getByRole("complementary", { name: "Thread" })
    .getByRole("article")
    .filter({ hasText: "The Dutch" })
    .waitFor();
  await waitForCount(messageWith(adasPage, "The Dutch"), 0);
  for (const page of [adasPage, bensPage]) {
    await page.getByRole("complementary", { name: "Thread" }).getByRole("button", { name: "Close" }).click();
  }
});

test("what is pinned is found again", async () => {
  const { adasPage, bensPage } = talk;
  await write(adasPage, "Rules: touch, move");
  await actInMenu(adasPage, "Rules: touch, move", "Pin");
  await bensPage.getByRole("button", { name: "Pinned messages" }).click();
  const pins = bensPage.getByRole("complementary", { name: "Pinned messages" });
  await pins.getByText("Rules: touch, move").waitFor();
  await actInMenu(adasPage, "Rules: touch, move", "Unpin");
  await pins.getByText("Nothing is pinned yet").waitFor();
  await pins.getByRole("button", { name: "Close" }).click();
});

test("a poll is voted in by both", async () => {
  const { adasPage, bensPage } = talk;
  await adasPage.getByRole("button", { name: "Poll, event, files" }).click();
  await adasPage.getByRole("menuitem", { name: "Create a poll" }).click();
  const dialog = adasPage.getByRole("dialog", { name: "Create a poll" });
  await dialog.getByRole("textbox", { name: "Question" }).fill("Which evening?");
  await dialog.getByRole("textbox", { name: "Option 1" }).fill("Monday");
  await dialog.getByRole("textbox", { name: "Option 2" }).fill("Friday");
  await dialog.getByRole("button", { name: "Send poll" }).click();
  await bensPage.getByRole("button", { name: /^Friday.*0 votes, 0%$/ }).click();
  await adasPage.getByRole("button", { name: /^Friday.*1 vote, 100%$/ }).click();
  await bensPage.getByRole("button", { name: /^Friday.*2 votes, 100%$/, pressed: true }).waitFor();
});

test("an image is uploaded, seen by the other and opened in the viewer", async () => {
  const { adasPage, bensPage } = talk;
  const [chooser] = await Promise.all([
    adasPage.waitForEvent("filechooser"),
    adasPage
      .getByRole("button", { name: "Poll, event, files" })
      .click()
      .then(() => adasPage.getByRole("menuitem", { name: "Attach files" }).click()),
  ]);
  const buffer = await adasPage.screenshot();
  await chooser.setFiles({ name: "board.png", mimeType: "image/png", buffer });
  await adasPage.getByRole("button", { name: "Remove board.png" }).waitFor();
  await write(adasPage, "The position");
  const image = messageWith(bensPage, "The position").getByRole("button", { name: "Open board.png" });
  await image.click();
  const viewer = bensPage.getByRole("dialog", { name: "board.png" });
  await viewer.getByRole("img", { name: "board.png" }).waitFor();
  await waitUntil(() => bensPage.evaluate("document.querySelector('[role=dialog] img').naturalWidth === 1280"));
  await bensPage.keyboard.press("Escape");
  await waitUntilGone(viewer);
});

test("a mention in another channel is counted until it is read", async () => {
  const { ada, ben, server, channel, bensPage } = talk;
  const other = await createChannel(ada, server.id, { name: "tournaments" });
  await postMessage(ada, other.id, `@${ben.username} your turn`);
  const link = bensPage.getByRole("navigation", { name: "Channels" }).getByRole("link", { name: /tournaments/ });
  await link.filter({ hasText: "unread messages" }).waitFor();
  await link.getByText("1 mention").waitFor();
  await link.click();
  await messageWith(bensPage, "your turn").waitFor();
  await waitUntilGone(link.getByText("1 mention"));
  await bensPage.goBack();
  await bensPage.getByRole("heading", { name: channel.name, level: 1 }).waitFor();
  await composer(bensPage).waitFor();
});

test("a direct message reaches the other from their card", async () => {
  const { ada, ben, adasPage, bensPage, path } = talk;
  await messageWith(bensPage, "Rules: touch, move").waitFor();
  await bensPage.getByRole("complementary", { name: "Members" }).getByRole("button", { name: ada.username }).click();
  await bensPage.getByRole("button", { name: "Message", exact: true }).click();
  await bensPage.getByRole("heading", { name: ada.username, level: 1 }).waitFor();
  await write(bensPage, "A word in private");
  const rail = adasPage.getByRole("navigation", { name: "Servers" });
  const direct = rail.getByRole("listitem").filter({ has: adasPage.getByRole("link", { name: "Direct messages" }) });
  await direct.getByText("unread messages").waitFor();
  await rail.getByRole("link", { name: "Direct messages" }).click();
  await adasPage.getByRole("navigation", { name: "Direct messages" }).getByRole("link", { name: ben.username }).click();
  await messageWith(adasPage, "A word in private").waitFor();
  await write(adasPage, "Nobody hears us");
  await messageWith(bensPage, "Nobody hears us").waitFor();
  for (const page of [adasPage, bensPage]) {
    await page.goto(`${stage.stack.edgeUrl}/app${path}`);
    await composer(page).waitFor();
  }
});

test("a link leads to a message far back, from which the history goes on in both directions", async () => {
  const { ada, server } = talk;
  const channel = await createChannel(ada, server.id, { name: "archive" });
  const moves = z.array(z.object({ id: z.string() })).parse(
    await runSql(
      stage.stack.databaseUrl,
      `INSERT INTO messages (id, channel_id, server_id, author_id, content)
         SELECT uuidv7(make_interval(secs => n - 1000)), $1, $2, $3, 'Move ' || n || '.' FROM generate_series(1, 300) n
         RETURNING id`,
      [channel.id, server.id, ada.user.id],
    ),
  );
  const cleo = await registerAs(stage.client, "cleo");
  await joinServer(cleo, server.id);
  const page = await stage.visit(cleo, { path: `${channelPath(channel)}/${moves[119]?.id}` });
  await messageWith(page, "Move 120.").waitFor();
  const toNewest = page.getByRole("button", { name: /Jump to the newest messages|new messages?$/ });
  await toNewest.waitFor();
  await messageWith(page, "Move 120.").hover();
  await turnWheel(page, -1, () =>
    page.getByRole("heading", { name: "This is the beginning of #archive." }).isVisible(),
  );
  await messageWith(page, /Move 1\.$/).waitFor();
  await turnWheel(page, 1, async () => !(await toNewest.isVisible()));
  await messageWith(page, "Move 300.").waitFor();
  await page.context().close();
});

/** Turns the wheel until something is so. */
const turnWheel = (page: Page, direction: 1 | -1, isDone: () => Promise<boolean>) =>
  waitUntil(
    async () => {
      await page.mouse.wheel(0, direction * 600);
      return await isDone();
    },
    { timeoutMs: 20_000, what: "the end of the history" },
  );
