import { expect, test } from "vitest";
import { parseJson } from "./json.js";

test.each([
  ['{"id":1576785210183495501}', { id: "1576785210183495501" }],
  ["[1576785210183495501,-15767852101834955]", ["1576785210183495501", "-15767852101834955"]],
  [
    '{"text":"of \\"1576785210183495501\\"","n":15.767852101834954}',
    { text: 'of "1576785210183495501"', n: 15.767852101834954 },
  ],
  [
    '{"max_value":9007199254740991,"big":1576785210183495501e2}',
    { max_value: 9007199254740991, big: 157678521018349550000 },
  ],
])("numbers that JavaScript would round are texts: %s", (text, value) => {
  expect(parseJson(text)).toEqual(value);
});
