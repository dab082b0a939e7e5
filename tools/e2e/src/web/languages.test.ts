import type { Page } from "@parley/testing";
import { describe, expect, test } from "vitest";
import { registerAs, useWebStage } from "./web-stage.js";

const stage = useWebStage();
// The rest is in packages/web/src/texts/languages.page.test.tsx: these need the scripts of the build.

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

  test("the language of a stranger is that of what follows, whose texts come with it", async () => {
    const { page, catalogues } = await visitLogin("de", "Bei Parley anmelden");
    const { username, password } = await registerAs(stage.client, "lea");
    await page.getByRole("textbox", { name: "Benutzername" }).fill(username);
    await page.getByLabel("Passwort", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Anmelden", exact: true }).click();
    await heading(page, "Willkommen bei Parley").waitFor();
    expect(catalogues).toEqual(["german-start", "german"]);
  });
});
