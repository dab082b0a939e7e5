import { randomUUID } from "node:crypto";
import { Attachment, errorBody as error, Message, SentMessage } from "@parley/contracts";
import {
  asEvent,
  connectGateway,
  createClient,
  type GatewayClient,
  listMessages,
  postMessage,
  type RestClient,
  sharedStack,
  type UserClient,
  waitUntil,
} from "@parley/testing";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createGuardedServer } from "../stages/automod-stage.js";
import { deny } from "../stages/channel-stage.js";
import { pngPixel } from "../stages/sample-files.js";
import {
  createUploadStage,
  formOf,
  type SentFile,
  type SharedUploadStage,
  watchFiles,
} from "../stages/upload-stage.js";
import { startReceiver } from "../stages/webhook-receiver.js";
import { createWebhook } from "../stages/webhook-stage.js";

let stage: SharedUploadStage;
let author: UserClient;
const sockets: GatewayClient[] = [];

beforeAll(async () => {
  stage = await createUploadStage(await sharedStack());
  const [first] = stage.members;
  author = first;
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate();
});

const text = (name: string, content = name): SentFile => ({ name, bytes: Buffer.from(content) });
const picture = { name: "board.png", bytes: pngPixel };
const zip = { name: "a.zip", bytes: Buffer.from("PK\x03\x04....") };
const unknown = "File type could not be determined";
const channelPath = () => `/channels/${stage.channel.id}/messages`;

/** A form as a browser sends it: the message first, unless it is to come last. */
function messageForm(payload: unknown, files: readonly SentFile[], { payloadLast = false } = {}): FormData {
  const form = payloadLast ? formOf(files) : new FormData();
  if (payload !== undefined)
    form.append("payload_json", typeof payload === "string" ? payload : JSON.stringify(payload));
  if (!payloadLast) for (const [name, file] of formOf(files)) form.append(name, file);
  return form;
}

const send = (by: RestClient, form: FormData, path = channelPath()) => by.send("POST", path, { body: form });
const through = (api: 0 | 1, user: UserClient) =>
  createClient(stage.stack.apis[api]?.url ?? "", { authorization: `Bearer ${user.accessToken}` });
const listed = async (messageId: string) =>
  (await author.get(`/messages/${messageId}/attachments`)).expect(200, z.array(Attachment.strict()));
const withoutAddress = ({ url: _, ...attachment }: Attachment) => attachment;

async function listen(user: UserClient): Promise<GatewayClient[]> {
  const opened = stage.stack.gateways.map(({ url }) => connectGateway(url, user.accessToken));
  sockets.push(...opened);
  await Promise.all(opened.map(({ ready }) => ready));
  return opened;
}
const created = (socket: GatewayClient) => socket.events.filter(({ name }) => name.endsWith("MESSAGE_CREATE"));

