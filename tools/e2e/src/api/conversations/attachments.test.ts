import { Attachment, errorBody as error } from "@parley/contracts";
import { connectGateway, postMessage, sharedStack, waitUntil } from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { acceptedFiles, pngPixel } from "../stages/sample-files.js";
import {
  attachOne,
  createUploadStage,
  formOf,
  type SharedUploadStage,
  startSlowUpload,
  upload,
  watchFiles,
} from "../stages/upload-stage.js";

let stage: SharedUploadStage;

beforeAll(async () => {
  stage = await createUploadStage(await sharedStack());
});

const attachments = z.array(Attachment.strict());
const text = (name: string, content = name) => ({ name, bytes: Buffer.from(content) });
const say = async () => (await postMessage(stage.owner, stage.channel.id, "look")).id;
const list = async (messageId: string) =>
  (await stage.owner.get(`/messages/${messageId}/attachments`)).expect(200, attachments);

describe("uploading", () => {
  test.each(acceptedFiles)("recognises $name as $mime by its bytes and gives them back", async (file) => {
    const { owner, channel, client } = stage;
    const { id } = await postMessage(owner, channel.id, "look");
    // Name and declared type say nothing.
    const answer = await upload(owner, id, [{ ...file, name: `${file.name}.exe` }]);
    const [attachment] = answer.expect(201, attachments);
    expect(attachment).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      message_id: id,
      filename: `${file.name}.exe`,
      file_size: file.bytes.length,
      mime_type: file.mime,
      url: expect.stringMatching(new RegExp(`^/files/${id}/[0-9a-f]{32}_[A-Za-z0-9._-]+\\?exp=\\d+&sig=[0-9a-f]{64}$`)),
      width: file.size?.width ?? null,
      height: file.size?.height ?? null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const response = await fetch(`${client.baseUrl}${attachment?.url}`);
    expect(Buffer.from(await response.arrayBuffer()).equals(file.bytes)).toBe(true);
    expect(response.headers.get("content-type")).toBe(file.mime);
  });

  test("uploading keeps the order sent, within an upload and over several, and lists with fresh addresses", async () => {
    const id = await say();
    const first = (
      await upload(
        stage.owner,
        id,
        ["c", "a", "b"].map((name) => text(name)),
      )
    ).expect(201, attachments);
    const second = (
      await upload(
        stage.owner,
        id,
        ["e", "d"].map((name) => text(name)),
      )
    ).expect(201, attachments);
    expect(first.map(({ filename }) => filename)).toEqual(["c", "a", "b"]);
    const listed = await list(id);
    expect(listed.map(({ filename }) => filename)).toEqual(["c", "a", "b", "e", "d"]);
    const withoutUrl = (all: Attachment[]) => all.map(({ url: _, ...rest }) => rest);
    expect(withoutUrl(listed)).toEqual(withoutUrl([...first, ...second]));
    expect((await stage.members[0]?.get(`/api/messages/${id}/attachments`))?.status).toBe(200);
  });

  test("uploading takes parts named file too, ignores all others, and is served under the prefix", async () => {
    const id = await say();
    const form = formOf([{ ...text("one"), field: "file" }, { ...text("ignored"), field: "picture" }, text("two")]);
    form.append("files", "a text field, not a file");
    const answer = await stage.owner.send("POST", `/api/messages/${id}/attachments`, { body: form });
    expect(answer.expect(201, attachments).map(({ filename }) => filename)).toEqual(["one", "two"]);
  });

  test.each([
    ["naïve 🎈 plan.txt", "naïve 🎈 plan.txt", /^[0-9a-f]{32}_na_ve_plan\.txt$/],
    ["../../etc/passwd", "passwd", /_passwd$/],
    ["C:\\Users\\me\\shot.txt", "shot.txt", /_shot\.txt$/],
    [`${"é".repeat(300)}.txt`, `${"é".repeat(251)}.txt`, /_\.txt$|__?\.txt$/],
    [`${"x".repeat(300)}.txt`, `${"x".repeat(251)}.txt`, /_x{124}\.txt$/],
  ])("stores %j under a safe name and shows it as %j", async (sent, filename, storedName) => {
    const attachment = await attachOne(stage.owner, stage.channel.id, { name: sent, bytes: Buffer.from("x") });
    expect(attachment.filename).toBe(filename);
    const [, , , stored = ""] = attachment.url.split(/[/?]/);
    expect(stored).toMatch(storedName);
  });

  test("uploading sends no event", async () => {
    const socket = connectGateway(stage.client.baseUrl, stage.owner.accessToken);
    await socket.ready;
    const id = await say();
    (await upload(stage.owner, id, [text("quiet")])).expect(201, attachments);
    const barrier = await say();
    await socket.waitFor("MESSAGE_CREATE", (message) => message.id === barrier);
    expect(socket.events.map(({ name }) => name)).toEqual(["MESSAGE_CREATE", "MESSAGE_CREATE"]);
    await socket.close();
  });
});

