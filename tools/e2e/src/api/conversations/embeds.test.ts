import { errorBody as error, Message, SearchPage, SentMessage } from "@parley/contracts";
import {
  connectGateway,
  createChannel,
  createClient,
  createServerWithMembers,
  postMessage,
  type RestClient,
  type ServerFixture,
  sharedStack,
  type Users,
} from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { runSql } from "../stages/admin-stage.js";
import { type PreviewStage, redirectTo, startPreviewStage } from "../stages/link-preview-stage.js";
import { pngPixel } from "../stages/sample-files.js";

let stage: PreviewStage;
let fixture: ServerFixture<Users<1>>;
let bot: RestClient;
let path: string;

beforeAll(async () => {
  stage = await startPreviewStage(await sharedStack());
  const client = createClient(stage.stack.edgeUrl);
  fixture = await createServerWithMembers(client, 1);
  const { owner, server, channel } = fixture;
  const { token } = (await owner.post("/bots", { name: "Builds" })).expect(201, z.object({ token: z.string() }));
  bot = client.withAuthorization(`Bot ${token}`);
  expect((await bot.post(`/servers/${server.id}/join`)).status).toBe(201);
  path = `/channels/${channel.id}/messages`;
});
afterAll(() => stage.close());

test("with a key of the day any picture is read through the instance, and without one none", async () => {
  const url = stage.web.publish(pngPixel, "image/png");
  const { key, expires_at } = (await fixture.owner.get("/embed-pictures/key")).expect(
    200,
    z.strictObject({ key: z.string(), expires_at: z.iso.datetime() }),
  );
  expect(Date.parse(expires_at)).toBeGreaterThan(Date.now() + 86_000_000);
  const read = (query: Record<string, string>) =>
    fetch(`${stage.stack.edgeUrl}/api/embed-pictures?${new URLSearchParams(query)}`);
  const shown = await read({ url, key });
  expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "image/png"]);
  expect(Buffer.from(await shown.arrayBuffer())).toEqual(pngPixel);
  const [end = "", signature = ""] = key.split(".");
  for (const wrong of ["", `${end}.${"0".repeat(64)}`, `${Number(end) + 86_400}.${signature}`, signature])
    expect((await read({ url, key: wrong })).status).toBe(404);
  expect((await read({ url: "file:///etc/passwd", key })).status).toBe(404);
});

const send = async (body: object) => (await bot.post(path, body)).expect(201, SentMessage.strict());
const embed = { title: "Build 412", description: "all **green**", color: 0x3ba55d };
const button = { type: "button", style: "primary", label: "Approve", custom_id: "approve" };
const shownButton = { ...button, url: null, disabled: false };

test("a bot sends embeds and components, which readers and events have whole, and only where they are set", async () => {
  const picture = stage.web.publish(pngPixel, "image/png");
  const reader = connectGateway(stage.stack.edgeUrl, fixture.owner.accessToken);
  await reader.ready;
  const sent = await send({
    embeds: [
      {
        ...embed,
        timestamp: "2026-01-02T03:04:05+01:00",
        author: { name: "ann", icon_url: picture },
        footer: { text: "main" },
        image: { url: picture },
        fields: [{ name: "Duration", value: "4 minutes" }],
      },
    ],
    components: [[button], [{ type: "select", kind: "user", custom_id: "who" }]],
  });
  const proxy_url = expect.stringMatching(/^\/embed-pictures\?url=http%3A.*&sig=[0-9a-f]{64}$/);
  const embeds = [
    {
      title: "Build 412",
      description: "all **green**",
      url: null,
      color: "#3ba55d",
      timestamp: "2026-01-02T02:04:05.000Z",
      author: { name: "ann", url: null, icon_url: picture, proxy_icon_url: proxy_url },
      footer: { text: "main", icon_url: null, proxy_icon_url: null },
      image: { url: picture, proxy_url },
      thumbnail: null,
      fields: [{ name: "Duration", value: "4 minutes", inline: false }],
    },
  ];
  const select = { type: "select", kind: "user", custom_id: "who", options: null, placeholder: null };
  const components = [[shownButton], [{ ...select, min_values: 1, max_values: 1 }]];
  expect(sent).toMatchObject({ content: "", embeds, components });
  const event = await reader.waitFor("MESSAGE_CREATE", ({ id }) => id === sent.id);
  expect(event).toMatchObject({ embeds: sent.embeds, components: sent.components });
  await reader.close();
  const plain = await postMessage(fixture.owner, fixture.channel.id, "plain");
  const list = (await fixture.owner.get(path)).expect(200, z.array(Message.strict()));
  expect(list).toEqual([plain, sent]);
  expect(Object.keys(plain)).not.toContain("embeds");
});

