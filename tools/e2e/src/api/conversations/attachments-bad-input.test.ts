import { randomUUID } from "node:crypto";
import { Attachment, errorBody as error } from "@parley/contracts";
import { postMessage, sharedStack, type UserClient } from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { deny } from "../stages/channel-stage.js";
import { pngPixel } from "../stages/sample-files.js";
import { createUploadStage, formOf, type SharedUploadStage, upload, watchFiles } from "../stages/upload-stage.js";

let stage: SharedUploadStage;
let author: UserClient;
let other: UserClient;
let messageId: string;

beforeAll(async () => {
  stage = await createUploadStage(await sharedStack());
  [author, other] = stage.members;
  messageId = (await postMessage(author, stage.channel.id, "look")).id;
});

const text = (name: string) => ({ name, bytes: Buffer.from(name) });
const pathOf = (id: string) => `/messages/${id}/attachments`;
const multipart = { "content-type": "multipart/form-data; boundary=b" };
const part = (name: string, content: string, filename = "a.txt") =>
  `--b\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\n\r\n${content}\r\n`;

describe("an upload is refused", () => {
  test.each([
    ["no parts", new FormData(), "No files provided"],
    ["only parts of other names", formOf([{ ...text("x"), field: "image" }]), "No files provided"],
    ["an empty file", formOf([text("full"), { name: "empty.txt", bytes: Buffer.alloc(0) }]), "Files must not be empty"],
    [
      "11 files",
      formOf(Array.from({ length: 11 }, (_, n) => text(`${n}`))),
      "Messages may not have more than 10 attachments",
    ],
    [
      "an executable",
      formOf([{ name: "a.png", bytes: Buffer.from("MZ\x90\x00") }]),
      "File type 'application/x-msdownload' is not allowed",
    ],
    [
      "an archive",
      formOf([{ name: "a.txt", bytes: Buffer.from("PK\x03\x04....") }]),
      "File type 'application/zip' is not allowed",
    ],
    [
      "markup with a signature",
      formOf([{ name: "a.svg", bytes: Buffer.from("<?xml version='1.0'?><svg/>") }]),
      "File type 'application/xml' is not allowed",
    ],
    [
      "unknown bytes",
      formOf([{ name: "a.txt", bytes: Buffer.from([1, 2, 250, 251]) }]),
      "File type could not be determined",
    ],
    ["text with NUL", formOf([{ name: "a.txt", bytes: Buffer.from("a\u0000b") }]), "File type could not be determined"],
    [
      "UTF-16",
      formOf([{ name: "a.txt", bytes: Buffer.from("\ufeffhello", "utf16le") }]),
      "File type could not be determined",
    ],
    [
      "text that breaks after a megabyte",
      formOf([{ name: "a.txt", bytes: Buffer.concat([Buffer.alloc(1_000_000, "x"), Buffer.from([0xc3])]) }]),
      "File type could not be determined",
    ],
    [
      "more than 50 MB",
      formOf([{ name: "a.txt", bytes: Buffer.alloc(52_428_801, "x") }]),
      "File size exceeds the 50 MB limit",
    ],
  ])("an upload with %s is refused with 400 and the reason", async (_, body, message) => {
    const uploaded = await watchFiles(stage.uploadDir);
    const answer = await author.send("POST", pathOf(messageId), { body });
    expect([answer.status, answer.body]).toEqual([400, error(message)]);
    expect(await uploaded()).toEqual([]);
  });

  test.each([
    ["no content type", { "content-type": "" }, part("files", "x")],
    ["JSON", { "content-type": "application/json" }, "{}"],
    ["a form of another kind", { "content-type": "application/x-www-form-urlencoded" }, "files=x"],
    ["no boundary", { "content-type": "multipart/form-data" }, part("files", "x")],
    ["another boundary", { "content-type": "multipart/form-data; boundary=c" }, `${part("files", "x")}--b--\r\n`],
    ["no end", multipart, part("files", "x")],
    ["an end within a file", multipart, '--b\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\nabc'],
    ["headers that are none", multipart, `--b\r\n: :\u0001\r\n\r\nx\r\n--b--\r\n`],
    ["nothing at all", multipart, ""],
    ["too many parts", multipart, `${part("other", "x").repeat(101)}--b--\r\n`],
  ])("an upload with a body that is no form because of %s is refused", async (_, headers, body) => {
    const uploaded = await watchFiles(stage.uploadDir);
    const answer = await author.send("POST", pathOf(messageId), { headers, body });
    expect([answer.status, answer.body]).toEqual([400, error("Invalid multipart data")]);
    expect(await uploaded()).toEqual([]);
  });

  test("the request after a refused upload of the same connection is read all the same", async () => {
    const id = (await postMessage(author, stage.channel.id, "again")).id;
    const large = { name: "a.bin", bytes: Buffer.alloc(5_000_000, 1) };
    for (let round = 0; round < 3; round += 1) {
      expect((await upload(author, id, [{ name: "x", bytes: Buffer.from([0]) }, large])).status).toBe(400);
      expect((await upload(author, randomUUID(), [large])).status).toBe(404);
      expect((await upload(author, id, [text(`round ${round}`)])).status).toBe(201);
    }
  });
});

