import { expect, test } from "vitest";
import { nameInText, withNames, withUsernames } from "./chosen-mentions.js";

const chosen = new Map([
  ["Ann", "ann_1990"],
  ["Ann Lee", "leeway"],
  ["Chess (new)", "chess-bot-0a1b2c3d"],
  ["constructor", "builder"],
]);

test.each([
  ["hi @Ann", "hi @ann_1990"],
  ["@Ann, @Ann Lee and @Ann's", "@ann_1990, @leeway and @ann_1990's"],
  ["(@Chess (new)) @constructor", "(@chess-bot-0a1b2c3d) @builder"],
  ["@Annさん", "@ann_1990さん"],
  ["@Anna @Ann-Marie a@Ann x/@Ann Ann", "@Anna @Ann-Marie a@Ann x/@Ann Ann"],
  ["@toString", "@toString"],
])("%j is sent as %j", (text, sent) => {
  expect(withUsernames(text, chosen)).toBe(sent);
});

test("a name that stands for another account already is not used again", () => {
  expect(nameInText({ name: "Ann", username: "ann_1990" }, chosen)).toBe("Ann");
  expect(nameInText({ name: "Ann", username: "other" }, chosen)).toBe("other");
  expect(nameInText({ name: "Zoe", username: "zoe" }, chosen)).toBe("Zoe");
});

const ann = { name: "Ann", username: "ann_1990" };

test.each([
  ["hi @ann_1990, and a@ann_1990", [ann], "hi @Ann, and a@ann_1990"],
  ["@ann_1990 and @other", [ann, { name: "Ann", username: "other" }], "@Ann and @other"],
  ["@ann_1990", [{ ...ann, name: "ben" }], "@ann_1990"],
  ["@ann_1990 and @Ann", [ann], "@ann_1990 and @Ann"],
])("%j is edited as its author wrote it", (sent, mentioned, edited) => {
  const { text, chosen: names } = withNames(sent, mentioned, new Set(["ben"]));
  expect(text).toBe(edited);
  expect(withUsernames(text, names)).toBe(sent);
});
