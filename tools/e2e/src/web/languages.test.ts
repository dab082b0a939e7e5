import { createServerWithMembers, type Page, postMessage } from "@parley/testing";
import { describe, expect, test } from "vitest";
import { findingsInBothSchemes } from "./barriers.js";
import { channelPath, registerAs, useWebStage } from "./web-stage.js";

const stage = useWebStage();
const widths = [
  { screen: "desktop", viewport: { width: 1280, height: 800 } },
  { screen: "telephone", viewport: { width: 390, height: 844 } },
] as const;

const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });
const written = (page: Page) =>
  page.evaluate<string[]>("[document.documentElement.lang, document.documentElement.dir]");

/** Visits the login with a browser that asks for a language, and names the catalogues that it loads. */
async function visitLogin(locale: string, title: string) {
  const catalogues: string[] = [];
  const page = await stage.visit(null, {
    locale,
    prepare: async (fresh) => {
      fresh.on("request", (request) => {
        const name = /\/((?:english|german|arabic)(?:-start)?)-[\w-]{8}\.js/.exec(request.url())?.[1];
        if (name !== undefined) catalogues.push(name);
      });
    },
  });
  await heading(page, title).waitFor();
  return { page, catalogues };
}

describe("the language of a stranger", () => {
  test("the language of a stranger is what the browser asks for, and only what the login needs of its catalogue is loaded", async () => {
    const german = await visitLogin("de-AT", "Bei Parley anmelden");
    expect([german.catalogues, await written(german.page)]).toEqual([["german-start"], ["de", "ltr"]]);
    const arabic = await visitLogin("ar", "تسجيل الدخول إلى Parley");
    expect([arabic.catalogues, await written(arabic.page)]).toEqual([["arabic-start"], ["ar", "rtl"]]);
    const other = await visitLogin("ja", "Log in to Parley");
    expect([other.catalogues, await written(other.page)]).toEqual([[], ["en", "ltr"]]);
  });

  test("the language of a stranger stays English while its catalogue cannot be loaded", async () => {
    const page = await stage.visit(null, {
      locale: "de",
      prepare: async (fresh) => {
        await fresh.route(/\/german-[^/]*\.js/, (route) => route.abort());
      },
    });
    await heading(page, "Log in to Parley").waitFor();
  });

  test("the language of a stranger is that of the errors which people meet often", async () => {
    const { page } = await visitLogin("de", "Bei Parley anmelden");
    await page.getByRole("textbox", { name: "Benutzername" }).fill("nobody");
    await page.getByLabel("Passwort", { exact: true }).fill("a wrong one");
    await page.getByRole("button", { name: "Anmelden" }).click();
    await page.getByText("Benutzername oder Passwort stimmt nicht.").waitFor();
  });

  test("the language of a stranger is that of what follows, whose texts come with it", async () => {
    const { page, catalogues } = await visitLogin("de", "Bei Parley anmelden");
    const { username, password } = await registerAs(stage.client, "lea");
    await page.getByRole("textbox", { name: "Benutzername" }).fill(username);
    await page.getByLabel("Passwort", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Anmelden" }).click();
    await heading(page, "Willkommen bei Parley").waitFor();
    expect(catalogues).toEqual(["german-start", "german"]);
  });
});

test("the language chosen in the settings is there at once, is kept, and is that of the page's requests", async () => {
  const page = await stage.visit(await registerAs(stage.client, "lea"), { path: "/account/appearance" });
  await page.evaluate("window.isSamePage = true");
  await page.getByRole("combobox", { name: "Language" }).selectOption("ar");
  await heading(page, "حسابي").waitFor();
  expect([await page.evaluate("window.isSamePage"), await written(page)]).toEqual([true, ["ar", "rtl"]]);
  const request = page.waitForRequest(/\/api\/auth\/sessions$/);
  await page.getByRole("link", { name: "الجلسات" }).click();
  expect((await (await request).allHeaders())["accept-language"]).toBe("ar");
  await page.reload();
  await heading(page, "حسابي").waitFor();
  await page.getByRole("link", { name: "المظهر" }).click();
  await page.getByRole("combobox", { name: "اللغة" }).selectOption("browser");
  await heading(page, "My account").waitFor();
  expect(await written(page)).toEqual(["en", "ltr"]);
});

test("the language and the theme chosen in one tab are those of the other tabs", async () => {
  const page = await stage.visit(await registerAs(stage.client, "mia"), { path: "/account/appearance" });
  await page.getByRole("combobox", { name: "Language" }).waitFor();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole("combobox", { name: "Language" }).selectOption("de");
  await heading(page, "Mein Konto").waitFor();
  expect(await written(page)).toEqual(["de", "ltr"]);
  await other.getByRole("combobox", { name: "Farben" }).selectOption("dark");
  await page.locator("html[data-theme=dark]").waitFor({ state: "attached" });
  await page.getByRole("combobox", { name: "Sprache" }).and(page.locator(":has(option[value=de]:checked)")).waitFor();
  await page.context().close();
});

describe.each(widths)("in Arabic on a $screen", ({ screen, viewport }) => {
  test("the page is mirrored, fits the screen, and messages keep their own direction", async () => {
    const { owner, server, channel } = await createServerWithMembers(stage.client, 1);
    await postMessage(owner, channel.id, "Hello, from left to right!");
    await postMessage(owner, channel.id, "ماذا عن `f(a) + 1`؟\n```\nreturn 0;\n```");
    const page = await stage.visit(owner, {
      locale: "ar",
      viewport,
      path: channelPath({ server_id: server.id, id: channel.id }),
    });
    const message = page.getByText("Hello, from left to right!");
    await message.waitFor();
    await message.and(page.locator(":dir(ltr)")).waitFor();
    await page.locator("p:dir(rtl) > code:dir(ltr)").waitFor();
    await page.locator("pre:dir(ltr)").waitFor();
    await page.locator("textarea[data-composer]:dir(rtl)").fill("The same for what is typed");
    await page.locator("textarea[data-composer]:dir(ltr)").fill("");
    expect.soft(await findingsInBothSchemes(page)).toEqual([]);
    await expectToFit(page);
    if (screen === "telephone") await page.getByRole("button", { name: "الخوادم والقنوات" }).click();
    const rail = page.getByRole("navigation", { name: "الخوادم", exact: true });
    await rail.waitFor();
    // A drawer slides in.
    await expect.poll(async () => edges(await rail.boundingBox()).end).toBe(viewport.width);
    const channels = page.getByRole("navigation", { name: "القنوات", exact: true });
    expect(edges(await channels.boundingBox()).end).toBeLessThanOrEqual(edges(await rail.boundingBox()).start);
    const nameOf = `[...document.querySelectorAll("nav bdi")].find((name) => name.textContent === "${channel.name}")`;
    expect(await page.evaluate(`getComputedStyle(${nameOf}).textAlign`)).toBe("right");
    for (const path of ["/account/appearance", `/servers/${server.id}/settings/roles`]) {
      await page.goto(`${stage.stack.edgeUrl}/app${path}`);
      await page.getByRole("main").getByRole("heading", { level: 2 }).first().waitFor();
      await expectToFit(page);
    }
  });
});

const edges = (box: { x: number; width: number } | null) => ({
  start: box?.x ?? 0,
  end: (box?.x ?? 0) + (box?.width ?? 0),
});

/** Nothing can be scrolled sideways. */
async function expectToFit(page: Page): Promise<void> {
  const { innerWidth, scrollWidth } = await page.evaluate<{ innerWidth: number; scrollWidth: number }>(
    "({ innerWidth, scrollWidth: document.documentElement.scrollWidth })",
  );
  expect(scrollWidth, page.url()).toBeLessThanOrEqual(innerWidth);
}
