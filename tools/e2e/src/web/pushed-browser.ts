import { type Page, waitUntil } from "@parley/testing";
import { expect } from "vitest";
import { channelPath, type WebStage, waitForWorker } from "./web-stage.js";

/** A notification as the browser shows it. */
interface Shown {
  title: string;
  body: string;
  tag: string;
  icon: string;
  actions: { action: string; title: string }[];
}

/**
 * The pushes to the browser of a page, and the notifications that it shows of them.
 *
 * @param known the part of the page's stored data for its notifications
 */
export async function listenTo({ stack }: Pick<WebStage, "stack">, page: Page, known = "labels") {
  const origin = stack.edgeUrl;
  const context = page.context();
  await context.grantPermissions(["notifications"], { origin });
  const tools = await context.newCDPSession(page);
  let registrationId = "";
  tools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
    const [found] = registrations.filter(({ scopeURL, isDeleted }) => scopeURL === `${origin}/app/` && !isDeleted);
    if (found !== undefined) registrationId = found.registrationId;
  });
  await tools.send("ServiceWorker.enable");
  await waitForWorker(page);
  await waitUntil(async () => registrationId !== "" && context.serviceWorkers().length > 0, {
    what: "the service worker",
  });
  const [worker] = context.serviceWorkers();
  if (worker === undefined) throw new Error("No worker");
  // The texts of the buttons, and whose notifications they are.
  const kept = `new Promise((resolve) => {
    const opened = indexedDB.open("parley.seen");
    opened.onsuccess = () => {
      const stores = opened.result.transaction(["notices", "frame"]);
      const reads = ["notices", "frame"].map((name) => stores.objectStore(name).getAll());
      stores.oncomplete = () => { opened.result.close(); resolve(JSON.stringify(reads.map(({ result }) => result))); };
    };
  })`;
  await expect.poll(() => worker.evaluate<string>(kept)).toContain(known);
  await worker.evaluate(`
    self.handledPushes = 0;
    const { waitUntil } = ExtendableEvent.prototype;
    ExtendableEvent.prototype.waitUntil = function (work) {
      waitUntil.call(this, work);
      const count = () => { if (this instanceof PushEvent) self.handledPushes += 1; };
      work.then(count, count);
    };
  `);
  const handled = () => worker.evaluate<number>("self.handledPushes");
  return {
    /** Resolves once the worker is done with it: it looks at the pages that are open. */
    push: async (payload: object): Promise<void> => {
      const before = await handled();
      await tools.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data: JSON.stringify(payload) });
      await expect.poll(handled).toBeGreaterThan(before);
    },
    /** Leaves the page; resolves once the worker sees no page any more, before which it leaves notifications to the page. */
    leave: async () => {
      await page.goto("about:blank");
      const pages = "self.clients.matchAll({ type: 'window', includeUncontrolled: true }).then(({ length }) => length)";
      await expect.poll(() => worker.evaluate<number>(pages)).toBe(0);
    },
    shown: () =>
      worker.evaluate<Shown[]>(`self.registration.getNotifications().then((all) =>
        all.map(({ title, body, tag, icon, actions }) => ({ title, body, tag, icon: new URL(icon).pathname, actions })))`),
    /** Makes the worker's part of the icon's number readable; the browser itself shows it outside of its pages. */
    watchBadge: async () => {
      await worker.evaluate("self.navigator.setAppBadge = async (count) => { self.badge = count; }");
      return () => worker.evaluate<number | undefined>("self.badge");
    },
    /** Presses a button of a notification, or the notification itself; no protocol does, so the event is made here. */
    press: (tag: string, action = "", reply: string | null = null) =>
      worker.evaluate(`self.registration.getNotifications({ tag: ${JSON.stringify(tag)} }).then(([notification]) => {
        const event = new NotificationEvent("notificationclick", { notification, action: ${JSON.stringify(action)} });
        Object.defineProperty(event, "reply", { value: ${JSON.stringify(reply)} });
        // It throws for an event that a script has made.
        Object.defineProperty(event, "waitUntil", { value: () => undefined });
        self.dispatchEvent(event);
      })`),
  };
}

/** A push about a message. */
export const pushOf = (channel: { id: string; server_id: string | null }, more: object = {}) => ({
  type: "message",
  title: "ben in #general",
  text: "Lunch?",
  server_id: channel.server_id,
  channel_id: channel.id,
  message_id: "00000000-0000-7000-8000-000000000000",
  url:
    channel.server_id === null
      ? `/app/dm/${channel.id}`
      : `/app${channelPath({ server_id: channel.server_id, id: channel.id })}`,
  tag: channel.id,
  count: 1,
  ...more,
});