describe("attaching files is refused", () => {
  test("attaching files is refused without credentials", async () => {
    const answer = await upload(stage.client, messageId, [text("x")]);
    expect([answer.status, answer.body]).toEqual([401, error("Invalid or expired token")]);
    expect((await stage.client.get(pathOf(messageId))).status).toBe(401);
  });

  test("attaching files is refused with a malformed identifier", async () => {
    for (const answer of [await upload(author, "x", [text("x")]), await author.get(pathOf("x"))]) {
      expect([answer.status, answer.body]).toEqual([400, error("Invalid identifier")]);
    }
  });

  test("attaching files is refused for a message that is missing, deleted, or of a server that they are no member of", async () => {
    const deleted = await postMessage(author, stage.channel.id, "gone");
    (await upload(author, deleted.id, [text("x")])).expect(201, z.array(Attachment));
    await author.delete(`/messages/${deleted.id}`);
    const stranger = await stage.client.register();
    for (const [caller, id] of [
      [author, randomUUID()],
      [author, deleted.id],
      [stranger, messageId],
    ] as const) {
      for (const answer of [await upload(caller, id, [text("x")]), await caller.get(pathOf(id))]) {
        expect([answer.status, answer.body]).toEqual([404, error("Message not found")]);
      }
    }
  });

  test("attaching files is refused to everybody but the author", async () => {
    for (const caller of [other, stage.owner]) {
      const answer = await upload(caller, messageId, [text("x")]);
      expect([answer.status, answer.body]).toEqual([403, error("Only the message author can add attachments")]);
    }
  });

  test("attaching files is refused to those who may not attach files, or may not view the channel", async () => {
    const { id } = await postMessage(other, stage.channel.id, "mine");
    await deny(stage.owner, stage.channel.id, { userId: other.user.id, permissions: ["ATTACH_FILES"] });
    const answer = await upload(other, id, [text("x")]);
    expect([answer.status, answer.body]).toEqual([
      403,
      error("You don't have permission to attach files in this channel"),
    ]);
    expect((await other.get(pathOf(id))).body).toEqual([]);
    await deny(stage.owner, stage.channel.id, { userId: other.user.id, permissions: ["VIEW_CHANNEL"] });
    for (const hidden of [await upload(other, id, [text("x")]), await other.get(pathOf(id))]) {
      expect([hidden.status, hidden.body]).toEqual([403, error("You don't have permission to view this channel")]);
    }
  });

  test("attaching files is refused for the headers before the message is looked up, for the bytes after that", async () => {
    const missing = randomUUID();
    expect((await author.post(pathOf(missing), {})).status).toBe(400);
    expect((await upload(author, missing, [{ name: "x", bytes: pngPixel.subarray(0, 0) }])).status).toBe(404);
  });
});
