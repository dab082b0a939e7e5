import {
  errorBody as error,
  IncomingWebhook,
  IncomingWebhookWithToken,
  Message,
  PublicProfile,
  SentMessage,
} from "@parley/contracts";
import {
  connectGateway,
  createChannel,
  createClient,
  createServerWithMembers,
  postMessage,
  type RestClient,
  type ServerFixture,
  type SharedStack,
  sharedStack,
  type Users,
} from "@parley/testing";
import { EmbedType, type RESTPostAPIWebhookWithTokenJSONBody } from "discord-api-types/v10";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { pngPixel } from "../stages/sample-files.js";

let stack: SharedStack;
let client: RestClient;
let stage: ServerFixture<Users<1>>;
let base: string;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl);
});
beforeEach(async () => {
  stage = await createServerWithMembers(client, 1);
  base = `/servers/${stage.server.id}/incoming-webhooks`;
});

const create = async (fields: object = {}) =>
  (await stage.owner.post(base, { channel_id: stage.channel.id, name: "Builds", ...fields })).expect(
    201,
    IncomingWebhookWithToken.strict(),
  );
const List = z.strictObject({ webhooks: z.array(IncomingWebhook.strict()) });
const notFound = [404, error("Webhook not found")];
test.each([
  ["many pairs", "a&".repeat(200_000), "Request body has too many values"],
  ["more JSON than a body may have", `payload=${"x".repeat(256 * 1024 + 1)}`, "Request body must be at most 256 KB"],
])("a form with %s is refused", async (_, body, text) => {
  const { path } = await create();
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  expect(await client.send("POST", path, { body, headers })).toMatchObject({ status: 400, body: error(text) });
});

const messages = async () =>
  (await stage.owner.get(`/channels/${stage.channel.id}/messages?include=author`)).expect(
    200,
    z.array(z.looseObject({})),
  );

