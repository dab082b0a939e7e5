import { generateKeyPairSync, randomBytes } from "node:crypto";
import { AuthResponse, NotificationSettings, PushSubscription, PushSubscriptionList } from "@parley/contracts";
import { createServerWithMembers, type Page, postMessage, type RestClient } from "@parley/testing";
import { expect, test } from "vitest";
import { useWebStage, waitForWorker, workerTestMsMax } from "./web-stage.js";

const stage = useWebStage({ isWhole: true });
const path = "/account/notifications";

const { x = "", y = "" } = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" });
const point = Buffer.concat([Buffer.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);

/**
 * The part of the browser that talks to its vendor's push service, which no test reaches; it keeps its data in
 * localStorage. Also counts how often the person is asked.
 */
const pushService = `
  const keys = ${JSON.stringify({ p256dh: point.toString("base64url"), auth: randomBytes(16).toString("base64url") })};
  const bytesOf = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0)).buffer;
  const current = () => {
    const kept = JSON.parse(localStorage.getItem("test.subscription"));
    return kept && {
      options: { applicationServerKey: bytesOf(kept.key) },
      toJSON: () => ({ endpoint: kept.endpoint, keys }),
      unsubscribe: async () => localStorage.removeItem("test.subscription"),
    };
  };
  PushManager.prototype.getSubscription = async () => current();
  PushManager.prototype.subscribe = async ({ applicationServerKey: key }) => {
    const endpoint = current()?.toJSON().endpoint ?? "https://push.example/" + crypto.randomUUID();
    localStorage.setItem("test.subscription", JSON.stringify({ key, endpoint }));
    return current();
  };
`;
const countQuestions = `
  globalThis.questions = 0;
  const ask = Notification.requestPermission;
  Notification.requestPermission = () => { questions += 1; return ask.call(Notification); };
`;

const devicesOf = async (user: RestClient) =>
  (await user.get("/users/@me/push-subscriptions")).expect(200, PushSubscriptionList).subscriptions;
const list = (page: Page) => page.getByRole("list", { name: "Devices that are notified" }).getByRole("listitem");
const notifyHere = (page: Page) => page.getByRole("button", { name: "Notify this device" });
const permit = (page: Page) => page.context().grantPermissions(["notifications"], { origin: stage.stack.edgeUrl });

test(
  "a device is named after a click, goes on over changes of the browser and the key, and ends with the logout",
  async () => {
    const { owner: ada } = await createServerWithMembers(stage.client, 0);
    // Another session sees the ends that a logout causes.
    const { access_token } = (
      await stage.client.post("/auth/login", { username: ada.username, password: ada.password })
    ).expect(200, AuthResponse);
    const elsewhere = stage.client.withAuthorization(`Bearer ${access_token}`);
    const page = await stage.visit(ada, { hasWorker: true, path, script: pushService + countQuestions });
    await waitForWorker(page);
    await notifyHere(page).waitFor();
    expect(await page.evaluate("questions")).toBe(0);
    await notifyHere(page).click();
    await page.getByText("Your browser is blocking notifications from Parley.").waitFor();
    expect(await page.evaluate("questions")).toBe(1);
    expect(await devicesOf(ada)).toEqual([]);

    await permit(page);
    await notifyHere(page).click();
    await list(page).filter({ hasText: "Chrome, Linux" }).filter({ hasText: "This device" }).waitFor();
    await expect.poll(() => notifyHere(page).count()).toBe(0);
    const [named] = await devicesOf(ada);
    expect(named?.label).toBe("Chrome, Linux");

    const kept = () =>
      page.evaluate<{ key: string; endpoint: string }>("JSON.parse(localStorage.getItem('test.subscription'))");
    const { key, endpoint } = await kept();
    // Lost by the browser, which says so.
    await page.evaluate("localStorage.removeItem('test.subscription')");
    const [worker] = page.context().serviceWorkers();
    await worker?.evaluate(`
      const event = new Event("pushsubscriptionchange");
      event.waitUntil = () => undefined;
      self.dispatchEvent(event);
    `);
    await expect.poll(async () => (await devicesOf(ada)).map(({ id }) => id === named?.id)).toEqual([false]);
    const [second] = await devicesOf(ada);
    // Lost while there was no page.
    await page.evaluate("localStorage.removeItem('test.subscription')");
    await page.reload();
    await expect.poll(async () => (await devicesOf(ada)).map(({ id }) => id === second?.id)).toEqual([false]);
    expect((await kept()).endpoint).not.toBe(endpoint);
    // Made with the key that the installation had before.
    const former = { key: key.replace(/^..../, "BAAA"), endpoint: (await kept()).endpoint };
    await page.evaluate(`localStorage.setItem("test.subscription", ${JSON.stringify(JSON.stringify(former))})`);
    await page.reload();
    await expect.poll(async () => (await kept())?.key).toBe(key);
    await expect.poll(async () => (await kept()).endpoint).not.toBe(former.endpoint);
    await expect.poll(async () => (await devicesOf(ada)).length).toBe(1);

    await page.goto(`${stage.stack.edgeUrl}/app/friends`);
    await page.getByRole("button", { name: new RegExp(`^${ada.username}\\b.*Online$`) }).click();
    await page.getByRole("menuitem", { name: "Log out" }).click();
    await expect.poll(() => devicesOf(elsewhere)).toEqual([]);
    await expect.poll(kept).toBe(null);
  },
  workerTestMsMax,
);

test(
  "devices are removed in the list, and pushes are switched off, or go without texts",
  async () => {
    const { owner: ada } = await createServerWithMembers(stage.client, 0);
    const body = { endpoint: `https://push.example/${randomBytes(8).toString("hex")}`, label: "Old phone" };
    const keys = { p256dh: point.toString("base64url"), auth: randomBytes(16).toString("base64url") };
    (await ada.post("/users/@me/push-subscriptions", { ...body, keys })).expect(201, PushSubscription);
    const page = await stage.visit(ada, { hasWorker: true, path, script: pushService });
    await permit(page);
    await waitForWorker(page);
    await list(page).filter({ hasText: "Old phone" }).waitFor();
    await notifyHere(page).click();
    await expect.poll(() => list(page).count()).toBe(2);
    await list(page).filter({ hasText: "Old phone" }).getByRole("button", { name: "Remove" }).click();
    await expect.poll(() => list(page).count()).toBe(1);
    await list(page).filter({ hasText: "This device" }).getByRole("button", { name: "Remove" }).click();
    await notifyHere(page).waitFor();
    expect(await devicesOf(ada)).toEqual([]);
    const settings = async () => (await ada.get("/users/@me/notifications")).expect(200, NotificationSettings).push;
    await page.getByRole("checkbox", { name: "With the text of messages" }).click();
    await expect.poll(settings).toEqual({ enabled: true, content: false });
    await page.getByRole("checkbox", { name: "Notify my devices" }).click();
    await expect.poll(settings).toEqual({ enabled: false, content: false });
  },
  workerTestMsMax,
);

test(
  "a page in the background notifies of what is not pushed to its device, and of nothing else",
  async () => {
    const { owner: ada, members, channel } = await createServerWithMembers(stage.client, 1);
    const [ben] = members;
    const inBackground = `
    Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
    globalThis.notified = [];
    globalThis.Notification = class extends Notification {
      constructor(title, options) { super(title, options); notified.push(options.body); }
    };
    if (location.protocol !== "about:") localStorage.setItem("parley.notifications", "on");
  `;
    const page = await stage.visit(ada, { hasWorker: true, path, script: pushService + inBackground });
    await permit(page);
    await waitForWorker(page);
    await notifyHere(page).click();
    await list(page).filter({ hasText: "This device" }).waitFor();
    await postMessage(ben, channel.id, `@${ada.username} pushed`);
    await expect.poll(() => page.title()).toMatch(/^\(1\)/);
    await list(page).filter({ hasText: "This device" }).getByRole("button", { name: "Remove" }).click();
    await notifyHere(page).waitFor();
    await postMessage(ben, channel.id, `@${ada.username} not pushed`);
    await expect.poll(() => page.evaluate("notified")).toEqual([`@${ada.username} not pushed`]);
  },
  workerTestMsMax,
);

test(
  "a browser whose push service is out of reach says so, and is no device",
  async () => {
    const { owner: ada } = await createServerWithMembers(stage.client, 0);
    const page = await stage.visit(ada, { hasWorker: true, path });
    await permit(page);
    await waitForWorker(page);
    await notifyHere(page).click();
    await page.getByText("Your browser’s notification service can’t be reached.").waitFor();
    expect(await devicesOf(ada)).toEqual([]);
  },
  workerTestMsMax,
);
