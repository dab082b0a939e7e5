import { expect, test } from "vitest";
import { slackText } from "./text.js";

const names = { person: () => undefined, isChannel: (id: string) => id === "C1" };
const person = { person: "U1" };

test.each([
  ["*bold* _slanted_ ~gone~ `code` &amp; &lt;tag&gt;", ["**bold** _slanted_ ~~gone~~ `code` & <tag>"]],
  ["&gt; quoted line\nthen &amp;lt; stays", ["> quoted line\nthen &lt; stays"]],
  ["```a *b* &lt;c&gt;```", ["```a *b* <c>```"]],
  ["see ```a\n*b*``` there", ["see \n```\na\n*b*\n```\n there"]],
  ["`<https://example.org/a>`", ["`https://example.org/a`"]],
  ["<@U1|ada> and <@U1>", [person, " and ", person]],
  ["<#C1|tools> <#C1|> <#C2|old> <#C3|>", [{ channel: "C1" }, " ", { channel: "C1" }, " #old #C3"]],
  ["*<@U1>*", ["**", person, "**"]],
  [
    "<!channel> <!everyone> <!here|here>",
    [{ everyone: "everyone" }, " ", { everyone: "everyone" }, " ", { everyone: "here" }],
  ],
  ["<!subteam^S1|@keyholders> <!date^1^{date}|14 Nov>", ["@keyholders 14 Nov"]],
  ["<https://example.org/a?b=1&amp;c=2|our [page]>", ["[our \\[page\\]](https://example.org/a?b=1&c=2)"]],
  ["<https://example.org/a_(b)|page>", ["[page](<https://example.org/a_(b)>)"]],
  ["<https://example.org/_a_>", ["https://example.org/_a_"]],
  ["<mailto:a@example.org|a@example.org>", ["a@example.org"]],
  [
    ":tada: :+1::skin-tone-2: :man-walking::skin-tone-6: :partyparrot: 10:30:45",
    ["🎉 👍🏻 🚶🏿‍♂️ :partyparrot: 10:30:45"],
  ],
  ["# a\n- b\n* c\n1. d\n---\n#e -f", ["\\# a\n\\- b\n\\* c\n1\\. d\n\\---\n#e -f"]],
  ["&gt; - item\n&gt; &gt; # x\n&gt; a - b", ["> \\- item\n> > \\# x\n> a - b"]],
  ["*bold*:tada: <!subteam^S1>", ["**bold**🎉 @S1"]],
  ["&gt;&gt;&gt; a\nb", ["> a\n> b"]],
  ["```\n&gt;&gt;&gt; print(1)\n1\n```\nafter\n&gt;&gt;&gt; b\nc", ["```\n>>> print(1)\n1\n```\nafter\n> b\n> c"]],
])("%j becomes %j", (text, parts) => {
  expect(slackText(text, names)).toEqual(parts);
});
