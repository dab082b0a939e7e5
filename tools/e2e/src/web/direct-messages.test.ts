import { DmChannel } from "@parley/contracts";
import type { Page } from "@parley/testing";
import { beforeAll, test } from "vitest";
import { act, composer, messageWith, registerAs, sentMessage, useWebStage, waitForCount, write } from "./web-stage.js";

// The rest is in packages/web/src/screens/conversation/screen/direct-messages.page.test.tsx.
const stage = useWebStage();
let adasPage: Page;
let bensPage: Page;
/** Ben's other device. */
let bensPhone: Page;

beforeAll(async () => {
  const [ada, ben] = [await registerAs(stage.client, "ada"), await registerAs(stage.client, "ben")];
  const { id } = (await ada.post("/dm-channels", { user_id: ben.user.id })).expect(201, DmChannel);
  const path = `/dm/${id}`;
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
