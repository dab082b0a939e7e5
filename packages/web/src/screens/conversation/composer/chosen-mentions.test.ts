import { expect, test } from "vitest";
import { nameInText, withUsernames } from "./chosen-mentions.js";

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
