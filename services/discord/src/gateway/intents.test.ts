import { GatewayIntentBits as Bits } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { areIntents, isAskedFor } from "./intents.js";

describe("intents", () => {
  test.each([
    ["MESSAGE_CREATE", "guild", Bits.GuildMessages],
    ["MESSAGE_CREATE", "direct", Bits.DirectMessages],
    ["TYPING_START", "direct", Bits.DirectMessageTyping],
    ["GUILD_MEMBER_ADD", "guild", Bits.GuildMembers],
    ["GUILD_CREATE", "guild", Bits.Guilds],
  ] as const)("%s in the %s needs its own", (event, place, bit) => {
    expect(isAskedFor(bit, event, place)).toBe(true);
    expect(isAskedFor(~bit, event, place)).toBe(false);
  });

  test.each(["INTERACTION_CREATE", "USER_UPDATE", "GUILD_MEMBERS_CHUNK", "RESUMED"])(
    "%s comes without any",
    (event) => {
      expect(isAskedFor(0, event, "guild")).toBe(true);
    },
  );

  test.each([0, 1, 513, 53_608_447])("%d may be asked for", (value) => {
    expect(areIntents(value)).toBe(true);
  });

  test.each([-1, 1.5, 1 << 30, 2 ** 32, Number.NaN])("%d may not", (value) => {
    expect(areIntents(value)).toBe(false);
  });
});
