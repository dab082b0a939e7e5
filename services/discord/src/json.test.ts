import { expect, test } from "vitest";
import { parseJson, writeJson } from "./json.js";

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

test("times end in an offset, and texts that look like one stay", () => {
  const time = "2026-01-02T03:04:05.678Z";
  const content = `{"timestamp":"${time}"}`;
  const written = JSON.parse(
    writeJson({ joined_at: time, embeds: [{ timestamp: "2026-01-02T03:04:05Z" }], content, id: time }),
  );
  expect(written).toEqual({
    joined_at: "2026-01-02T03:04:05.678+00:00",
    embeds: [{ timestamp: "2026-01-02T03:04:05+00:00" }],
    content,
    id: time,
  });
});
