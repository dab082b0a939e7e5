import { describe, expect, test } from "vitest";
import { findMentions } from "./mentions.js";

describe("mentions of docs/interface.md#7.1", () => {
  test.each([
    ["hello @ann", ["ann"], false],
    ["@ann, @bob! and @ann again", ["ann", "bob"], false],
    ["@everyone look", [], true],
    ["@everyone: @ann", ["ann"], true],
    ["mail a@b.example", [], false],
    ["@my-helper-bot-0a1b2c3d.", ["my-helper-bot-0a1b2c3d"], false],
    ["@ann_", ["ann_"], false],
    ["@@ann", ["@ann"], false],
    ["@ @! @-", [], false],
    ["line\n@ann\ttab @bob", ["ann", "bob"], false],
    ["@Everyone", ["Everyone"], false],
    ["no mention", [], false],
  ])("as mentions of docs/interface.md#7.1, %j names %j", (content, usernames, everyone) => {
    expect(findMentions(content)).toEqual({ usernames, everyone });
  });
});
