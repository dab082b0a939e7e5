import { Attachment } from "@parley/contracts";
import { createChannel, postMessage, sharedStack, waitUntil } from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { deny } from "../stages/channel-stage.js";
import { pngPixel } from "../stages/sample-files.js";
import { attachOne, createUploadStage, type SharedUploadStage, upload, watchFiles } from "../stages/upload-stage.js";

let stage: SharedUploadStage;
beforeAll(async () => {
  stage = await createUploadStage(await sharedStack());
});

const Page = z.object({ files: z.array(Attachment.extend({ channel_id: z.string() })), next: z.string().nullable() });
const text = (name: string) => ({ name, bytes: Buffer.from(name) });

test("files of a server are listed newest first, by kind and in pages, and only those that the caller may see", async () => {
  const { owner, server, channel } = stage;
  const [member] = stage.members;
  const hidden = await createChannel(owner, server.id, { name: "hidden" });
  const first = await attachOne(owner, channel.id, text("first.txt"));
  const picture = await attachOne(owner, channel.id, { name: "second.png", bytes: pngPixel });
  const secret = await attachOne(owner, hidden.id, text("secret.txt"));
  await deny(owner, hidden.id, { userId: member.user.id, permissions: ["VIEW_CHANNEL"] });
  const read = async (by: typeof owner, query = "") =>
    (await by.get(`/servers/${server.id}/files${query}`)).expect(200, Page);
  const idsOf = async (by: typeof owner, query = "") => (await read(by, query)).files.map(({ id }) => id);

  expect(await idsOf(owner)).toEqual([secret.id, picture.id, first.id]);
  expect(await idsOf(member)).toEqual([picture.id, first.id]);
  const page = await read(member, "?limit=1");
  expect(page).toMatchObject({ files: [{ id: picture.id, channel_id: channel.id }], next: picture.id });
  expect((await fetch(`${stage.client.baseUrl}${page.files[0]?.url}`)).status).toBe(200);
  expect(await read(member, `?limit=1&before=${page.next}`)).toMatchObject({ files: [{ id: first.id }], next: null });
  expect(await idsOf(owner, "?type=image")).toEqual([picture.id]);
  expect(await idsOf(owner, "?type=file")).toEqual([secret.id, first.id]);
  expect(await idsOf(owner, "?type=video")).toEqual([]);
  expect((await owner.get(`/servers/${server.id}/files?type=zip`)).status).toBe(400);
  const stranger = await stage.client.register();
  expect((await stranger.get(`/servers/${server.id}/files`)).status).toBe(404);
  await owner.delete(`/messages/${picture.message_id}`);
  expect(await idsOf(member)).toEqual([first.id]);
});

test("files of deleted messages, accounts and servers go from the storage soon", async () => {
  const stored = await watchFiles(stage.uploadDir);
  const { owner, server, channel, members } = await createUploadStage(stage.stack);
  const [leaving, staying] = members;
  const attach = (by: typeof leaving, name: string) => attachOne(by, channel.id, text(name));
  const gone = await attach(staying, "gone.txt");
  const left = await attach(leaving, "leaving.txt");
  await attach(staying, "server.txt");
  const names = async () =>
    (await stored()).map((path) => path.split("_").at(-1)).filter((name) => name?.endsWith(".txt"));
  expect((await names()).toSorted()).toEqual(["gone.txt", "leaving.txt", "server.txt"]);
  expect((await staying.delete(`/messages/${gone.message_id}`)).status).toBe(204);
  await waitUntil(async () => !(await names()).includes("gone.txt"));
  expect((await leaving.delete("/users/@me", { password: leaving.password })).status).toBe(204);
  await waitUntil(async () => !(await names()).includes("leaving.txt"));
  // The message stays, without the file of the account that is gone.
  expect((await owner.get(`/messages/${left.message_id}/attachments`)).body).toEqual([]);
  expect((await owner.delete(`/servers/${server.id}`)).status).toBe(204);
  await waitUntil(async () => (await names()).length === 0);
  const { id } = await postMessage(stage.owner, stage.channel.id, "after");
  expect((await upload(stage.owner, id, [text("after.txt")])).status).toBe(201);
});
