import { describe, expect, test } from "vitest";
import { mentionCandidates, resolveMentions } from "./mentions.js";

const idByName = new Map(
  ["ann", "bob", "my-bot-1a", "my-bot", "bob_", "everyone-else"].map((name) => [name, `id of ${name}`]),
);

describe("whom a message mentions by docs/protocol/messages.md#7.1", () => {
  test.each([
    ["@ann, @bob! and @ann again", ["ann", "bob"], false],
    ["@everyone: @ann", ["ann"], true],
    ["@my-bot-1a. @my-bot-2", ["my-bot-1a", "my-bot"], false],
    ["@bob- @bob--x @-bob", ["bob"], false],
    ["@bob_ @bob__", ["bob_"], false],
    ["@everyone-else", ["everyone-else"], false],
    ["@everyone-", [], true],
    ["@Ann @Everyone @nobody", [], false],
    ["`@ann` @bob", ["bob"], false],
  ])("as docs/protocol/messages.md#7.1 says, %j mentions %j", (content, names, everyone) => {
    const mentioned = resolveMentions(mentionCandidates(content), idByName);
    const userIds = names.map((name) => idByName.get(name));
    expect(mentioned).toEqual({ userIds, everyone, roleIds: [], here: false });
  });

  test("roles are mentioned by the longest name, unless a member has it; of one name the first", () => {
    const roles = ["bob", "team", "bob team", "team", "here"].map((name, index) => ({ id: `${name} ${index}`, name }));
    const mentioned = (content: string) => resolveMentions(mentionCandidates(content), idByName, roles);
    expect(mentioned("@bob @bob team @team @here")).toEqual({
      userIds: ["id of bob"],
      everyone: false,
      roleIds: ["bob team 2", "team 1"],
      here: true,
    });
    expect(mentioned("@bob-team")).toMatchObject({ userIds: ["id of bob"], roleIds: [] });
  });

  test("no more than 200 names of a message are looked up, and none that is too long", () => {
    expect(mentionCandidates(`@${"a-".repeat(2_000)}`).usernames).toHaveLength(64);
    const many = Array.from({ length: 300 }, (_, index) => `@name${index}-x`).join(" ");
    expect(mentionCandidates(many).usernames).toHaveLength(200);
  });
});
