import { randomBytes } from "node:crypto";
import { Attachment } from "@parley/contracts";
import { createClient, sharedStack, waitUntil } from "@parley/testing";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { runSql } from "../stages/admin-stage.js";
import { noise, pngPixel } from "../stages/sample-files.js";
import { attachOne, createUploadStage, formOf, type SharedUploadStage, watchFiles } from "../stages/upload-stage.js";

let stage: SharedUploadStage;
beforeAll(async () => {
  stage = await createUploadStage(await sharedStack());
});

const moving = () =>
  sharp(randomBytes(300 * 300 * 3 * 3), { raw: { width: 300, height: 900, channels: 3, pageHeight: 300 } }).gif();

const attachmentsAt = async (url: string, token: string, path: string) =>
  (await createClient(url, { authorization: `Bearer ${token}` }).get(path)).expect(200, z.array(Attachment));

/** The only attachment of a message, once both apis answer with its thumbnail. */
async function withThumbnail(by: { accessToken: string }, path: string): Promise<Attachment> {
  let found: Attachment | undefined;
  for (const { url } of stage.stack.apis)
    await waitUntil(async () => {
      [found] = await attachmentsAt(url, by.accessToken, path);
      return found?.thumbnail_url !== undefined;
    });
  if (found === undefined) throw new Error("There is no attachment.");
  return found;
}

/** Whether no process has a thumbnail left to make of the attachment. */
const isSettled = async ({ id }: Attachment) => {
  const [row] = await runSql(stage.stack.databaseUrl, "SELECT thumbnail_due_at FROM attachments WHERE id = $1", [id]);
  return (row as { thumbnail_due_at: Date | null } | undefined)?.thumbnail_due_at === null;
};

test("a large picture gets a thumbnail beside the answer, which does not count for its author and goes with its message", async () => {
  const { owner, channel, uploadDir } = stage;
  const usedBefore = (await owner.get("/users/@me/storage")).body as { used: number };
  const newFiles = await watchFiles(uploadDir);
  const stored = async () => (await newFiles()).filter((path) => path.endsWith("_wide.png"));
  const sent = await attachOne(owner, channel.id, {
    name: "wide.png",
    bytes: await noise(1_000, 500).png().toBuffer(),
  });
  expect(sent).not.toHaveProperty("thumbnail_url");

  const { thumbnail_url = "", ...file } = await withThumbnail(owner, `/messages/${sent.message_id}/attachments`);
  expect(file).toMatchObject({ id: sent.id, width: 1_000, height: 500, mime_type: "image/png" });
  const answer = await fetch(`${stage.client.baseUrl}${thumbnail_url}`);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/webp"]);
  expect(answer.headers.get("content-disposition")).toMatch(/^inline/);
  const { width, height, format } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
  expect({ width, height, format }).toEqual({ width: 800, height: 400, format: "webp" });
  expect((await fetch(`${stage.client.baseUrl}${thumbnail_url.replace(/sig=../, "sig=00")}`)).status).toBe(401);

  expect(await stored()).toHaveLength(2);
  const { used } = (await owner.get("/users/@me/storage")).body as { used: number };
  expect(used - usedBefore.used).toBe(sent.file_size);
  expect((await owner.delete(`/messages/${sent.message_id}`)).status).toBe(204);
  await waitUntil(async () => (await stored()).length === 0);
  expect((await fetch(`${stage.client.baseUrl}${thumbnail_url}`)).status).toBe(404);
});

test("pictures of direct messages get one, too, upright and never enlarged", async () => {
  const { owner, members } = stage;
  const [other] = members;
  const { id } = (await owner.post("/dm-channels", { user_id: other.user.id })).expect(
    201,
    z.object({ id: z.string() }),
  );
  // Turned by 90 degrees.
  const bytes = await noise(400, 600).jpeg({ quality: 100 }).withMetadata({ orientation: 6 }).toBuffer();
  const body = formOf([{ name: "turned.jpg", bytes }]);
  const sent = (await owner.send("POST", `/dm-channels/${id}/messages`, { body })).expect(
    201,
    z.object({ id: z.string() }),
  );
  const { thumbnail_url } = await withThumbnail(other, `/dm-messages/${sent.id}/attachments`);
  const answer = await fetch(`${stage.client.baseUrl}${thumbnail_url}`);
  const { width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
  expect([width, height]).toEqual([600, 400]);
});

test("small, broken and moving pictures and other files get none", async () => {
  const { owner, channel } = stage;
  const broken = (await noise(400, 400).png().toBuffer()).subarray(0, 250_000);
  for (const [name, bytes] of [
    ["small.png", pngPixel],
    ["broken.png", broken],
    ["moving.gif", await moving().toBuffer()],
    ["long.txt", Buffer.alloc(250_000, "a")],
  ] as const) {
    const sent = await attachOne(owner, channel.id, { name, bytes });
    await waitUntil(() => isSettled(sent));
    const [file] = await attachmentsAt(
      stage.client.baseUrl,
      owner.accessToken,
      `/messages/${sent.message_id}/attachments`,
    );
    expect(Object.keys(file ?? {}), name).not.toContain("thumbnail_url");
    expect((await fetch(`${stage.client.baseUrl}${file?.url}&thumbnail=true`)).status, name).toBe(404);
    expect((await fetch(`${stage.client.baseUrl}${file?.url}`)).status, name).toBe(200);
  }
});
