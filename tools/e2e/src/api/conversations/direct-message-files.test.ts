import { randomUUID } from "node:crypto";
import { Attachment, DmMessage, SentDmMessage } from "@parley/contracts";
import { asAuthor, type RestClient } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pngPixel } from "../stages/sample-files.js";
import { formOf, type SentFile } from "../stages/upload-stage.js";
import { type DirectStage, expectError, startDirectStage } from "./direct-stage.js";

let stage: DirectStage;
beforeAll(async () => {
  stage = await startDirectStage();
});
afterAll(() => stage?.stop());

const text = (name: string): SentFile => ({ name, bytes: Buffer.from(`text of ${name}`) });
const picture: SentFile = { name: "board.png", bytes: pngPixel };
const attach = (by: RestClient, id: string, files: readonly SentFile[]) =>
  by.send("POST", `/dm-messages/${id}/attachments`, { body: formOf(files) });
function formWith(payload: object, files: readonly SentFile[]): FormData {
  const form = formOf(files);
  form.append("payload_json", JSON.stringify(payload));
  return form;
}
const withoutAddress = ({ url: _, ...attachment }: Attachment) => attachment;
const bare = (url: string) => url.replace(/\?.*/, "");

test("files are added to a direct message by its author, both hear of them, and only both may read them", async () => {
  const { ann, bob, eve, client, channelId, send, heard } = stage;
  const { id } = await send(ann, "look");
  await heard("DM_MESSAGE_CREATE", { id });
  const attachments = (await attach(ann, id, [text("b.txt"), picture])).expect(201, Attachment.strict().array());
  expect(attachments.map(({ filename, width }) => [filename, width])).toEqual([
    ["b.txt", null],
    ["board.png", 1],
  ]);
  const added = { channel_id: channelId, message_id: id, attachments };
  expect(await heard("DM_ATTACHMENT_CREATE", { message_id: id })).toEqual([["DM_ATTACHMENT_CREATE", added]]);
  const listed = (await bob.get(`/dm-messages/${id}/attachments`)).expect(200, Attachment.strict().array());
  expect(listed.map(withoutAddress)).toEqual(attachments.map(withoutAddress));

  const url = attachments[0]?.url ?? "";
  expect(await (await fetch(`${client.baseUrl}${url}`)).text()).toBe("text of b.txt");
  expect((await bob.get(bare(url))).status).toBe(200);
  expectError(await eve.get(bare(url)), 404, "Attachment not found");
  expectError(await client.get(bare(url)), 401, "Invalid or expired token");

  expectError(await attach(bob, id, [text("c.txt")]), 403, "Only the message author can add attachments");
  expectError(await attach(eve, id, [text("c.txt")]), 404, "Message not found");
  expectError(await attach(ann, id, []), 400, "No files provided");
  const nine = Array.from({ length: 9 }, (_, index) => text(`${index}.txt`));
  expectError(await attach(ann, id, nine), 400, "Messages may not have more than 10 attachments");

  await ann.delete(`/dm-messages/${id}`);
  expect((await fetch(`${client.baseUrl}${url}`)).status).toBe(404);
  await heard("DM_MESSAGE_DELETE", { id });
});

test("a direct message is sent with its files as one event, and needs no text then", async () => {
  const { ann, bob, path, send, heard, history } = stage;
  const target = await send(bob, "show me");
  await heard("DM_MESSAGE_CREATE", { id: target.id });
  const body = formWith({ reply_to: target.id, nonce: randomUUID() }, [picture, text("a.txt")]);
  const sent = (await ann.send("POST", path, { body })).expect(201, SentDmMessage.strict());
  expect(sent).toMatchObject({ content: "", reply_to: target.id });
  expect(sent.attachments?.map(({ filename, message_id }) => [filename, message_id])).toEqual([
    ["board.png", sent.id],
    ["a.txt", sent.id],
  ]);
  const { nonce, ...message } = sent;
  const event = { ...message, author: asAuthor(ann), nonce };
  expect(await heard("DM_MESSAGE_CREATE", { id: sent.id })).toEqual([["DM_MESSAGE_CREATE", event]]);
  const [listed] = await history(bob, "?include=attachments");
  expect(listed?.attachments?.map(withoutAddress)).toEqual(sent.attachments?.map(withoutAddress));
  const again = (await ann.send("POST", path, { body })).expect(200, SentDmMessage.strict());
  expect(again.attachments?.map(withoutAddress)).toEqual(sent.attachments?.map(withoutAddress));
});

test("a direct message whose files are refused is not sent", async () => {
  const { ann, eve, path, history } = stage;
  const before = await history();
  const zip = { name: "a.zip", bytes: Buffer.from("PK\x03\x04....") };
  const send = (by: RestClient, payload: object, files: readonly SentFile[]) =>
    by.send("POST", path, { body: formWith(payload, files) });
  expectError(await send(ann, { content: "x" }, [picture, zip]), 400, "File type 'application/zip' is not allowed");
  expectError(await send(ann, { content: " " }, [zip]), 400, "Message content must be 1-4000 characters");
  const gone = { content: "x", reply_to: randomUUID() };
  expectError(await send(ann, gone, [zip]), 404, "Reply target message not found");
  expectError(await send(eve, { content: "x" }, [picture]), 404, "DM channel not found");
  expect(await history()).toEqual(before);
  expect(before.every((message) => DmMessage.safeParse(message).success)).toBe(true);
});