describe("a message that is sent with its files", () => {
  test.each(["a message", "a thread reply"])(
    "a message sent with its files is one event with attachments, as the answer is: %s",
    async (kind) => {
      const listeners = await listen(stage.owner);
      const root = kind === "a message" ? null : await postMessage(author, stage.channel.id, "root");
      const path = root === null ? channelPath() : `${channelPath()}/${root.id}/thread`;
      const form = messageForm({ content: "look", nonce: randomUUID() }, [text("c.txt"), picture, text("a.txt")]);
      const sent = (await send(author, form, path)).expect(201, SentMessage.strict());
      expect(sent).toMatchObject({ content: "look", thread_id: root?.id ?? null });
      expect(Object.keys(sent).slice(-2)).toEqual(["attachments", "nonce"]);
      expect(sent.attachments?.map(({ filename, mime_type, width }) => [filename, mime_type, width])).toEqual([
        ["c.txt", "text/plain", null],
        ["board.png", "image/png", 1],
        ["a.txt", "text/plain", null],
      ]);
      for (const attachment of sent.attachments ?? []) {
        expect(attachment).toMatchObject({ message_id: sent.id, created_at: sent.created_at });
        const file = await fetch(`${stage.client.baseUrl}${attachment.url}`);
        expect([file.status, file.headers.get("content-type")]).toEqual([200, attachment.mime_type]);
        const asMember = await author.get(attachment.url.replace(/\?.*/, ""));
        expect(asMember.status).toBe(200);
      }
      expect((await listed(sent.id)).map(withoutAddress)).toEqual(sent.attachments?.map(withoutAddress));
      const marker = await postMessage(author, stage.channel.id, "marker");
      for (const socket of listeners) {
        const since = () => created(socket).slice(root === null ? 0 : 1);
        await waitUntil(() => since().some(({ payload }) => Object(payload).id === marker.id));
        expect(since().map(({ payload }) => payload)).toEqual(
          [sent, marker].map((message) => asEvent(message, stage.server.id, author)),
        );
      }
    },
  );

  test("a message that is sent with its files needs no text, and is no duplicate of another one without text", async () => {
    const guarded = await createGuardedServer(stage.client, { duplicate_enabled: true });
    const path = `/channels/${guarded.channel.id}/messages`;
    for (const payload of [{}, undefined]) {
      const sent = (await send(guarded.author, messageForm(payload, [picture]), path)).expect(201, SentMessage);
      expect(sent).toMatchObject({ content: "", deleted: false, attachments: [{ filename: "board.png" }] });
    }
    expect(await listMessages(guarded.author, guarded.channel.id)).toHaveLength(2);
  });

  test("a message that is sent with its files is taken whatever the order of its parts, and takes further files in a second step", async () => {
    const form = messageForm({ content: "look" }, [text("a.txt")], { payloadLast: true });
    const sent = (await send(author, form)).expect(201, SentMessage);
    const more = formOf([text("b.txt")]);
    await author.send("POST", `/messages/${sent.id}/attachments`, { body: more });
    expect((await listed(sent.id)).map(({ filename }) => filename)).toEqual(["a.txt", "b.txt"]);
  });

  test("a message that is sent with its files reaches webhooks with its attachments and without its nonce", async () => {
    const receiver = await startReceiver();
    try {
      await createWebhook(stage.owner, stage.server.id, { url: receiver.url });
      const form = messageForm({ content: "look", nonce: randomUUID() }, [text('","nonce":"x"}')]);
      const { nonce: _, ...sent } = (await send(author, form)).expect(201, SentMessage);
      const [delivery] = await receiver.waitFor(1);
      expect(JSON.parse(delivery?.body.toString() ?? "")).toEqual({
        event: "message.created",
        server_id: stage.server.id,
        data: sent,
      });
    } finally {
      await receiver.close();
    }
  });

  test("a message that is sent with its files is stored once with its nonce, whichever apis it is sent to, and no file is left twice", async () => {
    const uploaded = await watchFiles(stage.uploadDir);
    const nonce = randomUUID();
    const form = () => messageForm({ content: "once", nonce }, [text("a.txt"), picture]);
    const answers = await Promise.all([0, 1, 0, 1].map((api) => send(through(api === 0 ? 0 : 1, author), form())));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 201]);
    const all = answers.map(({ body }) => SentMessage.strict().parse(body));
    const again = (await send(author, form())).expect(200, SentMessage.strict());
    for (const { id, attachments } of [...all, again]) {
      expect([id, attachments?.map(withoutAddress)]).toEqual([all[0]?.id, all[0]?.attachments?.map(withoutAddress)]);
    }
    expect(await uploaded()).toHaveLength(2);
    // A repetition without files is answered as any other.
    const plain = (await author.post(channelPath(), { content: "once", nonce })).expect(200, Message);
    expect(plain.id).toBe(again.id);
  });
});