test("people may not send embeds, and faults are named by their path", async () => {
  const { owner } = fixture;
  const refused = await owner.post(path, { content: "x", embeds: [embed] });
  expect([refused.status, refused.body]).toEqual([403, error("Only bots can send embeds and components")]);
  expect((await owner.post(path, { content: "x", embeds: [], components: null })).status).toBe(201);
  const own = await postMessage(owner, fixture.channel.id, "mine");
  expect((await owner.patch(`/messages/${own.id}`, { content: "y", components: [[button]] })).status).toBe(403);
  const faults: [object, string][] = [
    [{ embeds: [embed, { fields: [{ name: "" }] }] }, "embeds[1].fields[0].name: must be 1-256 characters"],
    [
      { embeds: [{ title: "x", image: { url: "ftp://x" } }] },
      "embeds[0].image.url: must be an http:// or https:// address of at most 2048 characters",
    ],
    [{ embeds: [{ title: "x", color: 0x1000000 }] }, "embeds[0].color: must be #RRGGBB or 0-16777215"],
    [{ embeds: [{ color: 1 }] }, "embeds[0]: must not be empty"],
    [{ embeds: Array(11).fill(embed) }, "embeds: must be at most 10 entries"],
    [
      { embeds: Array(2).fill({ description: "x".repeat(3_001) }) },
      "embeds: must have at most 6000 characters together",
    ],
    [{ components: [[button], [button]] }, "components[1][0].custom_id: must be unique in the message"],
    [{ components: [[{ ...button, style: "link" }]] }, "components[0][0].url: is required"],
    [{ components: [[{ type: "select", kind: "text", custom_id: "a" }]] }, "components[0][0].options: is required"],
    [{ components: [[{ type: "menu" }]] }, "components[0][0].type: must be a button or a select"],
    [{ embeds: [], components: [] }, "Message content must be 1-4000 characters"],
  ];
  for (const [body, text] of faults) {
    const answer = await bot.post(path, body);
    expect([answer.status, answer.body]).toEqual([400, error(text)]);
  }
});

test("an edit changes the fields that it names, and null clears them unless nothing would be left", async () => {
  const { id } = await send({ content: "build", embeds: [embed], components: [[button]] });
  const edit = async (body: object) => (await bot.patch(`/messages/${id}`, body)).expect(200, Message.strict());
  expect(await edit({ embeds: [{ title: "Build 413" }] })).toMatchObject({
    content: "build",
    components: [[shownButton]],
  });
  const cleared = await edit({ content: "", components: null });
  expect(cleared).toMatchObject({ content: "", embeds: [{ title: "Build 413" }] });
  expect(Object.keys(cleared)).not.toContain("components");
  expect((await bot.patch(`/messages/${id}`, { embeds: [] })).status).toBe(400);
  const thread = await bot.post(`${path}/${id}/thread`, { embeds: [embed] });
  expect(thread.expect(201, SentMessage.strict())).toMatchObject({ content: "", thread_id: id });
});

test("an edit of the text of a message from before the bound of embeds is refused when its event could not be sent", async () => {
  const { id } = await send({ content: "old", embeds: [embed] });
  const { stack } = stage;
  const [url, of] = [`http://a.example/${"x".repeat(2_000)}`, "UPDATE messages SET embeds = "];
  const stored = (count: number) =>
    JSON.stringify(
      Array.from({ length: count }, () => ({
        ...{ title: "t", description: null, url, color: null, timestamp: null, author: null, footer: null },
        ...{ image: { url }, thumbnail: { url }, fields: [] },
      })),
    );
  await runSql(stack.databaseUrl, `${of} $2 WHERE id = $1`, [id, stored(10)]);
  expect((await bot.patch(`/messages/${id}`, { content: "new" })).status).toBe(200);
  await runSql(stack.databaseUrl, `${of} $2 WHERE id = $1`, [id, stored(100)]);
  const refused = await bot.patch(`/messages/${id}`, { content: "newer" });
  expect([refused.status, refused.body]).toEqual([400, error("Embeds are too large")]);
  expect((await bot.patch(`/messages/${id}`, { content: "newer", embeds: null })).status).toBe(200);
});

