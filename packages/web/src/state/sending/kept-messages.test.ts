import { expect, test } from "vitest";
import { bytesOf, hasRoom, keptBytesMax, keptMessagesMax } from "./kept-messages.js";

const ofBytes = (...sizes: number[]) => sizes.map((bytes) => ({ bytes }));

test("as many messages are kept as there is room for, by number and by bytes", () => {
  expect(hasRoom([], keptBytesMax)).toBe(true);
  expect(hasRoom([], keptBytesMax + 1)).toBe(false);
  expect(hasRoom(ofBytes(keptBytesMax - 10), 10)).toBe(true);
  expect(hasRoom(ofBytes(keptBytesMax - 10), 11)).toBe(false);
  expect(hasRoom(ofBytes(...Array<number>(keptMessagesMax - 1).fill(1)), 1)).toBe(true);
  expect(hasRoom(ofBytes(...Array<number>(keptMessagesMax).fill(1)), 1)).toBe(false);
});

test("a message takes the room of its text in UTF-8 and of its files", () => {
  expect(bytesOf({ content: "hé", files: [new File(["12345"], "a.txt"), new File(["6"], "b.txt")] })).toBe(9);
});
