import { createChannel, createServerWithMembers, type Page, postMessage, waitUntil } from "@parley/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { runSql } from "../api/admin-stage.js";
import { pngPixel } from "../api/sample-files.js";
import { upload } from "../api/upload-stage.js";
import { channelPath, composer, messageWith, useWebStage } from "./web-stage.js";

const membersCount = 2_000;

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

const Subscribe = z.object({ op: z.literal("PRESENCE_SUBSCRIBE"), d: z.object({ user_ids: z.array(z.string()) }) });

test(`only those of ${membersCount} members in sight are drawn, read and subscribed to`, async () => {
  const { members, server, channel } = await createServerWithMembers(stage.client, 2);
  const [reader, other] = members;
  await runSql(
    stage.stack.databaseUrl,
    `WITH people AS (
        INSERT INTO users (username) SELECT 'crowd_' || lpad(n::text, 4, '0') FROM generate_series(1, $2::integer) n RETURNING id, username)
      INSERT INTO members (server_id, user_id, joined_at)
        SELECT $1, id, now() + make_interval(secs => right(username, 4)::integer) FROM people`,
    [server.id, membersCount],
  );
  const talker = await stage.visit(other, { path: channelPath(channel) });
  await composer(talker).waitFor();

  const page = await stage.visit(reader, { path: "/dm" });
  await page.getByRole("heading", { name: "Welcome to Parley" }).waitFor();
  const subscribed: string[][] = [];
  page.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => {
      const frame = Subscribe.safeParse(JSON.parse(String(payload)));
      if (frame.success) subscribed.push(frame.data.d.user_ids);
    }),
  );
  const pages: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/members?")) pages.push(request.url());
  });
  await page.goto(`${stage.stack.edgeUrl}/app${channelPath(channel)}`);
  const list = page.getByRole("complementary", { name: "Members" });
  await list.getByText(`Offline — ${(membersCount + 1).toLocaleString("en")}`).waitFor();
  await list.getByRole("button", { name: /crowd_0001/ }).waitFor();
  const drawn = list.getByRole("button", { name: /crowd_/ });
  const inSight = 60;
  await expect.poll(() => drawn.count()).toBeLessThan(inSight);
  expect(pages.map((address) => new URL(address).searchParams.get("status"))).toEqual(["online", "offline"]);
  // Whoever is online is shown as such, and stays so while the list is looked at.
  await list.getByRole("button", { name: new RegExp(`${other.username}.*, online`) }).waitFor();

  await list.getByRole("button", { name: /crowd_0001/ }).hover();
  const [last] = z
    .array(z.object({ id: z.string() }))
    .parse(
      await runSql(stage.stack.databaseUrl, "SELECT id FROM users WHERE username = $1", [`crowd_${membersCount}`]),
    );
  await waitUntil(
    async () => {
      await page.mouse.wheel(0, 8_000);
      return subscribed.at(-1)?.includes(last?.id ?? "") === true;
    },
    { timeoutMs: 60_000, what: "a subscription to the last of the members" },
  );
  await list.getByRole("button", { name: `crowd_${membersCount}` }).waitFor();
  await expect.poll(() => drawn.count()).toBeLessThan(inSight);
  // Those in sight, and the authors of what is written in the channel.
  for (const ids of subscribed) expect(ids.length).toBeLessThan(inSight);
  for (const closing of [page, talker]) await closing.context().close();
}, 90_000);
