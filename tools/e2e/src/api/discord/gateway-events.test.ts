import { beforeAll, describe, expect, test } from "vitest";
import { identify } from "./discord-socket.js";
import { createDiscordStage, type DiscordStage, everyPermission } from "./discord-stage.js";

let stage: DiscordStage;
beforeAll(async () => {
  stage = await createDiscordStage({ permissions: everyPermission });
});
const connect = () => identify(stage.stack.edgeUrl, stage.bot.token);

describe("Discord's gateway", () => {
  test("shows a message as it is read over REST", async () => {
    const { call, textChannelId, memberId } = stage;
    const bot = await connect();
    const sent = await call("POST", `/channels/${textChannelId}/messages`, {
      content: `Quiet <@${memberId}>`,
      embeds: [{ description: `for <@${memberId}> in <#${textChannelId}>` }],
      allowed_mentions: { parse: [] },
    });
    const heard = await bot.waitFor("MESSAGE_CREATE", ({ id }) => id === sent.body.id);
    const read = (await call("GET", `/channels/${textChannelId}/messages/${sent.body.id}`)).body;
    expect(read.content).toBe(`Quiet <@${memberId}>`);
    expect(heard).toMatchObject({ content: read.content, embeds: read.embeds, mentions: read.mentions });
    await bot.close();
  });
});
