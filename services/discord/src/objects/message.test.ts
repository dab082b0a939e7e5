import { MessageType } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { snowflakeOf } from "../ids/snowflake.js";
import { noNames } from "../text/names.js";
import { type AnyMessage, type MessageContext, toMessage } from "./message.js";

const id = (digit: number) => `0199a5b4-7c1d-7e3${digit}-9f00-1b2c3d4e5f60`;
const [messageId, channelId, serverId, annId, botId, emojiId] = [1, 2, 3, 4, 5, 6].map(id) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const context: MessageContext = {
  origin: "https://chat.example",
  botUserId: botId,
  serverId,
  users: new Map([[annId, { id: annId, username: "ann", avatar_url: "https://x.example/ann.png" }]]),
  names: { ...noNames, users: new Map([["ann", annId]]) },
  emojis: new Map([[emojiId, { id: emojiId, name: "par-ty", animated: false }]]),
  threads: new Map(),
};
const plain: AnyMessage = {
  id: messageId,
  channel_id: channelId,
  author_id: annId,
  content: "hello",
  created_at: "2026-01-02T03:04:05.678Z",
  edited_at: null,
};

describe("a message", () => {
  test("has every key that Discord's documentation does not call optional", () => {
    expect(toMessage(plain, context)).toEqual({
      id: snowflakeOf(messageId),
      channel_id: snowflakeOf(channelId),
      type: MessageType.Default,
      author: {
        id: snowflakeOf(annId),
        username: "ann",
        discriminator: "0",
        global_name: null,
        avatar: expect.stringMatching(/^[0-9a-f]{32}$/),
        public_flags: 0,
      },
      content: "hello",
      timestamp: "2026-01-02T03:04:05.678Z",
      edited_timestamp: null,
      tts: false,
      mention_everyone: false,
      mentions: [],
      mention_roles: [],
      attachments: [],
      embeds: [],
      components: [],
      pinned: false,
      flags: 0,
    });
  });

  test("names whom it mentions", () => {
    const { content, mentions } = toMessage({ ...plain, content: "hi @ann", mention_user_ids: [annId] }, context);
    expect([content, mentions.map(({ username }) => username)]).toEqual([`hi <@${snowflakeOf(annId)}>`, ["ann"]]);
  });

  test("is an answer in the name of its server", () => {
    const interaction = { id: id(8), user_id: annId, name: "ping" };
    expect(toMessage({ ...plain, author_id: botId, interaction }, context)).toMatchObject({
      application_id: snowflakeOf(botId),
      interaction_metadata: { authorizing_integration_owners: { 0: snowflakeOf(serverId) } },
    });
  });

  test("is a reply, with the message that it replies to if that was read", () => {
    const reply = { ...plain, reply_to: id(7) };
    expect(toMessage(reply, context)).toMatchObject({
      type: MessageType.Reply,
      message_reference: { message_id: snowflakeOf(id(7)), guild_id: snowflakeOf(serverId) },
    });
    expect(toMessage(reply, context)).not.toHaveProperty("referenced_message");
    expect(toMessage(reply, context, null).referenced_message).toBeNull();
  });

  test("of a thread is in the channel that the thread is", () => {
    expect(toMessage({ ...plain, thread_id: id(8) }, context).channel_id).toBe(snowflakeOf(id(8)));
    const thread = { ...plain, server_id: serverId, content: "Rules\nfirst", thread_reply_count: 2 };
    const withThread = { ...context, threads: new Map([[messageId, thread]]) };
    const root = toMessage({ ...plain, content: "Rules\nfirst", thread_reply_count: 2 }, withThread);
    expect(root.thread).toMatchObject({ id: root.id, name: "Rules", parent_id: root.channel_id, message_count: 2 });
  });

  test("shows parts of apps, reactions and files in Discord's form", () => {
    const shown = toMessage(
      {
        ...plain,
        embeds: [
          {
            title: "Build",
            description: null,
            url: null,
            color: "#3ba55d",
            timestamp: null,
            author: null,
            footer: null,
            image: { url: "https://x.example/a.png", proxy_url: "/embed-pictures?url=1" },
            thumbnail: null,
            fields: [{ name: "By", value: "@ann", inline: true }],
          },
        ],
        components: [
          [{ type: "button", style: "danger", label: "Stop", custom_id: "stop", url: null, disabled: false }],
        ],
        reactions: [
          { emoji: "👍", count: 2, me: true },
          { emoji: `c:${emojiId}`, count: 1, me: false },
        ],
        attachments: [
          {
            id: id(9),
            message_id: messageId,
            filename: "a.txt",
            file_size: 3,
            mime_type: "text/plain",
            url: "/files/x/a.txt?exp=1",
            width: null,
            height: null,
            created_at: plain.created_at,
          },
        ],
      },
      context,
    );
    expect(shown.embeds).toEqual([
      {
        type: "rich",
        title: "Build",
        color: 0x3ba55d,
        image: { url: "https://x.example/a.png", proxy_url: "https://chat.example/api/embed-pictures?url=1" },
        fields: [{ name: "By", value: `<@${snowflakeOf(annId)}>`, inline: true }],
      },
    ]);
    expect(shown.components).toEqual([
      { type: 1, id: 1, components: [{ type: 2, id: 2, style: 4, label: "Stop", custom_id: "stop" }] },
    ]);
    expect(shown.reactions?.map(({ emoji, count, me }) => [emoji, count, me])).toEqual([
      [{ id: null, name: "👍" }, 2, true],
      [{ id: snowflakeOf(emojiId), name: "par_ty" }, 1, false],
    ]);
    expect(shown.attachments).toMatchObject([
      { filename: "a.txt", size: 3, url: "https://chat.example/api/files/x/a.txt?exp=1" },
    ]);
  });

  test("of a gone account has an author all the same", () => {
    const { id: shownId, author } = toMessage({ ...plain, author_id: null }, context);
    expect([author.id, author.username]).toEqual([shownId, "Deleted User"]);
  });
});