test("embeds whose addresses would make a message too large are refused, and the next message arrives", async () => {
  const { path } = await create();
  const gateway = connectGateway(stack.gateways[0]?.url ?? "", stage.owner.accessToken);
  await gateway.ready;
  // Four bytes as they are sent, sixteen in the event: the address stands there twice, once percent-encoded.
  const url = `http://a/${"😀".repeat(2_039)}`;
  const embeds = Array.from({ length: 10 }, () => ({ url, image: { url }, thumbnail: { url } }));
  const tooLarge = [400, error("Embeds are too large")];
  const answer = await fetch(`${stack.edgeUrl}${path}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: `payload=${JSON.stringify({ embeds })}`,
  });
  expect([answer.status, await answer.json()]).toEqual(tooLarge);
  expect(await messages()).toEqual([]);
  await postMessage(stage.owner, stage.channel.id, "After it");
  await gateway.waitFor("MESSAGE_CREATE", ({ content }) => content === "After it");
  await gateway.close();
});

test("managing incoming webhooks is for administrators, shows the token once, and is recorded", async () => {
  const { owner, server, channel, members } = stage;
  const created = await create({ name: " Builds " });
  const { token, path, ...webhook } = created;
  expect(created).toMatchObject({
    name: "Builds",
    channel_id: channel.id,
    avatar_url: null,
    created_by: owner.user.id,
  });
  expect(path).toBe(`/hooks/${webhook.id}/${token}`);
  const list = await owner.get(base);
  expect(list.expect(200, List).webhooks).toEqual([webhook]);
  expect(JSON.stringify(list.body)).not.toContain(token);
  expect((await owner.get(`${base}/${webhook.id}`)).expect(200, IncomingWebhook.strict())).toEqual(webhook);
  const other = await createChannel(owner, server.id);
  const changes = { name: "Releases", channel_id: other.id, avatar_url: "https://example.com/a.png" };
  const changed = (await owner.patch(`${base}/${webhook.id}`, changes)).expect(200, IncomingWebhook.strict());
  expect(changed).toEqual({ ...webhook, ...changes });
  const rotated = (await owner.post(`${base}/${webhook.id}/token`)).expect(200, IncomingWebhookWithToken.strict());
  expect([
    (await client.post(path, { content: "x" })).status,
    (await client.post(rotated.path, { content: "x" })).status,
  ]).toEqual([404, 204]);
  for (const answer of [
    await members[0].get(base),
    await members[0].post(base, { channel_id: channel.id, name: "x" }),
  ]) {
    expect([answer.status, answer.body]).toEqual([
      403,
      error("You need the Administrator permission to manage webhooks"),
    ]);
  }
  const foreign = await createServerWithMembers(client, 0);
  expect((await owner.post(base, { channel_id: foreign.channel.id, name: "x" })).body).toEqual(
    error("Channel not found"),
  );
  expect((await owner.post(base, { channel_id: channel.id, name: "" })).body).toEqual(
    error("Webhook name must be 1-80 characters"),
  );
  expect((await owner.delete(`${base}/${webhook.id}`)).status).toBe(204);
  expect((await owner.get(`${base}/${webhook.id}`)).status).toBe(404);
  const log = (await owner.get(`/servers/${server.id}/audit-logs`)).expect(200, z.array(z.looseObject({})));
  const own = log.filter(({ target_id }) => target_id === webhook.id);
  expect(own.map(({ action, details }) => [action, details])).toEqual([
    ["incoming_webhook_delete", { name: "Releases" }],
    ["incoming_webhook_update", { name: "Releases" }],
    ["incoming_webhook_update", { name: "Releases" }],
    ["incoming_webhook_create", { name: "Builds" }],
  ]);
});

test("a channel has 15 incoming webhooks at most, and loses them with it", async () => {
  const { owner, server } = stage;
  const channel = await createChannel(owner, server.id);
  const made = [];
  for (let n = 0; n < 15; n += 1) made.push(await create({ channel_id: channel.id }));
  const refused = await owner.post(base, { channel_id: channel.id, name: "x" });
  expect([refused.status, refused.body]).toEqual([400, error("Channels are limited to 15 incoming webhooks")]);
  expect((await owner.delete(`/channels/${channel.id}`)).status).toBe(204);
  expect((await owner.get(base)).expect(200, List).webhooks).toEqual([]);
  expect((await client.post(made[0]?.path ?? "", { content: "x" })).status).toBe(404);
});

describe("a post", () => {
  test("a post becomes a message of the webhook's own account, which is nobody otherwise", async () => {
    const { owner, server, channel, members } = stage;
    const { path, id } = await create({ avatar_url: "https://example.com/a.png" });
    const reader = connectGateway(stack.edgeUrl, members[0].accessToken);
    await reader.ready;
    const body: RESTPostAPIWebhookWithTokenJSONBody = {
      username: "CI",
      content: "@everyone done",
      tts: false,
      embeds: [{ title: "Build", color: 255, type: EmbedType.Rich }],
      components: [],
    };
    const sent = (await client.post(`/api${path}?wait=true`, body)).expect(200, SentMessage.strict());
    const webhook = { id, name: "CI", avatar_url: "https://example.com/a.png" };
    expect(sent).toMatchObject({
      content: "@everyone done",
      mention_everyone: true,
      webhook,
      embeds: [{ color: "#0000ff" }],
    });
    const author = { id: sent.author_id, nickname: null, avatar_url: webhook.avatar_url, is_webhook: true };
    const event = await reader.waitFor("MESSAGE_CREATE", (message) => message.id === sent.id);
    expect(event).toMatchObject({ webhook, author, server_id: server.id });
    await reader.close();
    expect(await messages()).toMatchObject([{ ...sent, author }]);
    const profile = (await owner.get(`/users/${sent.author_id}`)).expect(200, PublicProfile.strict());
    expect(profile).toMatchObject({ id: sent.author_id, is_webhook: true });
    expect((await owner.post("/dm-channels", { user_id: sent.author_id })).status).toBe(404);
    expect((await owner.put(`/users/@me/friends/${sent.author_id}`)).status).toBe(404);
    const list = JSON.stringify((await owner.get(`/servers/${server.id}/members`)).body);
    expect(list).not.toContain(sent.author_id);
    const plain = await postMessage(owner, channel.id, "plain");
    expect(Object.keys(plain)).not.toContain("webhook");
    expect((await owner.delete(`${base}/${id}`)).status).toBe(204);
    const left = (await owner.get(`/channels/${channel.id}/messages/${sent.id}`)).expect(200, Message.strict());
    expect(left).toEqual(sent);
  });

  test("a wrong id and a wrong token are not found alike, whatever is posted", async () => {
    const { id, token } = await create();
    const wrong = [`/hooks/${id}/${"0".repeat(64)}`, `/hooks/${stage.server.id}/${token}`, `/hooks/x/${token}`];
    for (const path of wrong) {
      for (const suffix of ["", "/slack", "/github"]) {
        const answer = await client.send("POST", `${path}${suffix}`, {
          body: "{",
          headers: { "content-type": "text/xml" },
        });
        expect([answer.status, answer.body]).toEqual(notFound);
      }
    }
  });

  test("a webhook takes five posts in two seconds", async () => {
    const { path } = await create();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => client.post(path, { content: `message ${n}` })),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 204).length).toBeGreaterThanOrEqual(5);
    expect(refused.length).toBeGreaterThan(0);
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("a post may be a form, have files, go to a thread, and restrict its mentions", async () => {
    const { owner, channel } = stage;
    const { path } = await create();
    const encoded = new URLSearchParams({ payload: JSON.stringify({ content: "form & more" }) }).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    expect((await client.send("POST", path, { body: encoded, headers })).status).toBe(204);
    const form = new FormData();
    const payload: RESTPostAPIWebhookWithTokenJSONBody = {
      embeds: [
        { image: { url: "attachment://a.png" }, author: { name: "ann", icon_url: "attachment://a.png" } },
        {
          title: "x",
          thumbnail: { url: "attachment://missing.png" },
          footer: { text: "y", icon_url: "attachment://b" },
        },
        { thumbnail: { url: "attachment://a.png" } },
      ],
    };
    form.append("payload_json", JSON.stringify(payload));
    form.append("files[0]", new Blob([pngPixel], { type: "image/png" }), "a.png");
    const reader = connectGateway(stack.edgeUrl, owner.accessToken);
    await reader.ready;
    const sent = (await client.send("POST", `${path}?wait=true`, { body: form })).expect(200, SentMessage.strict());
    // Signed anew with every address.
    const url = expect.stringContaining(`${sent.attachments?.[0]?.url.split("?")[0]}?exp=`);
    const picture = { url, proxy_url: url };
    const embeds = [
      { image: picture, author: { name: "ann", icon_url: url, proxy_icon_url: url } },
      { title: "x", thumbnail: null, footer: { text: "y", icon_url: null, proxy_icon_url: null } },
      { thumbnail: picture },
    ];
    expect(sent).toMatchObject({ content: "", embeds, attachments: [{ filename: "a.png" }] });
    expect(await reader.waitFor("MESSAGE_CREATE", ({ id }) => id === sent.id)).toMatchObject({ embeds });
    await reader.close();
    const read = (await owner.get(`/channels/${channel.id}/messages/${sent.id}`)).expect(200, Message);
    const shown = await fetch(`${stack.edgeUrl}/api${read.embeds?.[0]?.image?.proxy_url}`);
    expect([shown.status, Buffer.from(await shown.arrayBuffer()).equals(pngPixel)]).toEqual([200, true]);
    const root = await postMessage(owner, channel.id, "root");
    const muted = {
      content: `@everyone @${owner.username}`,
      allowed_mentions: { parse: [] },
    } satisfies RESTPostAPIWebhookWithTokenJSONBody;
    const reply = (await client.post(`${path}?wait=true&thread_id=${root.id}`, muted)).expect(
      200,
      SentMessage.strict(),
    );
    expect(reply).toMatchObject({ thread_id: root.id, mention_everyone: false, mention_user_ids: [] });
    expect((await client.post(path, { thread_id: sent.channel_id, content: "x" })).body).toEqual(
      error("Message not found"),
    );
  });

  test("a form may be the body itself, and all its files arrive, whatever their parts are called", async () => {
    const root = await postMessage(stage.owner, stage.channel.id, "root");
    const fields = { content: "hi", username: "Bot", avatar_url: "", thread_id: root.id, unknown: "x" };
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    for (const name of ["file1", "file", "attachment", "content"]) form.append(name, new Blob(["text"]), `${name}.txt`);
    form.append("files[0]", new Blob(["text"]), 'a "b".txt');
    const send = async (body: FormData | string) => {
      const headers = typeof body === "string" ? { "content-type": "application/x-www-form-urlencoded" } : undefined;
      const { path } = await create();
      return client.send("POST", `${path}?wait=true&thread_id=`, { body, ...(headers && { headers }) });
    };
    const posted = { content: "hi", thread_id: root.id, webhook: { name: "Bot", avatar_url: null } };
    expect((await send(form)).expect(200, SentMessage.strict())).toMatchObject({
      ...posted,
      attachments: ["file1.txt", "file.txt", "attachment.txt", "content.txt", 'a "b".txt'].map((filename) => ({
        filename,
      })),
    });
    expect((await send(new URLSearchParams(fields).toString())).expect(200, SentMessage.strict())).toMatchObject(
      posted,
    );
    const json = new FormData();
    json.append("content", "not this");
    json.append("payload_json", JSON.stringify({ content: "this" }));
    json.append("file1", new Blob(["text"]), "a.txt");
    expect((await send(json)).expect(200, SentMessage.strict())).toMatchObject({
      content: "this",
      attachments: [{ filename: "a.txt" }],
    });
    for (const [name, text] of [
      ["embeds", "embeds: must be a list"],
      ["unknown", "payload is required"],
    ] as const) {
      const refused = await send(new URLSearchParams({ [name]: "[]" }).toString());
      expect([refused.status, refused.body]).toEqual([400, error(text)]);
    }
  });

  test("the rules of the server judge posts, which slow mode does not hold up", async () => {
    const { owner, server, channel } = stage;
    const { path } = await create();
    expect((await owner.patch(`/channels/${channel.id}`, { slow_mode_seconds: 600 })).status).toBe(200);
    const automod = `/servers/${server.id}/automod`;
    const rules = { enabled: true, word_filter_enabled: true, word_filter_action: "ban" };
    expect((await owner.patch(automod, rules)).status).toBe(200);
    expect((await owner.post(`${automod}/words`, { word: "stalemate" })).status).toBe(201);
    for (const content of ["one", "two"]) expect((await client.post(path, { content })).status).toBe(204);
    const refused = await client.post(path, { embeds: [{ description: "Stalemate!" }] });
    expect([refused.status, refused.body]).toEqual([403, error("Message blocked by word filter")]);
    expect((await client.post(path, { content: "three" })).status).toBe(204);
    const log = (await owner.get(`${automod}/logs`)).expect(200, z.array(z.looseObject({})));
    expect(log).toMatchObject([{ action_taken: "delete", message_content: "Stalemate!" }]);
  });

  test("posts made for Slack and for GitHub become messages", async () => {
    const { path } = await create();
    const slack = await client.post(`${path}/slack`, { text: "*Done* <https://example.com|here>" });
    expect([slack.status, slack.body]).toEqual([200, "ok"]);
    const sender = { login: "ann", html_url: "https://github.com/ann", avatar_url: "https://github.com/ann.png" };
    const star = {
      action: "created",
      sender,
      repository: { full_name: "ann/chess", html_url: "https://github.com/ann/chess" },
    };
    const github = (event: string) =>
      client.send("POST", `${path}/github`, {
        body: JSON.stringify(star),
        headers: { "content-type": "application/json", "x-github-event": event },
      });
    expect([(await github("star")).status, (await github("ping")).status]).toEqual([204, 204]);
    expect(await messages()).toMatchObject([
      { content: "", embeds: [{ title: "[ann/chess] New star", author: { name: "ann" } }] },
      { content: "**Done** [here](https://example.com)", webhook: { name: "Builds" } },
    ]);
  });
});
