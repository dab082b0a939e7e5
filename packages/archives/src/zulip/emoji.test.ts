import { expect, test } from "vitest";
import { zulipEmoji } from "./emoji.js";

const emoji = zulipEmoji([])(null);

test.each([
  [
    "other emoji than at other services",
    "ok point_up stop tired dizzy calendar date x o metro",
    "👌 👆 🤚 😔 😵 📅 📆 ❎ 🅾️ Ⓜ️",
  ],
  ["names of its own", "happy oh_no silence thank_you approved piñata working_on_it smile", "😀 😕 🤐 🙏 ✅ 🪅 🛠️ 🙂"],
  ["a second name", "like thumbs_up all_good", "👍 👍 ✅"],
  ["a name of a list that it does not have", "simple_smile", "none"],
])("names of Zulip are %s", (_, names, expected) => {
  expect(
    names
      .split(" ")
      .map((name) => emoji(name) ?? "none")
      .join(" "),
  ).toBe(expected);
});