test("lists of messages have embeds and components of 1 MB at most, and all of their messages", async () => {
  const { owner, server } = fixture;
  const channel = await createChannel(owner, server.id);
  const messages = `/channels/${channel.id}/messages`;
  const { id: root } = (await bot.post(messages, { content: "root" })).expect(201, SentMessage);
  const thread = `${messages}/${root}/thread`;
  for (let n = 0; n < 30; n += 1)
    for (const place of [messages, thread]) expect((await bot.post(place, { embeds: [embed] })).status).toBe(201);
  // As large as a message may be: 60,000 bytes, which compression would make tiny.
  const fields = Array.from({ length: 25 }, () => ({ name: "n", value: "x".repeat(1_000), inline: false }));
  const large = [embed, embed].map((each) => ({ ...each, ...empty, color: null, description: "d", fields }));
  await runSql(
    stage.stack.databaseUrl,
    "UPDATE messages SET embeds = $2, pinned = true, pinned_at = created_at WHERE channel_id = $1 AND id <> $3",
    [channel.id, JSON.stringify(large), root],
  );
  for (const [list, count] of [
    [`${messages}?limit=100`, 31],
    [`${thread}?limit=100`, 30],
    [`/channels/${channel.id}/pinned-messages`, 60],
    [`${messages}?limit=100&include=reactions,author`, 31],
  ] as const) {
    const listed = (await owner.get(list)).expect(200, z.array(Listed));
    expect(listed).toHaveLength(count);
    expect(JSON.stringify(listed).length).toBeLessThan(1_100_000);
    const left = listed.filter(({ parts_left_out }) => parts_left_out === true);
    expect(left.length).toBeGreaterThan(5);
    expect(left.filter(({ embeds }) => embeds !== undefined)).toEqual([]);
    expect(listed.filter(({ embeds }) => embeds?.length === 2).length).toBeGreaterThan(10);
    const [one] = left;
    const alone = (await owner.get(`${messages}/${one?.id}`)).expect(200, Listed);
    expect([alone.embeds?.length, alone.parts_left_out]).toEqual([2, undefined]);
  }
});
const Listed = z.looseObject({
  id: z.string(),
  embeds: z.array(z.unknown()).optional(),
  parts_left_out: z.literal(true).optional(),
});
const empty = { url: null, timestamp: null, author: null, footer: null, image: null, thumbnail: null };

test("search and the word filter read the texts of embeds and components", async () => {
  const { owner, server } = fixture;
  const sent = await send({ content: "deployed", embeds: [{ title: "zugzwang", footer: { text: "kingside" } }] });
  const found = async (q: string) =>
    (await owner.get(`/servers/${server.id}/search?q=${encodeURIComponent(q)}`)).expect(200, SearchPage).results;
  expect(await found("deployed kingside")).toMatchObject([
    { id: sent.id, highlight: expect.stringContaining("<mark>kingside</mark>") },
  ]);
  expect((await bot.patch(`/messages/${sent.id}`, { embeds: null })).status).toBe(200);
  expect(await found("kingside")).toEqual([]);
  expect(await found("deployed")).toHaveLength(1);
  const automod = `/servers/${server.id}/automod`;
  expect((await owner.patch(automod, { enabled: true, word_filter_enabled: true })).status).toBe(200);
  expect((await owner.post(`${automod}/words`, { word: "stalemate" })).status).toBe(201);
  for (const body of [{ embeds: [{ title: "Stalemate" }] }, { components: [[{ ...button, label: "stalemate!" }]] }]) {
    const answer = await bot.post(path, body);
    expect([answer.status, answer.body]).toEqual([403, error("Message blocked by word filter")]);
  }
  expect((await owner.patch(automod, { enabled: false })).status).toBe(200);
});

test("pictures come through this instance: fetched once, never from private addresses, and only what is a picture", async () => {
  const picture = stage.web.publish(pngPixel, "image/png");
  const pictures = await Promise.all(
    [
      picture,
      stage.web.publish("<script>", "image/png"),
      stage.web.publish(redirectTo(`http://127.0.0.1:${stage.web.port}${new URL(picture).pathname}`)),
    ].map(async (url) => ({
      url,
      proxy: (await send({ embeds: [{ image: { url } }] })).embeds?.[0]?.image?.proxy_url ?? "",
    })),
  );
  // Each process keeps its own.
  const read = (proxy: string) => fetch(`${stage.stack.apis[0]?.url}${proxy}`);
  const [good, fake, inside] = pictures.map(({ proxy }) => proxy);
  const answers = await Promise.all([read(good ?? ""), read(good ?? ""), read(good ?? "")]);
  for (const answer of answers) {
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(Buffer.from(await answer.arrayBuffer()).equals(pngPixel)).toBe(true);
  }
  expect(stage.web.timesAsked(pictures[0]?.url ?? "")).toBe(1);
  for (const proxy of [fake, inside, good?.replace(/sig=./, "sig=x")])
    expect((await read(proxy ?? "")).status).toBe(404);
});
