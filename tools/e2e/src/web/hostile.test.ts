import { createChannel, joinServer, type Page, postMessage, waitUntil } from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import { runSql } from "../api/admin-stage.js";
import { upload } from "../api/upload-stage.js";
import {
  type Conversation,
  channelPath,
  composer,
  messageWith,
  openConversation,
  registerAs,
  sentMessage,
  useWebStage,
  waitForCount,
  waitUntilGone,
  write,
} from "./web-stage.js";

const stage = useWebStage();
let talk: Conversation;

beforeAll(async () => {
  talk = await openConversation(stage);
});

const hasRun = (page: Page) => page.evaluate<boolean>("globalThis.hacked === true");
const isWithinWindow = (page: Page) =>
  page.evaluate<boolean>("document.documentElement.scrollWidth <= document.documentElement.clientWidth");

/** Chooses files for the next message. */
async function attach(page: Page, files: { name: string; mimeType: string; buffer: Buffer }[]): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page
      .getByRole("button", { name: "Poll, event, files" })
      .click()
      .then(() => page.getByRole("menuitem", { name: "Attach files" }).click()),
  ]);
  await chooser.setFiles(files);
}

test("files with hostile names, and an SVG, are offered as files", async () => {
  const { adasPage, bensPage } = talk;
  const svg = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>top.hacked = true</script></svg>`,
  );
  const text = Buffer.from("Nothing to see");
  await attach(bensPage, [
    { name: "picture.svg", mimeType: "image/svg+xml", buffer: svg },
    { name: "\u202Etxt.<img src=x onerror=hacked>.txt", mimeType: "text/plain", buffer: text },
    { name: `${"long ".repeat(40)}.txt`, mimeType: "text/plain", buffer: text },
  ]);
  await write(bensPage, "Three files");
  const message = messageWith(adasPage, "Three files");
  await waitUntil(
    async () =>
      (await message.getByRole("link").count()) === 3 ||
      (await messageWith(bensPage, "Three files").getByRole("alert").count()) === 1,
    { what: "the files or a refusal" },
  );
  for (const page of [adasPage, bensPage]) {
    expect(await hasRun(page)).toBe(false);
    expect(await isWithinWindow(page)).toBe(true);
  }
});

test("a channel that is not there, or not for the reader, says so", async () => {
  const { ben, server } = talk;
  const hidden = await createChannel(talk.ada, server.id, { name: "secret" });
  await talk.ada.put(`/channels/${hidden.id}/overrides`, { user_id: ben.user.id, allow: 0, deny: 1 });
  const page = await stage.visit(ben, { path: channelPath(hidden) });
  await page.getByText("It doesn’t exist, or you don’t have access to it.").waitFor();
  await page.context().close();
});

test("a server with 500 channels opens, and each is found by its name", async () => {
  const { ada, server } = talk;
  await runSql(
    stage.stack.databaseUrl,
    `INSERT INTO channels (id, server_id, name, type, position, category)
     SELECT gen_random_uuid(), $1, 'channel-' || n, 'text', n, 'Category ' || n / 50 FROM generate_series(1, 500) n`,
    [server.id],
  );
  const page = await stage.visit(ada, { path: talk.path });
  await composer(page).waitFor();
  const link = page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name: "channel-487" });
  await link.click();
  await page.getByRole("heading", { name: "channel-487", level: 1 }).waitFor();
  await page.getByText("No messages yet. Say hello!").waitFor();
  await page.context().close();
});

test("names that look alike are told apart by their cards, and a name cannot take the page's direction", async () => {
  const { ada, server, channel } = talk;
  const [latin, digit] = [await registerAs(stage.client, "maxl"), await registerAs(stage.client, "max1")];
  for (const user of [latin, digit]) {
    await joinServer(user, server.id);
    await postMessage(user, channel.id, `I am ${user.username}`);
  }
  const page = await stage.visit(ada, { path: talk.path });
  for (const user of [latin, digit]) {
    await messageWith(page, `I am ${user.username}`).getByRole("button", { name: user.username, exact: true }).click();
    const name = page.getByRole("dialog").getByRole("heading", { name: user.username });
    await name.waitFor();
    await page.keyboard.press("Escape");
    await waitUntilGone(name);
  }
  await page.context().close();
});

test("a page whose session was ended elsewhere shows the login", async () => {
  const user = await registerAs(stage.client, "nils");
  const page = await stage.visit(user);
  await page.getByRole("heading", { name: "Welcome to Parley" }).waitFor();
  const change = { current_password: user.password, new_password: "another one" };
  expect((await user.post("/auth/change-password", change)).status).toBe(200);
  await page.getByRole("heading", { name: "Log in to Parley" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Log in to Parley" }).waitFor();
  await page.context().close();
});

test("two tabs share a session through a renewal of its token, and its end", async () => {
  const user = await registerAs(stage.client, "olga");
  await joinServer(user, talk.server.id);
  const first = await stage.visit(user, { path: talk.path });
  const second = await first.context().newPage();
  await second.goto(first.url());
  for (const page of [first, second]) await composer(page).waitFor();
  // As 15 minutes later.
  await first.evaluate(`(() => {
    const tokens = JSON.parse(localStorage.getItem("parley.tokens"));
    localStorage.setItem("parley.tokens", JSON.stringify({ ...tokens, accessToken: "expired" }));
  })()`);
  await Promise.all([first.reload(), second.reload()]);
  for (const page of [first, second]) await composer(page).waitFor();
  await write(first, "From the first tab");
  await write(second, "From the second tab");
  for (const page of [first, second]) {
    await messageWith(page, "From the first tab").waitFor();
    await messageWith(page, "From the second tab").waitFor();
  }
  await first.getByRole("button", { name: new RegExp(`^${user.username}\\b.*Online$`) }).click();
  await first.getByRole("menuitem", { name: "Log out" }).click();
  for (const page of [first, second]) await page.getByRole("heading", { name: "Log in to Parley" }).waitFor();
  await first.context().close();
});

test("an api that answers 500, or nothing, is told of in the interface's own words, and tried again", async () => {
  const user = await registerAs(stage.client, "piet");
  await joinServer(user, talk.server.id);
  const page = await stage.visit(user, { path: talk.path });
  await composer(page).waitFor();
  const api: { state: "broken" | "gone" | "well" } = { state: "broken" };
  await page.route(/\/messages$/, async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    if (api.state === "broken") return route.fulfill({ status: 500, contentType: "text/html", body: "<h1>nginx</h1>" });
    if (api.state === "gone") return route.abort("connectionrefused");
    return route.continue();
  });
  await write(page, "Does it arrive?");
  const message = messageWith(page, "Does it arrive?");
  const alert = message.getByRole("alert");
  await alert.waitFor();
  expect(await alert.textContent()).not.toMatch(/nginx|<h1>|undefined|\[object/);
  api.state = "gone";
  await alert.getByRole("button", { name: "Try again" }).click();
  const waiting = message.getByText("Not sent yet. It goes out by itself once you’re back online.");
  await waiting.waitFor();
  api.state = "well";
  await waitUntilGone(waiting);
  await messageWith(talk.adasPage, "Does it arrive?").waitFor();
  await waitForCount(message, 1);

  await page.route(/\/api\/.*|\/servers|\/users/, (route) =>
    route.request().resourceType() === "document" || route.request().url().includes("/app/")
      ? route.continue()
      : route.abort("connectionrefused"),
  );
  await page.goto(`${stage.stack.edgeUrl}/app/account/sessions`);
  await page.getByText("The server cannot be reached. Check your connection and try again.").first().waitFor();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.getByRole("button", { name: "Try again" }).first().click();
  await page.getByText("This device").waitFor();
  await page.context().close();
});

test.each([
  ["an hour ahead", 3_600_000],
  ["an hour behind", -3_600_000],
])(
  "with a clock %s a page shows messages in their order, who types, and files that follow",
  async (_text, offsetMs) => {
    const user = await registerAs(stage.client, "wes");
    await joinServer(user, talk.server.id);
    const script = `{
    const Clock = Date;
    globalThis.Date = class extends Clock {
      constructor(...of) { super(...(of.length === 0 ? [Clock.now() + ${offsetMs}] : of)); }
      static now() { return Clock.now() + ${offsetMs}; }
    };
  }`;
    const page = await stage.visit(user, { path: talk.path, script });
    await composer(page).waitFor();
    const texts = ["first", "second", "third", "fourth"].map((name) => `${name} of ${offsetMs}`);
    for (const [n, text] of texts.entries()) {
      await write(n % 2 === 0 ? page : talk.bensPage, text);
      // The next one is written once this one has its place.
      await messageWith(talk.bensPage, text).waitFor();
      await sentMessage(page, text);
    }
    const shown = await page.getByRole("region", { name: "Messages" }).getByRole("article").allTextContents();
    const places = texts.map((text) => shown.findIndex((content) => content.includes(text)));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBeGreaterThanOrEqual(0);
    // A page tells at most every three seconds that somebody types.
    await waitUntil(
      async () => {
        await composer(talk.bensPage).press("x");
        return (await page.getByText(/ is typing/).count()) > 0;
      },
      { what: "the news that somebody types" },
    );
    await composer(talk.bensPage).fill("");

    // Of a client that uploads it afterwards.
    const { id } = await postMessage(talk.ben, talk.channel.id, `A file follows ${offsetMs}\u200b`);
    await messageWith(page, `A file follows ${offsetMs}`).waitFor();
    expect((await upload(talk.ben, id, [{ name: "late.txt", bytes: Buffer.from("late") }])).status).toBe(201);
    await messageWith(page, `A file follows ${offsetMs}`)
      .getByRole("link", { name: /late\.txt/ })
      .waitFor();
    await page.context().close();
  },
);
