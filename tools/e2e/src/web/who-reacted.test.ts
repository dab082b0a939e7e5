import { joinServer, postMessage } from "@parley/testing";
import { expect, test } from "vitest";
import {
  actInMenu,
  messageWith,
  openConversation,
  registerAs,
  useWebStage,
  waitForCount,
  waitUntilGone,
} from "./web-stage.js";

const stage = useWebStage();
const heart = encodeURIComponent("♥️");

test("whoever points at a reaction sees who reacted, and a moderator removes one and all", async () => {
  const { ada, ben, server, channel, adasPage, bensPage } = await openConversation(stage);
  const { id } = await postMessage(ada, channel.id, "I won!");
  const reactions = `/channels/${channel.id}/messages/${id}/reactions`;
  await ben.patch(`/servers/${server.id}/members/@me`, { nickname: "The rook" });
  await ben.put(`${reactions}/${heart}`);
  const others = await Promise.all(Array.from({ length: 26 }, (_, at) => registerAs(stage.client, `fan${at}`)));
  for (const fan of others) {
    await joinServer(fan, server.id);
    await fan.put(`${reactions}/${heart}`);
  }
  await ada.put(`${reactions}/${encodeURIComponent("🎉")}`);

  const button = messageWith(adasPage, "I won!").getByRole("button", { name: /: 27 reactions$/ });
  await button.hover();
  const tooltip = adasPage.getByRole("tooltip");
  await tooltip.filter({ hasText: /^♥️The rook, fan0_.*, \+17$/ }).waitFor();

  await button.focus();
  await adasPage.keyboard.press("Shift+F10");
  const dialog = adasPage.getByRole("dialog", { name: "Reactions" });
  const people = dialog.getByRole("list", { name: "Who reacted" }).getByRole("listitem");
  await waitForCount(people, 25);
  expect(await people.first().textContent()).toBe(`The rook@${ben.username}`);
  await dialog.getByRole("button", { name: "Show more" }).click();
  await waitForCount(people, 27);
  await dialog.getByRole("button", { name: `Remove the reaction of ${others[25]?.username}` }).click();
  await waitForCount(people, 26);
  await messageWith(bensPage, "I won!")
    .getByRole("button", { name: /: 26 reactions, including yours$/ })
    .waitFor();
  await dialog.getByRole("button", { name: "🎉: 1 reaction, including yours" }).click();
  await waitForCount(people, 1);
  await adasPage.keyboard.press("Escape");
  await waitUntilGone(dialog);

  // Who is no moderator takes back their own.
  await actInMenu(bensPage, "I won!", "Who reacted");
  const bens = bensPage.getByRole("dialog", { name: "Reactions" });
  await waitForCount(bens.getByRole("listitem"), 25);
  expect(await bens.getByRole("button", { name: /^Remove/ }).allTextContents()).toHaveLength(1);
  await bens.getByRole("button", { name: "Remove the reaction of The rook" }).click();
  await messageWith(adasPage, "I won!")
    .getByRole("button", { name: /: 25 reactions$/ })
    .waitFor();

  await actInMenu(adasPage, "I won!", "Who reacted");
  await dialog.getByRole("button", { name: "Remove all reactions" }).click();
  await adasPage
    .getByRole("dialog", { name: "Remove all reactions?" })
    .getByRole("button", { name: "Remove all reactions" })
    .click();
  for (const page of [adasPage, bensPage]) {
    await waitForCount(messageWith(page, "I won!").getByRole("button", { name: / reactions?\b/ }), 0);
  }
});
