import { beforeAll, expect, test } from "vitest";
import { createDiscordStage, type DiscordStage, everyPermission, png } from "./discord-stage.js";

let stage: DiscordStage;
beforeAll(async () => {
  stage = await createDiscordStage({ permissions: everyPermission });
});

/** The picture with so many bytes behind its end. */
const padded = (bytes: number) => {
  const picture = Buffer.from(png.slice(png.indexOf(",") + 1), "base64");
  return `data:image/png;base64,${Buffer.concat([picture, Buffer.alloc(bytes)]).toString("base64")}`;
};

test("pictures may be as large as people's, other bodies may not", async () => {
  const { call, guildId, textChannelId } = stage;
  const emoji = { name: "large", image: padded(250 * 1024) };
  expect(await call("POST", `/guilds/${guildId}/emojis`, emoji)).toMatchObject({
    status: 200,
    body: { name: "large" },
  });
  const { body } = await call("PATCH", "/users/@me", { avatar: padded(2_000_000) });
  expect(body.avatar).toMatch(/^[0-9a-f]{32}$/);
  const large = { status: 413, body: { code: 40005 } };
  expect(await call("POST", `/guilds/${guildId}/emojis`, { ...emoji, image: padded(300 * 1024) })).toMatchObject(large);
  const message = { content: "x".repeat(270_000) };
  expect(await call("POST", `/channels/${textChannelId}/messages`, message)).toMatchObject(large);
});
