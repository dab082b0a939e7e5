import { convertSlack, createConvertMarkup } from "@parley/archives";
import { embedLimits } from "@parley/contracts";
import type { KnownBlock, MessageAttachment } from "@slack/types";
import { describe, expect, test } from "vitest";
import { parse } from "../../../platform/http/route.js";
import { hookBody } from "../schema.js";

describe("Slack's markup", () => {
  test.each([
    ["*bold* _italic_ ~gone~", "**bold** *italic* ~~gone~~"],
    ["a*b*c, 2 * 3 * 4, snake_case_name", "a*b*c, 2 * 3 * 4, snake_case_name"],
    ["<https://example.com|the *docs*> <https://example.com>", "[the *docs*](https://example.com) https://example.com"],
    ["<!channel> <!here> <@U024BE7LH> <#C024BE7LR|general>", "@everyone @here @U024BE7LH #general"],
    ["<!date^1392734382^{date}|18 Feb 2014>, <mailto:ann@example.com|Ann>", "18 Feb 2014, Ann"],
    ["a &lt;b&gt; &amp;amp; c", "a <b> &amp; c"],
    ["`*code*` and ```\n_block_\n```", "`*code*` and ```\n_block_\n```"],
    ["> quoted\n*bold*", "> quoted\n**bold**"],
  ])("%j is %j", (slack, expected) => {
    expect(createConvertMarkup()(slack)).toBe(expected);
  });
});

test("legacy attachments become embeds", () => {
  const payload = {
    username: "ghost-bot",
    icon_url: "https://example.com/ghost.png",
    icon_emoji: ":ghost:",
    channel: "#other",
    text: "Deploy",
    attachments: [
      {
        fallback: "Plain-text summary",
        color: "danger",
        pretext: "Optional pretext",
        author_name: "Bobby Tables",
        author_link: "https://example.com/bobby",
        author_icon: "https://example.com/bobby.jpg",
        title: "Slack API Documentation",
        title_link: "https://example.com/docs",
        text: "Optional *text*",
        fields: [{ title: "Priority", value: "High", short: true }],
        image_url: "https://example.com/image.png",
        thumb_url: "https://example.com/thumb.png",
        footer: "Slack API",
        footer_icon: "javascript:alert(1)",
        ts: "123456789",
      },
      { fallback: "Only this", color: "no color" },
    ] satisfies MessageAttachment[],
  };
  expect(convertSlack(payload)).toEqual({
    content: "Deploy",
    username: "ghost-bot",
    avatar_url: "https://example.com/ghost.png",
    embeds: [
      {
        title: "Slack API Documentation",
        url: "https://example.com/docs",
        description: "Optional pretext\nOptional **text**",
        color: "#a30200",
        timestamp: "1973-11-29T21:33:09.000Z",
        author: {
          name: "Bobby Tables",
          url: "https://example.com/bobby",
          icon_url: "https://example.com/bobby.jpg",
        },
        footer: { text: "Slack API", icon_url: undefined },
        image: { url: "https://example.com/image.png" },
        thumbnail: { url: "https://example.com/thumb.png" },
        fields: [{ name: "Priority", value: "High", inline: true }],
      },
      expect.objectContaining({ description: "Only this", color: undefined }),
    ],
  });
});

test("blocks are shown in place of the text", () => {
  const blocks: KnownBlock[] = [
    { type: "header", text: { type: "plain_text", text: "New request", emoji: true } },
    {
      type: "section",
      text: { type: "mrkdwn", text: "*Type:*" },
      fields: [{ type: "mrkdwn", text: "*When:*\nAug 10" }],
      accessory: { type: "image", image_url: "https://example.com/c.png", alt_text: "c" },
    },
    { type: "divider" },
    {
      type: "context",
      elements: [
        { type: "mrkdwn", text: "by _ann_" },
        { type: "image", image_url: "x", alt_text: "" },
      ],
    },
    {
      type: "image",
      image_url: "https://example.com/d.png",
      alt_text: "d",
      title: { type: "plain_text", text: "Map" },
    },
    {
      type: "actions",
      elements: [
        { type: "button", text: { type: "plain_text", text: "Open" }, url: "https://example.com/r" },
        { type: "button", text: { type: "plain_text", text: "Approve" }, value: "click_me" },
      ],
    },
    { type: "rich_text", elements: [] },
  ];
  const { content, embeds } = convertSlack({ text: "fallback", blocks: [...blocks, "nonsense"] });
  expect(content).toBe(
    "**New request**\n**Type:**\n**When:**\nAug 10\n———\nby *ann*\nMap\n[Open](https://example.com/r)",
  );
  expect(embeds?.map(({ image }) => image?.url)).toEqual(["https://example.com/c.png", "https://example.com/d.png"]);
});

