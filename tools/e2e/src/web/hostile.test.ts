import { joinServer, type Page, waitUntil } from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import {
  type Conversation,
  composer,
  messageWith,
  openConversation,
  registerAs,
  useWebStage,
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

// A real upload: the service has the last word on the type of a file.
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

// Two pages of one browser, and a token that the service renews.
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
