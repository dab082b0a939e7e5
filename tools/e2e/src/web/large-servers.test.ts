import { createChannel, createServerWithMembers, type Page, postMessage } from "@parley/testing";
import { expect, test } from "vitest";
import { runSql } from "../api/admin-stage.js";
import { pngPixel } from "../api/sample-files.js";
import { upload } from "../api/upload-stage.js";
import { channelPath, composer, messageWith, useWebStage } from "./web-stage.js";

const stage = useWebStage();

test("opening a channel costs one request, whatever people reacted with and attached", async () => {
  const { owner, members, server, channel } = await createServerWithMembers(stage.client, 1);
  const [reader] = members;
  const busy = await createChannel(owner, server.id, { name: "busy" });
  await runSql(
    stage.stack.databaseUrl,
    `WITH written AS (
        INSERT INTO messages (id, channel_id, server_id, author_id, content)
          SELECT uuidv7(make_interval(secs => n - 1000)), $1, $2, $3, 'Move ' || n || '.' FROM generate_series(1, 45) n
          RETURNING id)
      INSERT INTO reactions (message_id, emoji, user_id) SELECT id, '♥️', $3 FROM written`,
    [busy.id, server.id, owner.user.id],
  );
  const pictured = await postMessage(owner, busy.id, "The position");
  expect((await upload(owner, pictured.id, [{ name: "board.png", bytes: pngPixel }])).status).toBe(201);

  const page = await stage.visit(reader, { path: channelPath(channel) });
  await composer(page).waitFor();
  const link = page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name: /busy/ });
  await link.waitFor();
  // Once it is connected: what was read before READY is read again.
  await page.getByRole("region", { name: "You", exact: true }).waitFor();
  const requests = ofChannel(page, busy.id);
  await link.click();
  await messageWith(page, "The position").getByRole("button", { name: "Open board.png" }).waitFor();
  await messageWith(page, "Move 45.").getByRole("button", { name: "♥️: 1 reaction", exact: true }).waitFor();
  const late = await postMessage(owner, busy.id, "While you look");
  expect((await upload(owner, late.id, [{ name: "look.png", bytes: pngPixel }])).status).toBe(201);
  await messageWith(page, "While you look").getByRole("button", { name: "Open look.png" }).waitFor();
  expect(requests.filter((request) => !request.startsWith("POST"))).toEqual([
    `GET /channels/${busy.id}/messages?limit=50&include=reactions%2Cattachments%2Cpreviews%2Cauthor`,
  ]);
  // An event counts on top of what the list carried.
  await owner.put(`/channels/${busy.id}/messages/${pictured.id}/reactions/${encodeURIComponent("♥️")}`);
  await messageWith(page, "The position").getByRole("button", { name: "♥️: 1 reaction", exact: true }).waitFor();
  await page.context().close();
});

/** What the page asks from now on about a channel and its messages. */
function ofChannel(page: Page, channelId: string): string[] {
  const requests: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    const path = pathname.replace(/^\/api/, "") + search;
    if (path.includes(channelId) || path.startsWith("/messages/")) requests.push(`${request.method()} ${path}`);
  });
  return requests;
}
