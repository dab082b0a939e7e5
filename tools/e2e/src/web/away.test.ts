import { type Browser, startFirefox, startPushService, type TestPushService, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { subscribePhone } from "../api/stages/push-stage.js";
import { listenTo } from "./pushed-browser.js";
import { composer, messageWith, openConversation, useWebStage, workerTestMsMax } from "./web-stage.js";

// One browser has closed the page, the other one is in it. The way from the push service to the browser is Chromium's own protocol.

const stage = useWebStage({ isWhole: true });
let firefox: Browser;
let service: TestPushService;
beforeAll(async () => {
  [firefox, service] = await Promise.all([startFirefox(), startPushService()]);
});
afterAll(async () => {
  expect(service?.faults).toEqual([]);
  await Promise.all([firefox?.close(), service?.stop()]);
});

test(
  "a user who has closed the page is notified of messages from another browser, until they are read on another device",
  async () => {
    const { ada, ben, adasPage, path, channel } = await openConversation(stage, { hasWorker: true });
    const phone = await subscribePhone(service, ada);
    const { push, leave, shown } = await listenTo(stage, adasPage);
    await leave();
    const bensPage = await stage.visit(ben, { path, browser: firefox });
    const text = `@${ada.username} your move`;
    // Key by key: in Firefox the page does not notice text that is filled in at once.
    await composer(bensPage).pressSequentially(text);
    await composer(bensPage).press("Enter");
    await messageWith(bensPage, "your move").waitFor();

    await push(await phone.pushed(text));
    const title = `${ben.username} (#${channel.name}`;
    // The browser loads its picture first.
    await expect.poll(shown).toMatchObject([{ title: expect.stringContaining(title), body: text, tag: channel.id }]);

    expect((await ada.post(`/channels/${channel.id}/ack`)).status).toBe(204);
    const read = () => phone.pushes().find(({ type }) => type === "read");
    await waitUntil(() => read() !== undefined, { what: "the push that takes it back" });
    await push(read() ?? {});
    await expect.poll(shown).toEqual([]);
  },
  workerTestMsMax,
);
