import { describe, expect, test } from "vitest";
import { findAllMentions, findMentions, mentionedName, namesOfRun } from "./mentions.js";

describe("what stands behind a mention's sign (docs/protocol/messages.md#7.1)", () => {
  test.each([
    ["hello @ann", ["ann"]],
    ["(@bob) [@bob] {@bob} \"@bob\" '@bob' «@bob»", ["bob"]],
    ["**@bob** *@ann* ~~@eve~~ ||@dan||", ["bob", "ann", "eve", "dan"]],
    ["@bob's @ann, @eve. @dan! @joe? @kim: @lee; @max…", ["bob", "ann", "eve", "dan", "joe", "kim", "lee", "max"]],
    ["@bobさん @annです。、@eve", ["bob", "ann", "eve"]],
    ["cc:@bob,@ann;@eve+@dan|@joe>@kim", ["bob", "ann", "eve", "dan", "joe", "kim"]],
    ["> @bob\n# @ann\n- @eve\n1. @dan\n@joe\n  @kim", ["bob", "ann", "eve", "dan", "joe", "kim"]],
    ["❤️@bob 👋@ann 👩‍💻@eve", ["bob", "ann", "eve"]],
    ["| a |\n|---|\n| @bob |", ["bob"]],
    ["[@bob](https://example.org) and [see @ann](/x)", ["bob", "ann"]],
    ["<b>@bob</b> <div>@ann</div>", ["bob", "ann"]],
    ["@bob- @my-bot-1a @-x", ["bob-", "my-bot-1a", "-x"]],
    ["__hi @bob__ __@ann__", ["bob__"]],
    ["\\@bob \\\\@ann", ["bob", "ann"]],
    ["#@bob :@ann:", ["bob", "ann"]],
    ["a[^1]\n\n[^1]: @bob", ["bob"]],
    // No mention, because of the characters before it.
    ["a@bob.org é@bob 1@bob _@bob -@bob .@bob /@bob @@bob 日@bob 𝒂@bob", []],
    ["bob+x@ann.org +@bob.org", []],
    ["@ @! @é @日", []],
    // No mention: code.
    ["`@bob` ``a ` @bob`` `x\n@bob`", []],
    ["```\n@bob\n```\n~~~ts\n@bob\n~~~\n```\n@everyone", []],
    ["    @bob\n\n\t@ann", []],
    ["- a\n\n      @bob\n1. b\n\n       @ann", []],
    ["-     @bob", []],
    ["> ```\n> @bob\n> ```", []],
    // No mention: addresses, and hidden texts.
    ["https://example.org/?@bob http://x.org:@bob www.example.org/~@bob", []],
    ["[x](/a?@bob) ![y](https://z.org/?@bob) <https://x.org/?@bob>", []],
    ['[x](/a "@bob") [r]\n\n[r]: https://x.org/?@bob', []],
    ["&#64;bob &commat;bob", []],
    ["[^2]: @bob", []],
    ["| a |\n|---|\n| b | @bob |", []],
  ])("of %j are %j", (text, runs) => {
    expect(findMentions(text)).toEqual(runs);
  });

  test("unclosed code is text, and code that is closed behind the mention is code", () => {
    expect(findMentions("` @bob")).toEqual(["bob"]);
    expect(findMentions("` @bob `")).toEqual([]);
    expect(findMentions("paragraph\n    @bob")).toEqual(["bob"]);
  });
});

test("a run names the longest name that it begins with, up to a hyphen", () => {
  const names = new Set(["bob", "my-bot", "my-bot-1", "everyone"]);
  const named = (run: string) => mentionedName(run, (name) => names.has(name));
  expect(["bob", "bob-", "bob--", "bob-x-y", "my-bot-1-", "my-bot-12", "bob_", "bobby"].map(named)).toEqual([
    "bob",
    "bob",
    "bob",
    "bob",
    "my-bot-1",
    "my-bot",
    null,
    null,
  ]);
  expect(namesOfRun("aaa-bb-c", 6)).toEqual(["aaa-bb", "aaa"]);
});

describe("names of roles that a text may mention (docs/protocol/messages.md#33.3)", () => {
  const roleNames = ["Chess Mods", "Chess", "C++ *devs*", "日本"];
  test.each([
    ["@Chess Mods and @Chess", [], ["Chess Mods", "Chess"]],
    ["@Chess mods, @Chess-club @Chess_ @ChessX", ["Chess-club", "Chess_", "ChessX"], ["Chess"]],
    ["> **@C++ *devs*** `@Chess` @日本", [], ["C++ *devs*", "日本"]],
    ["x@Chess @日本人 @bob", ["bob"], []],
  ])("%j mentions the users %j and the roles %j", (text, runs, roles) => {
    expect(findAllMentions(text, roleNames)).toEqual({ runs, roles });
  });

  test("are found by the quick way as by reading the whole text", () => {
    for (const text of ["@Chess Mods, @bob @Chess", "hi @日本! @C++ *devs*", "@Chess Mods-x @bob-"]) {
      const read = `${text}\n\n\`x\``;
      expect(findAllMentions(text, roleNames)).toEqual(findAllMentions(read, roleNames));
    }
  });
});
