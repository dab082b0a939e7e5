import { describe, expect, test } from "vitest";
import { page } from "vitest/browser";
import { refuse } from "../page-stage/fake-server.js";
import { findingsInBothSchemes } from "../page-stage/findings.js";
import { channelPath, community, message, user } from "../page-stage/fixtures.js";
import { shown } from "../page-stage/seeing.js";
import { visit } from "../page-stage/stage.js";
import { world } from "../page-stage/world.js";

// Which catalogue is loaded, and a script that fails, need the build: tools/e2e/src/web/languages.test.ts.

const heading = (name: string) => page.getByRole("heading", { name, exact: true });
const written = () => [document.documentElement.lang, document.documentElement.dir];

test("the language of a stranger is that of the errors which people meet often", async () => {
  await visit(null, {
    locale: "de",
    prepare: (server) => server.on("POST /auth/login", () => refuse(401, "Invalid username or password")),
  });
  await shown(heading("Bei Parley anmelden"));
  await page.getByRole("textbox", { name: "Benutzername" }).fill("nobody");
  await page.getByLabelText("Passwort", { exact: true }).fill("a wrong one");
  await page.getByRole("button", { name: "Anmelden" }).click();
  await shown(page.getByText("Benutzername oder Passwort stimmt nicht."));
});

test("the language chosen in the settings is there at once, is kept, and is that of the page's requests", async () => {
  const { server, reload } = await visit(world(user("lea")), { path: "/account/appearance" });
  server.on("GET /auth/sessions", () => []);
  await page.getByRole("combobox", { name: "Language" }).selectOptions("ar");
  await shown(heading("حسابي"));
  await expect.poll(written).toEqual(["ar", "rtl"]);
  await page.getByRole("link", { name: "الجلسات" }).click();
  await expect.poll(() => server.requests("GET /auth/sessions").at(-1)?.headers.get("accept-language")).toBe("ar");
  await reload();
  await shown(heading("حسابي"));
  await page.getByRole("link", { name: "المظهر" }).click();
  await page.getByRole("combobox", { name: "اللغة" }).selectOptions("browser");
  await shown(heading("My account"));
  await expect.poll(written).toEqual(["en", "ltr"]);
});

test("the language and the theme chosen in one tab are those of the other tabs", async () => {
  await visit(world(user("mia")), { path: "/account/appearance" });
  await shown(page.getByRole("combobox", { name: "Language" }));
  const other = openTab();
  other.localStorage.setItem("parley.language", "de");
  await shown(heading("Mein Konto"));
  await expect.poll(written).toEqual(["de", "ltr"]);
  await expect.element(page.getByRole("combobox", { name: "Sprache" })).toHaveValue("de");
  other.localStorage.setItem("parley.theme", "dark");
  await expect.poll(() => document.documentElement.dataset.theme).toBe("dark");
  await expect.element(page.getByRole("combobox", { name: "Farben" })).toHaveValue("dark");
});

const screens = [
  { screen: "desktop", viewport: { width: 1280, height: 800 } },
  { screen: "telephone", viewport: { width: 390, height: 844 } },
] as const;

describe.each(screens)("in Arabic on a $screen", ({ screen, viewport }) => {
  test("the page is mirrored, fits the screen, and messages keep their own direction", async () => {
    const ada = user("ada");
    const club = community([ada, user("ben")]);
    const [general] = club.channels;
    club.messages[general.id] = [
      message(general, ada, "Hello, from left to right!"),
      message(general, ada, "ماذا عن `f(a) + 1`؟\n```\nreturn 0;\n```"),
    ];
    const stage = await visit(world(ada, [club]), { locale: "ar", viewport, path: channelPath(general) });
    await shown(page.getByText("Hello, from left to right!").and(page.getByCss(":dir(ltr)")));
    // It stands beside its author all the same.
    const alignment = () => getComputedStyle(page.getByText("Hello, from left to right!").element()).textAlign;
    await expect.poll(alignment).toBe("right");
    await shown(page.getByCss("p:dir(rtl) > code:dir(ltr)"));
    await shown(page.getByCss("pre:dir(ltr)"));
    await page.getByCss("textarea[data-composer]:dir(rtl)").fill("The same for what is typed");
    await page.getByCss("textarea[data-composer]:dir(ltr)").fill("");
    await stage.settled();
    expect.soft(await findingsInBothSchemes()).toEqual([]);
    expectToFit();
    if (screen === "telephone") await page.getByRole("button", { name: "الخوادم والقنوات" }).click();
    const rail = page.getByRole("navigation", { name: "الخوادم", exact: true });
    const channels = page.getByRole("navigation", { name: "القنوات", exact: true });
    await shown(rail);
    const edgesOf = (locator: typeof rail) => locator.element().getBoundingClientRect();
    // A drawer slides in.
    await expect.poll(() => edgesOf(rail).right).toBe(viewport.width);
    await expect.poll(() => edgesOf(channels).right - edgesOf(rail).left).toBeLessThanOrEqual(0);
    const name = channels.getByRole("link", { name: general.name }).getByCss("bdi").first();
    expect(getComputedStyle(name.element()).textAlign).toBe("right");
    for (const path of ["/account/appearance", `/servers/${club.server.id}/settings/roles`]) {
      stage.goTo(path);
      await shown(page.getByRole("main").getByRole("heading", { level: 2 }).first());
      await stage.settled();
      expectToFit();
    }
  });
});

/** Another tab of the browser; only its access to the storage matters. */
function openTab(): Window {
  const frame = document.createElement("iframe");
  frame.hidden = true;
  document.querySelector("#root")?.after(frame);
  if (frame.contentWindow === null) throw new Error("The frame has no window.");
  return frame.contentWindow;
}

/** Nothing can be scrolled sideways. */
function expectToFit(): void {
  expect(document.documentElement.scrollWidth, location.pathname).toBeLessThanOrEqual(innerWidth);
}
