import { randomBytes } from "node:crypto";
import {
  type Browser,
  type ChromiumOptions,
  createClient,
  createGate,
  createServerWithMembers,
  type Page,
  type RestClient,
  type ServerFixture,
  type SharedStack,
  type StackOptions,
  sharedChromium,
  sharedStack,
  startChromium,
  startStack,
  type TestStack,
  type UserClient,
  waitUntil,
} from "@parley/testing";
import { afterAll, beforeAll, expect, onTestFinished, TestRunner } from "vitest";
import { expectPresenceBefore, rememberPresence } from "./presence.js";

/** The address of a visit, and the properties of its browser. */
export interface Visit {
  /** Below `/app`; the start otherwise. */
  readonly path?: string;
  readonly colorScheme?: "dark" | "light";
  readonly viewport?: { width: number; height: number };
  /** The browser's language, "en-GB" otherwise. */
  readonly locale?: string;
  /** A telephone: touched, without a mouse. */
  readonly isTouch?: boolean;
  /** Script that runs in each of the pages before their own. */
  readonly script?: string;
  /** With the service worker, whose answers no route of a test sees. */
  readonly hasWorker?: boolean;
  /** Where the application is, the stack's own address otherwise. */
  readonly origin?: string;
  /** In place of the stage's own. */
  readonly browser?: Browser;
  /** Is called with the page before it loads anything. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

/** The application on a stack of two apis and two gateways, and one browser that visits it. */
export interface WebStage<Stack extends SharedStack = SharedStack> {
  readonly stack: Stack;
  readonly browser: Browser;
  readonly client: RestClient;
  /**
   * A page in a context of its own, in which the user is logged in; nobody without one. It closes with the test that opened
   * it; one of `beforeAll`, with the file.
   */
  readonly visit: (user: UserClient | null, visit?: Visit) => Promise<Page>;
}

/** How long an action on a page waits for its element. */
export const pageTimeoutMs = 45_000;
/** How long an action of a message is looked for before the pointer goes there again. */
const actionTimeoutMs = 3_000;
const stageTimeoutMs = 180_000;

/** A stage during the tests of the file, on the shared stack; its browser is shared, too, unless it needs options. */
export function useWebStage(chromium?: ChromiumOptions): WebStage {
  return useStage(async (undo) => {
    const stack = await sharedStack();
    if (chromium === undefined) return { stack, browser: await sharedChromium() };
    const browser = await startChromium(chromium);
    undo.push(() => browser.close());
    return { stack, browser };
  });
}

/** The same on a stack of the file's own, for tests that need settings or stop something. */
export function useOwnWebStage(options: StackOptions = {}): WebStage<TestStack> {
  return useStage(async (undo) => {
    const stack = await startStack({ apis: 2, ...options });
    undo.push(() => stack.stop());
    return { stack, browser: await sharedChromium() };
  });
}

type Undo = (() => Promise<unknown>)[];

/**
 * The file fails when one of its pages had an uncaught error, or tried something that the Content-Security-Policy
 * forbids.
 */
function useStage<Stack extends SharedStack>(
  start: (undo: Undo) => Promise<{ stack: Stack; browser: Browser }>,
): WebStage<Stack> {
  const undo: Undo = [];
  const failures: string[] = [];
  let started: { stack: Stack; browser: Browser };
  let client: RestClient;
  beforeAll(async () => {
    started = await start(undo);
    client = createClient(started.stack.edgeUrl, { prefix: "/api" });
  }, stageTimeoutMs);
  afterAll(async () => {
    for (const step of undo.splice(0).reverse()) await step();
    expect(failures).toEqual([]);
  });
  return {
    get stack() {
      return started.stack;
    },
    get browser() {
      return started.browser;
    },
    get client() {
      return client;
    },
    async visit(
      user,
      {
        path = "/",
        colorScheme = "dark",
        viewport = { width: 1280, height: 800 },
        locale = "en-GB",
        isTouch = false,
        script,
        hasWorker = false,
        origin = started.stack.edgeUrl,
        browser: visitor = started.browser,
        prepare,
      } = {},
    ) {
      const context = await visitor.newContext({
        colorScheme,
        viewport,
        hasTouch: isTouch,
        isMobile: isTouch,
        locale,
        serviceWorkers: hasWorker ? "allow" : "block",
        // Firefox knows none of them.
        ...(visitor === started.browser ? { permissions: ["clipboard-read", "clipboard-write"] } : {}),
        storageState: { cookies: [], origins: user === null ? [] : [{ origin, localStorage: kept(user) }] },
      });
      const close = () => context.close();
      if (TestRunner.getCurrentTest() === undefined) undo.push(close);
      else onTestFinished(close);
      context.setDefaultTimeout(pageTimeoutMs);
      context.on("page", rememberPresence);
      context.on("weberror", (error) => failures.push(String(error.error().stack)));
      context.on("console", (message) => {
        const text = message.text();
        if (message.type() === "error" && /Content Security Policy|Refused to/.test(text)) failures.push(text);
      });
      if (script !== undefined) await context.addInitScript(script);
      const page = await context.newPage();
      await prepare?.(page);
      await page.goto(`${origin}/app${path}`);
      return page;
    },
  };
}

/** How long a service worker may take to be installed: all files of the application are kept first. */
export const installMsMax = 45_000;

/** For tests that install it. */
export const workerTestMsMax = 120_000;

/** Waits until the service worker answers for a page. */
export const waitForWorker = (page: Page) =>
  expect
    .poll(() => page.evaluate<boolean>("navigator.serviceWorker.controller !== null"), { timeout: installMsMax })
    .toBe(true);

const kept = ({ accessToken, refreshToken }: UserClient) => [
  { name: "parley.tokens", value: JSON.stringify({ accessToken, refreshToken }) },
];

/** Registers somebody with a name that a person can read. */
export const registerAs = (client: RestClient, name: string): Promise<UserClient> =>
  client.register({ username: `${name}_${randomBytes(4).toString("hex")}` });

/** A server whose channel #general two people have open, each in a browser of their own. */
export interface Conversation extends ServerFixture {
  readonly ada: UserClient;
  readonly ben: UserClient;
  readonly adasPage: Page;
  readonly bensPage: Page;
  /** The path of the channel, below `/app`. */
  readonly path: string;
}

/** Opens a conversation: Ada owns the server, Ben is a member. */
export async function openConversation(
  { client, visit }: Pick<WebStage, "client" | "visit">,
  options: Visit = {},
): Promise<Conversation> {
  const fixture = await createServerWithMembers(client, 1);
  const { owner: ada, members, server, channel } = fixture;
  const [ben] = members;
  const path = channelPath({ server_id: server.id, id: channel.id });
  const adasPage = await visit(ada, { ...options, path });
  const bensPage = await visit(ben, { ...options, path });
  await composer(adasPage).waitFor();
  await composer(bensPage).waitFor();
  return { ...fixture, ada, ben, adasPage, bensPage, path };
}

/** The address of a channel, below `/app`. */
export const channelPath = ({ server_id, id }: { server_id: string; id: string }) =>
  `/servers/${server_id}/channels/${id}`;

/** Where a message is written. */
export const composer = (page: Page) => page.getByRole("textbox", { name: /^Message / });

/** Writes a message and sends it. */
export async function write(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press("Enter");
}

/** The message with a text. */
export const messageWith = (page: Page, text: string | RegExp) =>
  page.getByRole("region", { name: "Messages" }).getByRole("article").filter({ hasText: text });

/**
 * The message with a text once the server has it: a message that is still being sent has no actions, and ends with its
 * page.
 */
export async function sentMessage(page: Page, text: string): Promise<ReturnType<typeof messageWith>> {
  await messageWith(page, text).filter({ hasNotText: "Sending" }).waitFor();
  return messageWith(page, text);
}

/** Presses an action that appears while the pointer is over a message. */
export async function act(page: Page, text: string, action: string): Promise<void> {
  const message = await sentMessage(page, text);
  const button = message.getByRole("toolbar").getByRole("button", { name: action, exact: true });
  // A message that arrives meanwhile moves the other away from under the pointer.
  await waitUntil(
    async () => {
      await message.hover({ timeout: pageTimeoutMs });
      await button.click({ timeout: actionTimeoutMs });
      return true;
    },
    { timeoutMs: pageTimeoutMs, what: `${action} at “${text}”` },
  );
}

/** Picks an entry of a message's menu. */
export async function actInMenu(page: Page, text: string, entry: string): Promise<void> {
  await act(page, text, "More");
  await page.getByRole("menuitem", { name: entry, exact: true }).click();
}

/** Presses a button that copies something, and resolves with the copied text. */
export async function copyWith(button: ReturnType<typeof messageWith>): Promise<string> {
  const page = button.page();
  await page.evaluate("navigator.clipboard.writeText('')");
  await button.click();
  return waitUntil(
    async () => {
      const copied = await page.evaluate<string>("navigator.clipboard.readText()");
      return copied !== "" && copied;
    },
    { timeoutMs: pageTimeoutMs, what: "something in the clipboard" },
  );
}

/** Waits until a field has a value. */
export const waitForValue = (field: ReturnType<typeof messageWith>, value: string) =>
  waitUntil(async () => (await field.inputValue()) === value, {
    timeoutMs: pageTimeoutMs,
    what: `“${value}” in ${field}`,
  });

/** Waits until a locator has so many elements; 0 only after it had some, see {@link expectPresenceBefore}. */
export async function waitForCount(locator: ReturnType<typeof messageWith>, count: number): Promise<void> {
  if (count === 0) expectPresenceBefore(locator);
  const what = `${count} × ${locator}`;
  await waitUntil(async () => (await locator.count()) === count, { timeoutMs: pageTimeoutMs, what });
}

/** Waits until an element that was on the page is gone, or hidden; see {@link expectPresenceBefore}. */
export async function waitUntilGone(locator: ReturnType<typeof messageWith>): Promise<void> {
  expectPresenceBefore(locator);
  await locator.waitFor({ state: "hidden" });
}

/** The server answers the next request for an address at once; the page has the answer when it is released. */
export async function holdAnswer(page: Page, address: RegExp) {
  const given = createGate();
  const released = createGate();
  await page.route(
    address,
    async (route) => {
      const response = await route.fetch();
      given.open();
      await released.opened;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  return { given: given.opened, release: released.open };
}
