import { expect, test } from "vitest";
import { z } from "zod";
import { defineStatement, prepared, statementName } from "./statement.js";

test("a second text under the same name is refused, the same statement again is accepted", () => {
  const definition = { name: "statement test: one", text: "SELECT 1" };
  defineStatement(definition);
  expect(() => defineStatement(definition)).not.toThrow();
  expect(() => defineStatement({ ...definition, text: "SELECT 2" })).toThrow("Two statements are named");
});

test("a name that PostgreSQL would cut off is refused", () => {
  expect(() => defineStatement({ name: "é".repeat(31), text: "SELECT 1" })).not.toThrow();
  expect(() => defineStatement({ name: "é".repeat(32), text: "SELECT 1" })).toThrow("too long");
});

test("rows are mapped by a zod schema or by a function, and none are expected when neither is given", () => {
  const bySchema = defineStatement({ name: "statement test: a", text: "a", row: z.object({ n: z.number() }) });
  const byFunction = defineStatement({ name: "statement test: b", text: "b", row: (row) => String(row.n) });
  const without = defineStatement({ name: "statement test: c", text: "c" });
  expect(bySchema.parse({ n: 1 })).toEqual({ n: 1 });
  expect(() => bySchema.parse({ n: "1" })).toThrow();
  expect(byFunction.parse({ n: 1 })).toBe("1");
  expect(() => without.parse({ n: 1 })).toThrow("declares none");
});

test("only declared statements have a prepared name", () => {
  defineStatement({ name: "statement test: named", text: "SELECT 'named'" });
  expect(statementName("SELECT 'named'")).toBe("statement test: named");
  expect(statementName("SELECT 'other'")).toBeUndefined();
});

test("a statement that is planned each time is not prepared under its name", () => {
  const definition = { name: "statement test: each time", text: "SELECT 'each time'", isPlannedEachTime: true };
  expect(prepared(defineStatement(definition), [1])).toEqual({ text: definition.text, values: [1] });
  expect(statementName(definition.text)).toBeUndefined();
});