test.each([
  [503, "503"],
  [0, "0"],
  [-1.5, "-1.5"],
  [true, "true"],
  [false, "false"],
])("%j where a text belongs is the text %j", (value, text) => {
  expect(convertSlack({ text: value, username: value })).toMatchObject({ content: text, username: text });
  const attachment = {
    pretext: value,
    title: value,
    text: value,
    author_name: value,
    footer: value,
    fields: [{ title: value, value }],
    actions: [{ type: "button", text: value, url: "https://example.com" }],
    blocks: [{ type: "section", text: value }],
  };
  expect(convertSlack({ attachments: [attachment, { fallback: value }] }).embeds).toMatchObject([
    {
      title: text,
      description: [text, text, text, `[${text}](https://example.com)`].join("\n"),
      author: { name: text },
      footer: { text },
      fields: [{ name: text, value: text }],
    },
    { description: text },
  ]);
  const object = { type: "plain_text", text: value };
  const button = { type: "button", text: object, url: "https://example.com" };
  const blocks = [
    { type: "header", text: object },
    { type: "section", text: object, fields: [object, value], accessory: button },
    { type: "context", elements: [{ type: "mrkdwn", text: value }] },
    { type: "image", image_url: "https://example.com/a.png", title: object },
    { type: "actions", elements: [button] },
  ];
  const link = `[${text}](https://example.com)`;
  expect(convertSlack({ blocks }).content).toBe([`**${text}**`, text, text, text, link, text, text, link].join("\n"));
});

test("a field with a title or a value is shown", () => {
  const fields = [{ title: "Count" }, { title: "Count", value: "" }, { value: "v" }, { title: " ", value: null }, {}];
  expect(convertSlack({ attachments: [{ title: "x", fields }] }).embeds).toMatchObject([
    {
      fields: [
        { name: "Count", value: "\u200b" },
        { name: "Count", value: "\u200b" },
        { name: "\u200b", value: "v" },
      ],
    },
  ]);
});

test.each([
  [{ text: "x".repeat(9_000) }],
  [{ attachments: Array(30).fill({ title: "t".repeat(300), text: "😀".repeat(5_000), ts: 1e300, footer: "f" }) }],
  [
    {
      text: "ok",
      username: 7,
      blocks: "no",
      attachments: [null, { fields: Array(99).fill({ title: "", value: "v" }) }],
    },
  ],
  [{ text: "\0\ud800x", icon_url: "ftp://x" }],
  [
    {
      attachments: [
        { text: "x", fields: [{ title: "only a title" }], image_url: `https://e.com/${"x".repeat(3_000)}` },
      ],
    },
  ],
])("whatever is posted, what it becomes keeps every bound", (payload) => {
  const converted = convertSlack(payload);
  expect(() => parse<typeof hookBody>(hookBody, converted)).not.toThrow();
  expect(converted.embeds?.length).toBeLessThanOrEqual(embedLimits.embeds);
});

test.each(["*a", "_", "~ ", "<", "`", "<!", "*a* "])("the time of a text of %j grows with its length", (part) => {
  // Processor time, and the least of several: a busy machine interrupts.
  const leastTime = (texts: readonly string[]) => {
    const times = [1, 2, 3].map(() => {
      const before = process.cpuUsage();
      for (const text of texts) createConvertMarkup()(text);
      const { user, system } = process.cpuUsage(before);
      // Only the sum is exact: the kernel divides it by samples.
      return user + system;
    });
    return Math.min(...times);
  };
  const short = Array<string>(60).fill(part.repeat(1_000));
  // A text 60 times as long costs 60 times as much as all these if each sign looks for its end.
  expect(leastTime([part.repeat(60_000)]) / leastTime(short)).toBeLessThan(15);
});
