import { listOf, located, mapOf } from "@parley/contracts";
import { expect, test } from "vitest";
import { z } from "zod";
import { parse } from "./route.js";

/** A schema of one entry, which refuses all but 1, and how often it was asked. */
function counted() {
  let asked = 0;
  const entry = z.number().refine((value) => {
    asked += 1;
    return value === 1;
  }, "must be 1");
  return { entry, asked: () => asked };
}

const list = (length: number) => Array.from({ length }, () => 2);
const map = (length: number) => Object.fromEntries(list(length).map((value, at) => [`k${at}`, value]));
const schemas = {
  list: (entry: z.ZodType) => z.object({ given: listOf(entry, { min: 1, max: 50, message: "many" }) }),
  "a list whose fault has a path": (entry: z.ZodType) =>
    z.object({ given: located(listOf(entry, { max: 50, message: "many" }), (fault) => fault) }),
  map: (entry: z.ZodType) => z.object({ given: mapOf(z.string(), entry, { max: 50, error: () => "no map" }) }),
};

test.each([
  ["list", list, "many", "must be 1"],
  ["a list whose fault has a path", list, ": many", "[0]: must be 1"],
  ["map", map, "must be at most 50 entries", "must be 1"],
] as const)(
  "of a %s, the size is checked before the entries, and the first fault ends the check",
  (name, make, many, fault) => {
    for (const [length, text, times] of [
      [9_900, many, 0],
      [51, many, 0],
      [50, fault, 1],
    ] as const) {
      const { entry, asked } = counted();
      expect(() => parse(schemas[name](entry), { given: make(length) })).toThrow(text);
      expect(asked()).toBe(times);
    }
  },
);

test("a map has its keys and values as they were read", () => {
  const read = mapOf(
    z.string().transform((key) => key.toUpperCase()),
    z.number().transform(String),
    { max: 2, error: () => "no map" },
  );
  expect(read.parse(JSON.parse('{"a": 1, "__proto__": 2}'))).toEqual({ A: "1" });
  expect(() => read.parse([])).toThrow("no map");
});
