import { expect, test } from "vitest";
import { mattermostText } from "./text.js";

const names = {
  isPerson: (name: string) => ["ada_lind", "bram.okafor", "grace-mbeki."].includes(name),
  channel: (name: string) => (name === "tools" ? "riverside/tools" : undefined),
  emoji: (name: string) => (name === "party_blob" ? "riverside/party_blob" : undefined),
};

test.each([
  ["@ada_lind (@Bram.Okafor).", [{ person: "ada_lind" }, " (", { person: "bram.okafor" }, ")."]],
  ["@bram.okafor. @bram.okafor... @bram", [{ person: "bram.okafor" }, ". ", { person: "bram.okafor" }, "... @bram"]],
  ["@grace-mbeki. a@ada_lind `@ada_lind`", [{ person: "grace-mbeki." }, " a@ada_lind `@ada_lind`"]],
  ["@channel @all, @here.", [{ everyone: "everyone" }, " ", { everyone: "everyone" }, ", ", { everyone: "here" }, "."]],
  ["~tools, ~nowhere ~~tools~~", [{ channel: "riverside/tools" }, ", ~nowhere ~~tools~~"]],
  [
    ":tada: :+1_light_skin_tone: :party_blob: :not_there:",
    ["🎉 👍🏻 ", { emoji: "riverside/party_blob" }, " :not_there:"],
  ],
  [":hugs: :robot: :man_shrugging: :fist_oncoming_dark_skin_tone:", ["🤗 🤖 🤷‍♂️ 👊🏿"]],
  ["# a\r\n- **b**", ["# a\n- **b**"]],
])("%j becomes %j", (text, parts) => {
  expect(mattermostText(text, names)).toEqual(parts);
});

test("a mention with a million dots is read", () => {
  const dots = ".".repeat(1_000_000);
  expect(mattermostText(`@ada_lind${dots}`, names)).toEqual([{ person: "ada_lind" }, dots]);
});
