import { Server } from "@parley/contracts";
import sharp from "sharp";
import { expect, test } from "vitest";
import { listenTo, pushOf } from "./pushed-browser.js";
import { openConversation, useWebStage, workerTestMsMax } from "./web-stage.js";

// The service worker's work on pushes, which Chromium's own protocol delivers here: there is no push service of a
// browser vendor in a test.

const stage = useWebStage({ isWhole: true });

test(
  "a push is one notification of its channel, with what can be done about it, until it is read elsewhere",
  async () => {
    const { ada, adasPage, channel, server } = await openConversation(stage, { hasWorker: true });
    const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: "teal" } })
      .png()
      .toBuffer();
    const body = new FormData();
    body.append("image", new Blob([new Uint8Array(picture)], { type: "image/png" }), "server.png");
    const { icon_url } = (await ada.send("POST", `/servers/${server.id}/icon`, { body })).expect(200, Server);
    const { push, leave, shown, watchBadge } = await listenTo(stage, adasPage, icon_url ?? "none");
    const badge = await watchBadge();
    // A user with a visible page sees new messages there.
    await push(pushOf({ id: "seen in the page", server_id: null }));
    await leave();
    await push(pushOf(channel));
    const actions = [
      { action: "reply", title: "Reply" },
      { action: "read", title: "Mark as read" },
    ];
    const first = { title: "ben in #general", body: "Lunch?", tag: channel.id };
    await expect.poll(shown).toMatchObject([{ ...first, icon: `/api${icon_url}`, actions }]);
    expect(await badge()).toBe(1);
    // A copy of it changes nothing.
    await push(pushOf(channel));
    const { text: _text, ...withoutText } = pushOf(channel, { count: 3 });
    await push(withoutText);
    await expect.poll(shown).toMatchObject([{ title: "(3) ben in #general", body: "", tag: channel.id }]);
    await push(pushOf({ id: "another", server_id: null }));
    await expect.poll(async () => (await shown()).map(({ tag }) => tag).sort()).toEqual([channel.id, "another"].sort());
    await expect.poll(badge).toBe(5);
    await push({ type: "read", tag: channel.id });
    await expect.poll(async () => (await shown()).map(({ tag }) => tag)).toEqual(["another"]);
    await expect.poll(badge).toBe(1);
  },
  workerTestMsMax,
);
