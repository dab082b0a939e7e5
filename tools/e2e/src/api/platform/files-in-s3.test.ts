import { Attachment, CustomEmoji, errorBody as error } from "@parley/contracts";
import { postMessage, startS3, type TestS3, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { pngPixel } from "../stages/sample-files.js";
import {
  attachOne,
  filesBelow,
  startSlowUpload,
  startUploadStage,
  type UploadStage,
  upload,
} from "../stages/upload-stage.js";

let s3: TestS3;
let stage: UploadStage;

beforeAll(async () => {
  s3 = await startS3();
  stage = await startUploadStage({ apis: 2, env: s3.env });
});
afterAll(async () => {
  await stage?.stop();
  await s3?.stop();
});

const objects = async () => (await filesBelow(s3.folder)).filter((path) => path.endsWith("_object"));
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${stage.client.baseUrl}${path}`, { headers });

test("files go to the bucket and come back whole or in part, and nothing to the directory", async () => {
  const bytes = Buffer.from("0123456789".repeat(1_200_000));
  const before = (await objects()).length;
  const { url } = await attachOne(stage.owner, stage.channel.id, { name: "digits.txt", bytes });
  expect(await objects()).toHaveLength(before + 1);
  expect(await filesBelow(stage.uploadDir)).toEqual([]);
  expect(Buffer.from(await (await get(url)).arrayBuffer()).equals(bytes)).toBe(true);
  const part = await get(url, { range: "bytes=6000003-6000006" });
  expect([part.status, await part.text()]).toEqual([206, "3456"]);
});

test("an upload that is refused or breaks off leaves nothing in the bucket", async () => {
  const { id } = await postMessage(stage.owner, stage.channel.id, "look");
  const before = await objects();
  const good = { name: "good.txt", bytes: Buffer.alloc(6_000_000, "x") };
  const refused = await upload(stage.owner, id, [good, { name: "bad", bytes: Buffer.from([0]) }]);
  expect([refused.status, refused.body]).toEqual([400, error("File type could not be determined")]);
  expect(await objects()).toEqual(before);

  const slow = startSlowUpload(stage.client.baseUrl, stage.owner, id);
  slow.begin("whole.txt", Buffer.alloc(6_000_000, "x"));
  slow.begin("half.txt", Buffer.alloc(400_000, "x"));
  await waitUntil(async () => (await objects()).length === before.length + 1);
  slow.abort();
  await waitUntil(async () => (await objects()).length === before.length);
  expect((await upload(stage.owner, id, [good])).expect(201, z.array(Attachment))).toHaveLength(1);
});

test("custom emoji live and die in the bucket too", async () => {
  const before = await objects();
  const form = new FormData();
  form.append("name", "party");
  form.append("image", new Blob([Uint8Array.from(pngPixel)]), "party.png");
  const path = `/servers/${stage.server.id}/emojis`;
  const emoji = (await stage.owner.send("POST", path, { body: form })).expect(201, CustomEmoji);
  const image = await get(emoji.url);
  expect(Buffer.from(await image.arrayBuffer()).equals(pngPixel)).toBe(true);
  expect((await stage.owner.delete(`${path}/${emoji.id}`)).status).toBe(204);
  expect(await objects()).toEqual(before);
});
