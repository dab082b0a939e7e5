import { Message } from "@parley/contracts";
import { createChannel, type Page, postMessage } from "@parley/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import {
  channelPath,
  messageWith,
  openConversation,
  sentMessage,
  useWebStage,
  waitForWorker,
  waitUntilGone,
  workerTestMsMax,
  write,
} from "./web-stage.js";

const stage = useWebStage();
const offlineLine = (page: Page) => page.getByText(/^You’re offline\./);
const waitingMark = "Not sent yet. It goes out by itself once you’re back online.";

/** The browser's copy of the data that a user saw, and the content of its caches. */
const keptIn = (page: Page) =>
  page.evaluate<{ seen: string; cached: string[] }>(`(async () => {
    // Opened before the page, it would be made here, without its stores.
    if (!(await indexedDB.databases()).some(({ name }) => name === "parley.seen")) return { seen: "", cached: [] };
    const settled = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
    const database = await settled(indexedDB.open("parley.seen"));
    const names = [...database.objectStoreNames];
    const values = await Promise.all(names.map((name) => settled(database.transaction(name).objectStore(name).getAll())));
    database.close();
    const cached = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) cached.push(new URL(url).pathname);
    return { seen: JSON.stringify(values.flat()), cached };
  })()`);

test(
  "the page opens without a network with what was seen last, and goes on when the network is back",
  async () => {
    const { ada, ben, adasPage, server, channel, path } = await openConversation(stage, { hasWorker: true });
    const plans = await createChannel(ada, server.id, { name: "plans" });
    await postMessage(ben, plans.id, "First the roof");
    await postMessage(ben, channel.id, "Good morning");
    await messageWith(adasPage, "Good morning").waitFor();
    const channels = (page: Page) => page.getByRole("navigation", { name: "Channels" });
    await channels(adasPage).getByRole("link", { name: /plans/ }).click();
    await messageWith(adasPage, "First the roof").waitFor();
    await waitForWorker(adasPage);
    await expect
      .poll(async () => (await keptIn(adasPage)).seen)
      .toMatch(/Good morning(.|\n)*First the roof|First the roof(.|\n)*Good morning/);

    const context = adasPage.context();
    await context.setOffline(true);
    await adasPage.reload();
    await offlineLine(adasPage).waitFor();
    await messageWith(adasPage, "First the roof").getByText(ben.username).first().waitFor();
    await channels(adasPage)
      .getByRole("link", { name: /general/ })
      .click();
    await messageWith(adasPage, "Good morning").waitFor();
    await write(adasPage, "Written on the train");
    await messageWith(adasPage, "Written on the train").getByText(waitingMark).waitFor();
    await adasPage.close();

    // Closed and opened again, it is still there, and still waits.
    const page = await context.newPage();
    await page.goto(`${stage.stack.edgeUrl}/app${path}`);
    await messageWith(page, "Good morning").waitFor();
    await messageWith(page, "Written on the train").waitFor();
    await postMessage(ben, channel.id, "Are you there?");
    await offlineLine(page).waitFor();
    await context.setOffline(false);
    await waitUntilGone(offlineLine(page));
    await messageWith(page, "Are you there?").waitFor();
    await sentMessage(page, "Written on the train");
    const list = (await ada.get(`/channels/${channel.id}/messages`)).expect(200, z.array(Message));
    expect(list.filter(({ content }) => content === "Written on the train").length).toBe(1);
  },
  workerTestMsMax,
);

test(
  "after the logout the browser has nothing of what was seen, and its caches have files of the page alone",
  async () => {
    const { ada, ben, adasPage, channel } = await openConversation(stage, { hasWorker: true });
    await postMessage(ben, channel.id, "Between us");
    await messageWith(adasPage, "Between us").waitFor();
    await waitForWorker(adasPage);
    await expect.poll(async () => (await keptIn(adasPage)).seen).toContain("Between us");
    const other = await adasPage.context().newPage();
    await other.goto(`${stage.stack.edgeUrl}/app${channelPath(channel)}`);
    await messageWith(other, "Between us").waitFor();
    await adasPage.getByRole("button", { name: new RegExp(`^${ada.username}\\b.*Online$`) }).click();
    await adasPage.getByRole("menuitem", { name: "Log out" }).click();
    for (const page of [adasPage, other]) await page.getByRole("heading", { name: "Log in to Parley" }).waitFor();
    await expect.poll(async () => (await keptIn(adasPage)).seen).toBe("[]");
    const { cached } = await keptIn(adasPage);
    expect(cached.length).toBeGreaterThan(10);
    expect(cached.filter((name) => !/^\/app\/(index\.html|assets\/.+\.(js|css))$/.test(name))).toEqual([]);
    await adasPage.context().setOffline(true);
    await adasPage.reload();
    await adasPage.getByRole("heading", { name: "Log in to Parley" }).waitFor();
  },
  workerTestMsMax,
);
