import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { snowflakeOf } from "../ids/snowflake.js";
import type { Names } from "./names.js";
import { toDiscordText } from "./to-discord.js";
import { namedIds, toOwnText } from "./to-own.js";

const [ann, bot, mods, general, party] = ["1", "2", "3", "4", "5"].map((digit) =>
  `0199a5b4-7c1d-7e3a-9f00-1b2c3d4e5f6${digit}`.replace("7e3a", `7e3${digit}`),
) as [string, string, string, string, string];
const names: Names = {
  users: new Map([
    ["ann", ann],
    ["chess-bot-12", bot],
  ]),
  roles: new Map([["Night mods", mods]]),
  channels: new Map([["general", general]]),
  emojis: new Map([["par-ty", { id: party, animated: true }]]),
};
const flipped = (map: ReadonlyMap<string, string>) => new Map([...map].map(([name, id]) => [snowflakeOf(id), name]));
const byId = {
  users: flipped(names.users),
  roles: flipped(names.roles),
  channels: flipped(names.channels),
  emojis: new Map([[snowflakeOf(party), "par-ty"]]),
};
const tokens = {
  ann: `<@${snowflakeOf(ann)}>`,
  bot: `<@${snowflakeOf(bot)}>`,
  mods: `<@&${snowflakeOf(mods)}>`,
  general: `<#${snowflakeOf(general)}>`,
  party: `<a:par_ty:${snowflakeOf(party)}>`,
};

describe("texts of bots", () => {
  test("are stored with names, so that people are mentioned", () => {
    const written = `${tokens.ann}, ${tokens.mods}: see ${tokens.general} ${tokens.party}`;
    expect(toOwnText(written, byId)).toBe("@ann, @Night mods: see #general :par-ty:");
    expect(toOwnText(`hi${tokens.ann}s`, byId)).toBe("hi\u200b@ann\u200bs");
    expect(toOwnText("<@!1> <t:1767323045:R> `<@1>`", { ...byId, users: new Map([["1", "bob"]]) })).toBe(
      "@bob 2026-01-02 03:04:05 UTC `<@1>`",
    );
  });

  test.each([
    ["@ann, mail ann@example.org", "@\u200b\u200bann, mail ann@example.org"],
    ["`@ann` at https://x.example/@ann", "`@ann` at https://x.example/@ann"],
    ["@ everyone", "@ everyone"],
    ["@everyone and @here", "@everyone and @here"],
  ])("mention nobody by a name alone: %s", (written, stored) => expect(toOwnText(written, byId)).toBe(stored));

  test("mention only whom they may, and come back as they were written", () => {
    const written = `${tokens.ann} @ann @everyone @here`;
    const own = toOwnText(written, byId, { everyone: false, users: new Set(), roles: new Set() });
    expect(own).toBe("@\u200bann @\u200b\u200bann @\u200beveryone @\u200bhere");
    expect(toDiscordText(own, names)).toBe(written);
  });

  test("name the ids to look up, except those in code", () => {
    const { users, roles, channels, emojis } = namedIds(["<@1> <@!2> <@&3> `<@4>`", "<#5> <:a_b:6>"]);
    expect([users, roles, channels, emojis].map((ids) => [...ids])).toEqual([["1", "2"], ["3"], ["5"], ["6"]]);
  });

  test("come back as they were written", () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            ...Object.values(tokens),
            "a",
            " ",
            "_x",
            "é",
            ". ",
            "\n",
            "-",
            "@",
            "@ann",
            "@Night mods",
            "@everyone",
            "@\u200bann",
            "`b`",
            "😀",
          ),
        ),
        (parts) => {
          const text = parts.join("");
          expect(toDiscordText(toOwnText(text, byId), names)).toBe(text);
        },
      ),
    ));
});

describe("texts of people", () => {
  test("are read with identifiers", () => {
    const text = toDiscordText("@ann and @chess-bot-12's @Night mods in #general :par-ty:", names);
    expect(text).toBe(`${tokens.ann} and ${tokens.bot}'s ${tokens.mods} in ${tokens.general} ${tokens.party}`);
  });

  test.each([
    "ann@example.org",
    "`@ann`",
    "https://x.example/@ann#general",
    "@anna",
    "#generals",
    ":unknown:",
    "@everyone",
  ])("stay as they are where nobody is named: %s", (text) => expect(toDiscordText(text, names)).toBe(text));
});
