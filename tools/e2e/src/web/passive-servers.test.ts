import { createChannel, createServerWithMembers, type Page, postMessage, waitUntil } from "@parley/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { connectCrowd } from "../api/crowd.js";
import { channelPath, composer, messageWith, useOwnWebStage } from "./web-stage.js";

const passiveRule = { above: 10, below: 8 };
const stage = useOwnWebStage({ limits: { gateway: { passiveRule, passiveIntervalMs: 100 } } });

const Told = z.object({ t: z.literal("VIEW_ACK"), d: z.object({ passive: z.array(z.string()) }) });

/** The servers that are passive for a page, as it was told last. */
function followPassive(page: Page): () => readonly string[] {
  let passive: readonly string[] = [];
  page.on("websocket", (socket) =>
    socket.on("framereceived", ({ payload }) => {
      const frame = Told.safeParse(JSON.parse(String(payload)));
      if (frame.success) passive = frame.data.d.passive;
    }),
  );
  return () => passive;
}

test("in a large server the lists count what is not sent without a request, and a channel that is opened has all of it", async () => {
  const { owner, members, server, channel } = await createServerWithMembers(stage.client, 1);
  const [ben] = members;
  const news = await createChannel(owner, server.id, { name: "news" });
  const crowd = await connectCrowd(stage.stack, server.id, passiveRule.above + 1);
  let passive = (): readonly string[] => [];
  const page = await stage.visit(ben, {
    path: channelPath(channel),
    prepare: async (opened) => {
      passive = followPassive(opened);
    },
  });
  await composer(page).waitFor();
  await waitUntil(() => passive().includes(server.id), { what: "a passive server" });
  const link = (text: RegExp) => page.getByRole("link", { name: "news" }).filter({ hasText: text });
  await postMessage(owner, channel.id, "In sight");
  await messageWith(page, "In sight").waitFor();

  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await postMessage(owner, news.id, "First news");
  await postMessage(owner, news.id, `@${ben.username} second news`);
  await link(/unread.*1 mention|1 mention.*unread/).waitFor();
  await postMessage(owner, news.id, "Third news");
  await waitUntil(async () => (await page.title()).includes("1"), { what: "the mention in the title" });
  expect(requests.filter((url) => url.includes("/api/") || url.includes(news.id))).toEqual([]);

  await link(/news/).first().click();
  for (const text of ["First news", /second news/, "Third news"]) await messageWith(page, text).waitFor();
  await postMessage(owner, news.id, "Fourth news");
  await messageWith(page, "Fourth news").waitFor();
  // What was said where the page was before is there when it comes back.
  await postMessage(owner, channel.id, "Out of sight");
  await page.getByRole("link", { name: channel.name }).first().click();
  await messageWith(page, "Out of sight").waitFor();
  await page.context().close();
  await crowd.leave(0);
});
