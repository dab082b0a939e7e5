import { DmChannel } from "@parley/contracts";
import { createViews, type Views } from "@parley/presence";
import { connectRedis, type RedisConnection } from "@parley/redis";
import { createChannel, createServerWithMembers, type Page, postMessage } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { act, channelPath, composer, useOwnWebStage } from "./web-stage.js";

const stage = useOwnWebStage({ gateways: 2 });

let redis: RedisConnection;
/** As a process sees it that is no gateway. */
let views: Views;
beforeAll(async () => {
  const logger = { info: () => {}, warn: () => {} };
  redis = await connectRedis({ url: stage.stack.redis.url, name: "test", logger });
  views = createViews({ redis });
});
afterAll(() => redis?.close());

const Frame = z.looseObject({ op: z.string(), d: z.unknown() });

/** Waits until the user looks at these of the channels and at no other ones. */
const expectLooks = (userId: string, channels: Readonly<Record<string, boolean>>) => {
  const pairs = Object.keys(channels).map((channelId) => ({ userId, channelId }));
  return expect.poll(() => views.lookedAt(pairs), { timeout: 15_000 }).toEqual(Object.values(channels));
};

/** Lets the page find itself shown or hidden, with or without the keyboard, as a browser tells it. */
const setLooked = (page: Page, { isVisible, hasFocus }: { isVisible: boolean; hasFocus: boolean }) =>
  page.evaluate(`
    Object.defineProperty(document, "visibilityState", { value: "${isVisible ? "visible" : "hidden"}", configurable: true });
    document.hasFocus = () => ${hasFocus};
    (${isVisible} ? window : document).dispatchEvent(new Event("${!isVisible ? "visibilitychange" : hasFocus ? "focus" : "blur"}"));
  `);

test("the channel on the screen is looked at, its thread as well, and not the one that was left", async () => {
  const { owner, members, server, channel } = await createServerWithMembers(stage.client, 1);
  const other = await createChannel(owner, server.id, { name: "endgames" });
  const dm = (await owner.post("/dm-channels", { user_id: members[0]?.user.id })).expect(201, DmChannel);
  await postMessage(owner, channel.id, "Shall we?");
  const page = await stage.visit(owner, { path: channelPath(channel) });
  await composer(page).waitFor();
  const { id } = owner.user;
  await expectLooks(id, { [channel.id]: true, [other.id]: false, [dm.id]: false });
  await act(page, "Shall we?", "Reply in a thread");
  await page.getByRole("complementary", { name: "Thread" }).waitFor();
  await expectLooks(id, { [channel.id]: true, [other.id]: false, [dm.id]: false });
  await page
    .getByRole("navigation", { name: "Channels" })
    .getByRole("link", { name: /endgames/ })
    .click();
  await expectLooks(id, { [channel.id]: false, [other.id]: true, [dm.id]: false });
  await page.goto(`${stage.stack.edgeUrl}/app/dm/${dm.id}`);
  await composer(page).waitFor();
  await expectLooks(id, { [channel.id]: false, [other.id]: false, [dm.id]: true });
  await page.getByRole("navigation", { name: "Servers" }).getByRole("link", { name: "Discover servers" }).click();
  await expectLooks(id, { [channel.id]: false, [other.id]: false, [dm.id]: false });
  await page.context().close();
});

test("a page that is hidden or behind another window is not looked at, and is again once it is in front", async () => {
  const { owner, channel } = await createServerWithMembers(stage.client, 0);
  const page = await stage.visit(owner, { path: channelPath(channel) });
  await composer(page).waitFor();
  const looks = (isLooked: boolean) => expectLooks(owner.user.id, { [channel.id]: isLooked });
  await looks(true);
  await setLooked(page, { isVisible: false, hasFocus: true });
  await looks(false);
  await setLooked(page, { isVisible: true, hasFocus: true });
  await looks(true);
  await setLooked(page, { isVisible: true, hasFocus: false });
  await looks(false);
  await setLooked(page, { isVisible: true, hasFocus: true });
  await looks(true);
  await page.context().close();
  await looks(false);
});

test("what is on the screen is said again on the next connection after the gateway died", async () => {
  const { owner, channel } = await createServerWithMembers(stage.client, 0);
  /** What each connection said, in order. */
  const said: unknown[][] = [];
  const prepare = async (page: Page) =>
    void page.on("websocket", (socket) => {
      const ops: unknown[] = [];
      said.push(ops);
      socket.on("framesent", ({ payload }) => {
        const { op, d } = Frame.parse(JSON.parse(String(payload)));
        if (op === "VIEW") ops.push(d);
      });
    });
  const page = await stage.visit(owner, { path: channelPath(channel), prepare });
  await composer(page).waitFor();
  const shown = { channel_ids: [channel.id], active: true };
  await expect.poll(() => said.flat(), { timeout: 15_000 }).toEqual([shown]);
  const before = said.length;
  await stage.stack.startGateway();
  await Promise.all(stage.stack.gateways.slice(0, 2).map((gateway) => gateway.kill()));
  await expect.poll(() => said.slice(before).flat(), { timeout: 30_000 }).toEqual([shown]);
  await expectLooks(owner.user.id, { [channel.id]: true });
  await page.context().close();
}, 60_000);
