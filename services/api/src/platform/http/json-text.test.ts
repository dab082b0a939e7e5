import { expect, test } from "vitest";
import { exceededBound } from "./json-text.js";

const bounds = { levelsMax: 3, valuesMax: 5, namesMax: 3 };

test.each([
  ["", null],
  ['"a"', null],
  ["[[[]]]", null],
  ["[[[[]]]]", "levelsMax"],
  ["[[[[", "levelsMax"],
  ['[{"a":[{"b":1}]}]', "levelsMax"],
  ["[[],[],[]]", "valuesMax"],
  ["[0,0,0,0,0]", null],
  ["[0,0,0,0,0,0]", "valuesMax"],
  ['{"a":0,"b":0,"c":0}', null],
  ['{"a":0,"b":0,"c":0,"d":0}', "valuesMax"],
  ['[{"a":[0,0,0]},{"c":0}]', "valuesMax"],
  ['[{"a":[0]},{"c":0}]', null],
  ['["[[[[,,,,,,{{{{"]', null],
  ['["\\"[[[[,,,,,,"]', null],
  ['["\\\\",[[[]]]]', "levelsMax"],
])("the bound that %s exceeds is %j", (text, bound) => {
  expect(exceededBound(text, bounds)).toBe(bound);
});
