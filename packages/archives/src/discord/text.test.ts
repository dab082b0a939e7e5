import { expect, test } from "vitest";
import { DiscordWorld } from "./guild.js";
import { discordText } from "./text.js";

const world = new DiscordWorld();
world.addChannel("10", "general", "a");
world.addChannel("11", "general", "b");
world.addChannel("12", "Voice corner", null);
world.people.set("1", { name: "Ada Lind", username: "ada", roles: "" });
world.roles.set("20", "Keyholders");
world.emoji.add("30");
world.threads.set("40", { id: "40", type: "GuildPublicThread", name: "Spring list" });

const user = (id: string, nickname: string) => ({ id, name: "x", nickname });
const mentions = [user("1", "Ada"), user("2", "Ada Lind"), user("3", "a.b*")];
const inlineEmojis = [
  { id: "30", name: "PartyBlob" },
  { id: "31", name: "OldLogo" },
  { id: "", name: "smile" },
];

test.each([
  [
    "@Ada and @Ada Lind, @Adam @a.b* `@Ada`",
    [{ person: "1" }, " and ", { person: "2" }, ", @Adam ", { person: "3" }, " `@Ada`"],
  ],
  ["#general #generals #Voice corner!", [{ channel: "11" }, " #generals ", { channel: "12" }, "!"]],
  [":PartyBlob: :OldLogo: :smile:", [{ emoji: "30" }, " :OldLogo: :smile:"]],
  ["<@1> <@!1> <@9>", [{ person: "1" }, " ", { person: "1" }, " <@9>"]],
  ["<#10> <#40> <#41> <@&20>", [{ channel: "10" }, " #Spring list <#41> @Keyholders"]],
  ["<:PartyBlob:30> <a:OldLogo:31>", [{ emoji: "30" }, " :OldLogo:"]],
  ["<t:1700000000:F> <t:1700000000>", ["2023-11-14 22:13:20 UTC 2023-11-14 22:13:20 UTC"]],
  ["@everyone @here @everyones", [{ everyone: "everyone" }, " ", { everyone: "here" }, " @everyones"]],
  ["`<@1>` ```\n<#10>\n```", ["`<@1>` ```\n<#10>\n```"]],
  [
    "Title\n-----\nT\n===\n+ a\n1) x\n#### four\n> + b",
    ["Title\n\\-----\nT\n\\===\n\\+ a\n1\\) x\n\\#### four\n> \\+ b"],
  ],
  ["# one\n- a\n* b\n1. c\n`+ d`", ["# one\n- a\n* b\n1. c\n`+ d`"]],
  [
    "#Voice corner [voice] #general-chat #general- a@here.org",
    [{ channel: "12" }, " #general-chat ", { channel: "11" }, "- a@here.org"],
  ],
  ["a\r\n>>> b\r\nc", ["a\n> b\n> c"]],
  ["```py\n>>> print(1)\n1\n```\n`a`>>> b\n>>> c\n>>> d", ["```py\n>>> print(1)\n1\n```\n`a`>>> b\n> c\n> >>> d"]],
])("%j becomes %j", (text, parts) => {
  expect(discordText(text, { mentions, inlineEmojis }, world.namesFor("11"))).toEqual(parts);
});

test("names of a hundred thousand people and channels are read", () => {
  const many = new DiscordWorld();
  for (let id = 0; id < 100_000; id += 1) many.addChannel(`${id}`, `channel ${id}`, null);
  const mentions = Array.from({ length: 100_000 }, (_, id) => user(`${id}`, `person ${id} ${"x".repeat(id % 200)}`));
  const parts = discordText("@person 0  #channel 1", { mentions }, many.namesFor("0"));
  expect(parts).toEqual([{ person: "0" }, " ", { channel: "1" }]);
});
