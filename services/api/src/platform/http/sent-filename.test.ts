import { expect, test } from "vitest";
import { sentFilename } from "./sent-filename.js";

test.each([
  ["a.txt", "a.txt"],
  ["a %22b%22.txt", 'a "b".txt'],
  ["100%.txt", "100%.txt"],
  ["%20%2522%41.txt", "%20%2522%41.txt"],
  ["two%0D%0alines.txt", "two\r\nlines.txt"],
  ["back\\slash.txt", "back\\slash.txt"],
  ["c:x.txt", "c:x.txt"],
  ["C:\\fakepath\\photo.png", "photo.png"],
  ["\\\\server\\share\\photo.png", "photo.png"],
  ["folder/deeper/back\\slash.txt", "back\\slash.txt"],
  ["../../etc/passwd", "passwd"],
  ["a/%22", '"'],
  ["folder/", ""],
  ["", ""],
  [undefined, undefined],
])("the file %j of a form is %j", (filename, seen) => {
  expect(sentFilename(filename)).toBe(seen);
});