describe("an upload is stored whole or not at all", () => {
  test("one refused file refuses them all, and nothing of them is left", async () => {
    const id = await say();
    const uploaded = await watchFiles(stage.uploadDir);
    const files = [text("good"), { name: "good.png", bytes: pngPixel }, { name: "bad", bytes: Buffer.from([0, 1, 2]) }];
    const answer = await upload(stage.owner, id, files);
    expect([answer.status, answer.body]).toEqual([400, error("File type could not be determined")]);
    expect(await list(id)).toEqual([]);
    expect(await uploaded()).toEqual([]);
  });

  test("an upload that breaks off leaves nothing", async () => {
    const id = await say();
    const uploaded = await watchFiles(stage.uploadDir);
    const slow = startSlowUpload(stage.client.baseUrl, stage.owner, id);
    slow.begin("whole.txt", Buffer.alloc(300_000, "a"));
    slow.begin("half.txt", Buffer.alloc(400_000, "b"));
    await waitUntil(async () => (await uploaded()).length === 2);
    slow.abort();
    await waitUntil(async () => (await uploaded()).length === 0);
    expect(await list(id)).toEqual([]);
  });

  test("a message that is deleted meanwhile gets nothing", async () => {
    const id = await say();
    const uploaded = await watchFiles(stage.uploadDir);
    const slow = startSlowUpload(stage.client.baseUrl, stage.owner, id);
    slow.begin("late.txt", Buffer.alloc(400_000, "b"));
    await waitUntil(async () => (await uploaded()).length === 1);
    expect((await stage.owner.delete(`/messages/${id}`)).status).toBe(204);
    expect(await slow.finish()).toEqual({ status: 404, body: error("Message not found") });
    expect(await uploaded()).toEqual([]);
  });

  test("a message never has more than 10 attachments, however many uploads end at once", async () => {
    const uploaded = await watchFiles(stage.uploadDir);
    const ids = await Promise.all([1, 2, 3, 4].map(say));
    const slow = ids.flatMap((id) => [1, 2, 3, 4].map(() => startSlowUpload(stage.client.baseUrl, stage.owner, id)));
    for (const upload of slow) for (const name of ["a", "b", "c"]) upload.begin(name, Buffer.alloc(300_000, name));
    // All have stored their first two files, so none knows of another's.
    await waitUntil(async () => (await uploaded()).length >= slow.length * 2);
    const answers = await Promise.all(slow.map((upload) => upload.finish()));
    for (const [index, id] of ids.entries()) {
      const own = answers.slice(index * 4, index * 4 + 4).sort((a, b) => a.status - b.status);
      expect(own.map(({ status }) => status)).toEqual([201, 201, 201, 400]);
      expect(own.at(-1)?.body).toEqual(error("Messages may not have more than 10 attachments"));
      expect(await list(id)).toHaveLength(9);
    }
    expect(await uploaded()).toHaveLength(ids.length * 9);
    const [id = ""] = ids;
    (await upload(stage.owner, id, [text("tenth")])).expect(201, attachments);
    expect((await upload(stage.owner, id, [text("eleventh")])).status).toBe(400);
  });
});