describe("a message with files is refused whole", () => {
  const refuse = async (by: UserClient, form: FormData, path = channelPath()) => {
    const uploaded = await watchFiles(stage.uploadDir);
    const messages = await listMessages(stage.owner, stage.channel.id);
    const { status, body } = await send(by, form, path);
    expect(await uploaded()).toEqual([]);
    expect(await listMessages(stage.owner, stage.channel.id)).toEqual(messages);
    return [status, body];
  };

  test.each([
    ["no files", [], "No files provided"],
    ["an archive after a picture", [picture, zip], "File type 'application/zip' is not allowed"],
    ["an empty file", [{ name: "empty.txt", bytes: Buffer.alloc(0) }], "Files must not be empty"],
    ["bytes of no type", [{ name: "a.bin", bytes: Buffer.from([1, 2, 250, 251]) }], unknown],
    ["11 files", Array.from({ length: 11 }, (_, n) => text(`${n}`)), "Messages may not have more than 10 attachments"],
  ])("files are refused whole because of %s, wherever the message stands in the form", async (_, files, message) => {
    for (const payloadLast of [false, true]) {
      const form = messageForm({ content: "x", nonce: "unused" }, files, { payloadLast });
      expect(await refuse(author, form)).toEqual([400, error(message)]);
    }
    // The nonce is not used up.
    expect(await refuse(author, messageForm({ nonce: "unused" }, [zip]))).toMatchObject([400, {}]);
  });

  test.each([
    ["content", { content: " " }, "Message content must be 1-4000 characters"],
    ["content", { content: "x".repeat(4001) }, "Message content must be 1-4000 characters"],
    ["nonce", { nonce: "" }, "nonce must be 1-64 characters"],
    ["JSON", "{", "Malformed JSON"],
    ["JSON", "[]", "Request body must be a JSON object"],
  ])("files are refused for the message before them: %s %o", async (_, payload, message) => {
    for (const payloadLast of [false, true]) {
      const form = messageForm(payload, [zip], { payloadLast });
      expect(await refuse(author, form)).toEqual([400, error(message)]);
    }
  });

  test("a message with files is refused whole for a reply to nothing, for blocked words and in a thread that is none, before its files", async () => {
    const form = () => messageForm({ content: "zugzwang", reply_to: randomUUID() }, [zip]);
    expect(await refuse(author, form())).toEqual([404, error("Reply target message not found")]);
    expect(await refuse(author, form(), `${channelPath()}/${randomUUID()}/thread`)).toEqual([
      404,
      error("Message not found"),
    ]);
    const guarded = await createGuardedServer(stage.client, { word_filter_enabled: true }, ["zugzwang"]);
    const path = `/channels/${guarded.channel.id}/messages`;
    expect(await refuse(guarded.author, form(), path)).toEqual([403, error("Message blocked by word filter")]);
  });

  test("a message with files is refused whole to those who may not send or may not attach files", async () => {
    const userId = author.user.id;
    const form = () => messageForm({ content: "x" }, [picture]);
    await deny(stage.owner, stage.channel.id, { userId, permissions: ["ATTACH_FILES"] });
    const refusal = error("You don't have permission to attach files in this channel");
    expect(await refuse(author, form())).toEqual([403, refusal]);
    expect(await refuse(author, messageForm({ content: " " }, [picture]))).toMatchObject([400, {}]);
    await deny(stage.owner, stage.channel.id, { userId, permissions: ["SEND_MESSAGES"] });
    const cannotSend = error("You don't have permission to send messages in this channel");
    expect(await refuse(author, form())).toEqual([403, cannotSend]);
    await deny(stage.owner, stage.channel.id, { userId, permissions: [] });
    const stranger = await stage.client.register();
    expect(await refuse(stranger, form())).toEqual([404, error("Channel not found")]);
  });

  test("a message with files is refused whole when the form breaks off", async () => {
    const head = '--b\r\nContent-Disposition: form-data; name="payload_json"\r\n\r\n{"content":"x"}\r\n';
    const file = '--b\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\nabc';
    const uploaded = await watchFiles(stage.uploadDir);
    for (const body of [head + file, file, head]) {
      const headers = { "content-type": "multipart/form-data; boundary=b" };
      const answer = await author.send("POST", channelPath(), { headers, body });
      expect([answer.status, answer.body]).toEqual([400, error("Invalid multipart data")]);
    }
    expect(await uploaded()).toEqual([]);
  });
});
