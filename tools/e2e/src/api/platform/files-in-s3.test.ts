import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { Attachment, CustomEmoji, errorBody as error } from "@parley/contracts";
import { createGate, type Gate, postMessage, startS3, type TestS3, waitUntil } from "@parley/testing";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { runSql } from "../stages/admin-stage.js";
import { noise, pngPixel } from "../stages/sample-files.js";
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
/** While there is one, thumbnails wait for it on their way to the bucket. */
let thumbnailGate: Gate | null = null;
/** Thumbnails on their way to the bucket that have come to the gate, and those that are stored. */
let [thumbnailsSent, thumbnailsStored] = [0, 0];

/** Between the apis and the bucket. */
const way = createServer(async (incoming, answer) => {
  const { method, url = "", headers } = incoming;
  const isThumbnail = method === "PUT" && url.includes("/thumbnails/");
  if (isThumbnail) {
    thumbnailsSent += 1;
    await thumbnailGate?.opened;
  }
  const outgoing = request(`${s3.url}${url}`, { method, headers }, (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(answer);
    if (isThumbnail) thumbnailsStored += 1;
  });
  incoming.pipe(outgoing);
});

beforeAll(async () => {
  s3 = await startS3();
  await new Promise<void>((resolve) => way.listen(0, "127.0.0.1", resolve));
  const { port } = way.address() as AddressInfo;
  stage = await startUploadStage({ apis: 2, env: { ...s3.env, S3_ENDPOINT: `http://127.0.0.1:${port}` } });
});
afterAll(async () => {
  await stage?.stop();
  way.closeAllConnections();
  way.close();
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

const sendPicture = async () =>
  attachOne(stage.owner, stage.channel.id, { name: "wide.png", bytes: await noise(900, 450).png().toBuffer() });

/** Bytes of the whole installation, as its quota counts them. */
async function storedBytes(): Promise<number> {
  const [row] = await runSql(
    stage.stack.databaseUrl,
    `SELECT (t.bytes + (SELECT coalesce(sum(bytes), 0) FROM storage_changes))::integer AS bytes FROM storage_total t`,
  );
  return z.object({ bytes: z.int() }).parse(row).bytes;
}

test("a thumbnail lives in the bucket, counts for the installation, and goes with its picture", async () => {
  const [before, bytesBefore] = [await objects(), await storedBytes()];
  const sent = await sendPicture();
  const path = `/messages/${sent.message_id}/attachments`;
  const [file] = await waitUntil(async () => {
    const files = (await stage.owner.get(path)).expect(200, z.array(Attachment));
    return files[0]?.thumbnail_url !== undefined && files;
  });
  const thumbnail = Buffer.from(await (await get(file?.thumbnail_url ?? "")).arrayBuffer());
  expect(await sharp(thumbnail).metadata()).toMatchObject({ width: 800, height: 400, format: "webp" });
  expect(await objects()).toHaveLength(before.length + 2);
  expect(await storedBytes()).toBe(bytesBefore + sent.file_size + thumbnail.length);

  expect((await stage.owner.delete(`/messages/${sent.message_id}`)).status).toBe(204);
  expect(await storedBytes()).toBe(bytesBefore);
  await waitUntil(async () => (await objects()).length === before.length);
  expect(await objects()).toEqual(before);
});

test("a thumbnail of a picture that was deleted while it was made does not stay in the bucket", async () => {
  const [before, bytesBefore] = [await objects(), await storedBytes()];
  const sentBefore = thumbnailsSent;
  const gate = createGate();
  thumbnailGate = gate;
  const { message_id } = await sendPicture();
  await waitUntil(() => thumbnailsSent > sentBefore);
  expect((await stage.owner.delete(`/messages/${message_id}`)).status).toBe(204);
  await waitUntil(async () => (await objects()).length === before.length);
  const storedBefore = thumbnailsStored;
  thumbnailGate = null;
  gate.open();
  await waitUntil(() => thumbnailsStored > storedBefore);
  await waitUntil(async () => (await objects()).length === before.length);
  expect(await objects()).toEqual(before);
  expect(await storedBytes()).toBe(bytesBefore);
});
