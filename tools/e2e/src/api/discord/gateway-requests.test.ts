import { postMessage, waitUntil } from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { allIntents, identify, ops, resume } from "./discord-socket.js";
import { createDiscordStage, type DiscordStage, everyPermission, snowflake } from "./discord-stage.js";

let stage: DiscordStage;
beforeAll(async () => {
  stage = await createDiscordStage({ permissions: everyPermission });
});
const presences = 1 << 8;
const soundboardSounds = 31;

describe("requests to Discord's gateway", () => {
  test("presences of members need their intent, and servers have no sounds", async () => {
    const { guildId, bot, stack } = stage;
    for (const [intents, isShown] of [
      [allIntents, true],
      [allIntents & ~presences, false],
    ] as const) {
      const socket = await identify(stack.edgeUrl, bot.token, { intents });
      socket.send(ops.members, { guild_id: guildId, query: "", limit: 0, presences: true });
      const chunk = await socket.waitFor("GUILD_MEMBERS_CHUNK");
      expect("presences" in chunk).toBe(isShown);
      socket.send(soundboardSounds, { guild_ids: [guildId] });
      expect(await socket.waitFor("SOUNDBOARD_SOUNDS")).toEqual({ guild_id: guildId, soundboard_sounds: [] });
      await socket.close();
    }
  });

  test("a number that was never sent is refused", async () => {
    const { bot, stack } = stage;
    const socket = await identify(stack.edgeUrl, bot.token);
    await socket.waitFor("GUILD_CREATE");
    const session = { token: bot.token, session: socket.ready.session_id };
    const seq = socket.sequence();
    await socket.close(4_000);
    // Until the process has noticed that the connection is gone it cannot say which number was the last.
    const refused = await waitUntil(
      async () => {
        const ahead = await resume(stack.edgeUrl, { ...session, seq: seq + 1_000_000 });
        const code = await Promise.race([ahead.closed, ahead.waitFor("RESUMED").then(() => null)]);
        ahead.terminate();
        return code;
      },
      { what: "a refusal" },
    );
    expect(refused).toBe(4_007);
  });

  test("the newest pin that is left is named after another one is gone", async () => {
    const { call, member, channelId, textChannelId, bot, stack } = stage;
    const socket = await identify(stack.edgeUrl, bot.token);
    await socket.waitFor("GUILD_CREATE");
    const times = () =>
      socket.payloads.flatMap(({ t, d }) =>
        t === "CHANNEL_PINS_UPDATE" ? [(d as { last_pin_timestamp: string | null }).last_pin_timestamp] : [],
      );
    const change = async (method: string, message: { id: string }) => {
      const { length } = times();
      await call(method, `/channels/${textChannelId}/pins/${snowflake(message.id)}`);
      await waitUntil(() => times().length > length, { what: "an update" });
    };
    const [one, two] = [await postMessage(member, channelId, "one"), await postMessage(member, channelId, "two")];
    await change("PUT", one);
    await change("PUT", two);
    await change("DELETE", two);
    await change("DELETE", one);
    const [first, second, left, none] = times();
    expect([left, none]).toEqual([first, null]);
    expect(second).not.toBe(first);
    await socket.close();
  });
});
