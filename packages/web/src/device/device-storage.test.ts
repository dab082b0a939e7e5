import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Window } from "happy-dom";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  categoryFolded,
  draft,
  firstSteps,
  forgetTyped,
  lastChannel,
  membersShown,
  mentionsOfDraft,
  notificationsWanted,
  recentSearchesFor,
  theme,
} from "./device-storage.js";

/** A browser whose storage has these texts. */
function browser(stored: Record<string, string> = {}): Storage {
  const { localStorage } = new Window({ url: "https://parley.example/" });
  for (const [key, text] of Object.entries(stored)) localStorage.setItem(key, text);
  vi.stubGlobal("localStorage", localStorage);
  onTestFinished(() => void vi.unstubAllGlobals());
  return globalThis.localStorage;
}

test("reads the texts that earlier versions of the page have stored", () => {
  browser({
    "parley.theme": "dark",
    "parley.members": "hidden",
    "parley.notifications": "on",
    "parley.last.7": "8",
    "parley.collapsed.7.News": "",
    "parley.first-steps": '{"7":"owner","8":"guest"}',
    "parley.draft.8": "Hello Ada L.",
    "parley.draft-mentions.8": '[["Ada L.","ada"]]',
  });
  expect(theme.read()).toBe("dark");
  expect(membersShown.read()).toBe(false);
  expect(notificationsWanted.read()).toBe(true);
  expect(lastChannel("7").read()).toBe("8");
  expect(categoryFolded("7", "News").read()).toBe(true);
  expect(categoryFolded("7", null).read()).toBe(false);
  expect(firstSteps.read()).toEqual({ 7: "owner" });
  expect(draft("8").read()).toBe("Hello Ada L.");
  expect([...mentionsOfDraft("8").read()]).toEqual([["Ada L.", "ada"]]);
});

test("a browser that has stored nothing, or a broken text, gives the usual values", () => {
  browser({ "parley.first-steps": "{", "parley.draft-mentions.8": "{", "parley.members": "?" });
  expect(theme.read()).toBe("system");
  expect(membersShown.read()).toBe(true);
  expect(notificationsWanted.read()).toBe(false);
  expect(firstSteps.read()).toEqual({});
  expect(mentionsOfDraft("8").read().size).toBe(0);
  expect(draft("8").read()).toBe("");
});

test("what is as usual again leaves no entry, and a logout takes all drafts and searches, and nothing else", () => {
  const storage = browser();
  categoryFolded("7", "News").write(true);
  categoryFolded("7", "News").write(false);
  draft("8").write("Hello");
  draft("8").write("");
  expect(storage.length).toBe(0);
  theme.write("light");
  draft("8").write("Hello Ada L.");
  mentionsOfDraft("8").write(new Map([["Ada L.", "ada"]]));
  recentSearchesFor("7").write([{ chips: [], text: "walnut" }]);
  expect(storage.length).toBe(4);
  forgetTyped();
  expect({ ...storage }).toEqual({ "parley.theme": "light" });
});

test("no other source of the page names the browser's storage", () => {
  const root = join(import.meta.dirname, "..");
  const isTest = /\.test\.tsx?$|^page-stage\/|-fixture\.ts$/;
  const naming = readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => /\.tsx?$/.test(file) && !isTest.test(file))
    .filter((file) => /\b(?:local|session)Storage\b/.test(readFileSync(join(root, file), "utf8")));
  // The script before the first one has no imports.
  expect(naming.toSorted()).toEqual(["device/device-storage.ts", "early.ts"]);
});
