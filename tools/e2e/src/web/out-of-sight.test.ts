import { createChannel, createServerWithMembers, postMessage } from "@parley/testing";
import { expect, test } from "vitest";
import { act, channelPath, composer, messageWith, useWebStage } from "./web-stage.js";

// What the page does not have, or no longer, is read when it is shown.

const stage = useWebStage();

test("a thread keeps its first message when the history moves on to others", async () => {
  const { owner, channel } = await createServerWithMembers(stage.client, 0);
  const root = await postMessage(owner, channel.id, "Root");
  const reply = await owner.post(`/channels/${channel.id}/messages/${root.id}/thread`, { content: "Reply" });
  expect(reply.status).toBe(201);
  for (let n = 1; n <= 120; n += 1) await postMessage(owner, channel.id, `Later ${n}`);
  const page = await stage.visit(owner, { path: `${channelPath(channel)}/${root.id}` });
  await act(page, "Root", "Reply in a thread");
  const panel = page.getByRole("complementary", { name: "Thread" });
  for (const text of ["Root", "Reply"]) await panel.getByText(text, { exact: true }).waitFor();
  await page.getByRole("button", { name: "Jump to the newest messages" }).click();
  await messageWith(page, "Later 120").waitFor();
  for (const text of ["Root", "Reply"]) await panel.getByText(text, { exact: true }).waitFor();
  await page.context().close();
});

test("a link leads to a channel that was created after the page was opened", async () => {
  const { owner, server, channel } = await createServerWithMembers(stage.client, 0);
  const page = await stage.visit(owner, { path: channelPath(channel) });
  await composer(page).waitFor();
  const created = await createChannel(owner, server.id, { name: "fresh" });
  await postMessage(owner, channel.id, `[Come along](/app${channelPath(created)})`);
  await page.getByRole("link", { name: "Come along" }).click();
  await page.getByRole("heading", { name: "fresh", level: 1 }).waitFor();
  await composer(page).waitFor();
  await page.context().close();
});
