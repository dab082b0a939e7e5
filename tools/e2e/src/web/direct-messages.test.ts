import { DmChannel } from "@parley/contracts";
import { type Page, waitUntil } from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import { runSql } from "../api/admin-stage.js";
import {
  act,
  composer,
  copyWith,
  messageWith,
  registerAs,
  sentMessage,
  useWebStage,
  waitForCount,
  waitForValue,
  waitUntilGone,
  write,
} from "./web-stage.js";

const stage = useWebStage();
let channelId: string;
let adasPage: Page;
let bensPage: Page;
/** Ben's other device. */
let bensPhone: Page;

beforeAll(async () => {
  const [ada, ben] = [await registerAs(stage.client, "ada"), await registerAs(stage.client, "ben")];
  ({ id: channelId } = (await ada.post("/dm-channels", { user_id: ben.user.id })).expect(201, DmChannel));
  // Far more than a page has.
  await runSql(
    stage.stack.databaseUrl,
    `INSERT INTO dm_messages (id, channel_id, author_id, content)
       SELECT uuidv7(make_interval(secs => n - 1000)), $1, $2, 'Move ' || n || '.' FROM generate_series(1, 120) n`,
    [channelId, ada.user.id],
  );
  const path = `/dm/${channelId}`;
  [adasPage, bensPage, bensPhone] = await Promise.all([
    stage.visit(ada, { path }),
    stage.visit(ben, { path }),
    stage.visit(ben, { path, viewport: { width: 390, height: 844 } }),
  ]);
  await Promise.all([adasPage, bensPage, bensPhone].map((page) => composer(page).waitFor()));
});

test("direct messages are edited, answered, reacted to and deleted on all devices", async () => {
  await write(adasPage, "Shall we play tonigt?");
  await sentMessage(adasPage, "Shall we play tonigt?");
  await composer(adasPage).press("ArrowUp");
  const editor = adasPage.getByRole("textbox", { name: "Edit message" });
  await editor.fill("Shall we play tonight?");
  await editor.press("Enter");
  for (const page of [bensPage, bensPhone]) {
    await messageWith(page, "Shall we play tonight?").getByText("(edited)").waitFor();
  }

  await act(bensPage, "Shall we play tonight?", "Reply");
  await write(bensPage, "At nine");
  await messageWith(adasPage, "At nine")
    .getByRole("button", { name: /Shall we play tonight\?/ })
    .waitFor();
  await act(adasPage, "At nine", "Add a reaction");
  await adasPage.getByRole("searchbox", { name: "Find an emoji" }).fill("heart");
  await adasPage.getByRole("region", { name: "Emoji" }).getByRole("button", { name: "red heart" }).click();
  for (const page of [bensPage, bensPhone]) {
    await messageWith(page, "At nine")
      .getByRole("button", { name: /: 1 reaction$/ })
      .waitFor();
  }

  // The reply quotes it.
  const original = messageWith(adasPage, "Shall we play tonight?").first();
  await original.hover();
  await original.getByRole("toolbar").getByRole("button", { name: "More", exact: true }).click();
  await adasPage.getByRole("menuitem", { name: "Delete", exact: true }).click();
  await adasPage.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  for (const page of [adasPage, bensPage, bensPhone]) {
    await messageWith(page, "At nine").getByText("This message was deleted.").waitFor();
    await waitForCount(messageWith(page, "Shall we play tonight?"), 0);
  }
});

test("files are pasted, sent with a direct message and seen by the other", async () => {
  const script = `(() => {
    const data = new DataTransfer();
    data.items.add(new File(["1. e4 e5"], "moves.txt", { type: "text/plain" }));
    const field = document.querySelector("[data-composer]");
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  })()`;
  await adasPage.evaluate(script);
  await adasPage.getByRole("button", { name: "Remove moves.txt" }).waitFor();
  const [chooser] = await Promise.all([
    adasPage.waitForEvent("filechooser"),
    adasPage
      .getByRole("button", { name: "GIF, files" })
      .click()
      .then(() => adasPage.getByRole("menuitem", { name: "Attach files" }).click()),
  ]);
  await chooser.setFiles({ name: "board.png", mimeType: "image/png", buffer: await adasPage.screenshot() });
  await adasPage.getByRole("button", { name: "Remove board.png" }).waitFor();
  await write(adasPage, "The position");
  for (const page of [bensPage, bensPhone]) {
    const message = messageWith(page, "The position");
    await message.getByRole("button", { name: "Open board.png" }).waitFor();
    await message.getByRole("link", { name: /moves\.txt/ }).waitFor();
  }
  await waitUntil(() =>
    bensPage.evaluate("document.querySelector('article img[alt=\"board.png\"]').naturalWidth === 1280"),
  );
});

test("a conversation is searched, and a result leads to its place far back, from which the history goes on", async () => {
  await waitForCount(messageWith(bensPage, /Move 7\./), 0);
  await bensPage.getByRole("button", { name: "Search" }).click();
  const dialog = bensPage.getByRole("dialog", { name: "Search" });
  await dialog.getByRole("searchbox", { name: "Search for" }).fill("move 7");
  await dialog.getByRole("button", { name: /Move 7\./ }).click();
  await waitUntilGone(dialog);
  await messageWith(bensPage, /Move 7\./).waitFor();
  expect(new URL(bensPage.url()).pathname).toMatch(new RegExp(`^/app/dm/${channelId}/[0-9a-f-]{36}$`));
  await messageWith(bensPage, /Move 8\./).waitFor();
  await bensPage.getByRole("button", { name: /Jump to the newest messages|new messages?$/ }).click();
  await messageWith(bensPage, "The position").waitFor();
  await waitForValue(composer(bensPage), "");
});

test("what came since is below a line when a conversation is opened, and the link of a message leads to it", async () => {
  await adasPage.goto(`${stage.stack.edgeUrl}/app/friends`);
  const link = adasPage.getByRole("navigation", { name: "Direct messages" }).getByRole("link", { name: /ben_/ });
  await link.waitFor();
  await write(bensPage, "Are you there?");
  await link.filter({ hasText: "unread messages" }).click();
  await messageWith(adasPage, "Are you there?").waitFor();
  await adasPage.getByRole("region", { name: "Messages" }).getByText("New", { exact: true }).waitFor();
  await messageWith(adasPage, "Are you there?").click({ button: "right" });
  const copied = await copyWith(adasPage.getByRole("menuitem", { name: "Copy link" }));
  await bensPage.goto(copied);
  await messageWith(bensPage, "Are you there?").and(bensPage.locator("[data-target=true]")).waitFor();
});
