import { expect, test } from "vitest";
import { button, embed, linkButton, rows, select, selectFrom } from "./components.js";

test("five buttons stand in a row, and a select in one of its own", () => {
  const buttons = Array.from({ length: 6 }, (_, index) => button(`B${index}`, `b${index}`));
  const choice = select("colour", ["red"]);
  const link = linkButton("Help", "https://chat.example");
  const filled = rows(...buttons, choice, link);
  expect(filled.map((row) => row.length)).toEqual([5, 1, 1, 1]);
  expect(filled.flat()).toEqual([...buttons, choice, link]);
});

test("a select names what may be chosen, how much of it, and nothing that was left out", () => {
  expect(select("colour", ["red", { label: "Blue", value: "b" }], { min: 0, max: 2, placeholder: "Colours" })).toEqual({
    type: "select",
    kind: "text",
    custom_id: "colour",
    options: [
      { label: "red", value: "red" },
      { label: "Blue", value: "b" },
    ],
    min_values: 0,
    max_values: 2,
    placeholder: "Colours",
  });
  expect(selectFrom("role", "role")).toEqual({ type: "select", kind: "role", custom_id: "role" });
});

test("an embed has its fields in order, those side by side after the others, and nothing that was left out", () => {
  expect(embed({ title: "Score", fields: { Ada: 3 }, inline: { Ben: "2" }, author: "Bot", footer: "End" })).toEqual({
    title: "Score",
    author: { name: "Bot" },
    footer: { text: "End" },
    fields: [
      { name: "Ada", value: "3", inline: false },
      { name: "Ben", value: "2", inline: true },
    ],
  });
  expect(embed({})).toEqual({ fields: [] });
});
