import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { Attachment, CustomEmoji, errorBody as error, SentDmMessage } from "@parley/contracts";
import { createClient, createServerWithMembers, postMessage, useMortalStack, waitUntil } from "@parley/testing";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { noise, pngPixel } from "../stages/sample-files.js";
import {
  attachOne,
  createUploadStage,
  filesBelow,
  formOf,
  startSlowUpload,
  upload,
  watchFiles,
} from "../stages/upload-stage.js";

const run = promisify(execFile);
const yesterday = new Date(Date.now() - 25 * 3_600_000);
const age = (path: string) => utimes(path, yesterday, yesterday);

const mortal = useMortalStack();

describe("after a crash", () => {
  test("files that no row names go when they are a day old, and all others stay", async () => {
    const { owner, channel, server, uploadDir, members, client } = await createUploadStage(mortal.stack);
    const [api] = mortal.stack.apis;
    const uploaded = await watchFiles(uploadDir);
    const form = new FormData();
    form.append("name", "kept");
    form.append("image", new Blob([Uint8Array.from(pngPixel)]), "kept.png");
    const answer = await owner.send("POST", `/servers/${server.id}/emojis`, { body: form });
    const emoji = answer.expect(201, CustomEmoji);
    const kept = await attachOne(owner, channel.id, { name: "kept.txt", bytes: Buffer.from("kept") });
    const ofDeleted = await attachOne(owner, channel.id, { name: "deleted.txt", bytes: Buffer.from("deleted") });
    await owner.delete(`/messages/${ofDeleted.message_id}`);
    const wide = { name: "wide.png", bytes: await noise(900, 450).png().toBuffer() };
    const { message_id } = await attachOne(owner, channel.id, wide);
    const thumbnailUrl = await waitUntil(async () => {
      const files = (await owner.get(`/messages/${message_id}/attachments`)).expect(200, z.array(Attachment));
      return files[0]?.thumbnail_url;
    });

    const opened = await owner.post("/dm-channels", { user_id: members[0].user.id });
    const dm = `/dm-channels/${Object(opened.body).id}/messages`;
    const direct = await owner.send("POST", dm, {
      body: formOf([{ name: "direct.txt", bytes: Buffer.from("direct") }]),
    });
    const { attachments = [] } = direct.expect(201, SentDmMessage);
    const { id } = await postMessage(owner, channel.id, "crash");
    const deletedName = ofDeleted.url.split(/[/?]/)[3] ?? "";
    const before = await waitUntil(async () => {
      const found = await uploaded();
      return !found.some((path) => path.endsWith(deletedName)) && found;
    });
    const slow = startSlowUpload(api?.url ?? "", owner, id);
    slow.begin("whole.txt", Buffer.alloc(300_000, "a"));
    slow.begin("half.txt", Buffer.alloc(400_000, "b"));
    const all = await waitUntil(async () => {
      const found = await uploaded();
      return found.length === before.length + 2 && found;
    });
    await api?.kill();
    slow.abort();
    expect(await uploaded()).toHaveLength(all.length);

    // One of the two leftovers is young, as if its upload were still under way.
    const [young, old] = all.filter((path) => !before.includes(path));
    const foreign = join(uploadDir, "attachments", "somebody-elses", "notes.txt");
    await mkdir(dirname(foreign));
    await writeFile(foreign, "not ours");
    const folder = dirname(before.find((path) => path.includes("dm-attachments")) ?? "");
    const unnamed = join(folder, `${"0".repeat(32)}_left.txt`);
    await writeFile(unnamed, "left");
    // The row of this file names no thumbnail.
    const small = before.find((path) => path.endsWith("_kept.txt")) ?? "";
    const thumbnail = small.replace("/attachments/", "/thumbnails/");
    await mkdir(dirname(thumbnail), { recursive: true });
    await writeFile(thumbnail, "left");
    const orphans = [old ?? "", unnamed, thumbnail];
    for (const path of [...before, foreign, ...orphans]) await age(path);

    await api?.restart();
    const left = await waitUntil(async () => {
      const found = await uploaded();
      return !found.some((path) => orphans.includes(path)) && found;
    });
    expect(left).toEqual(expect.arrayContaining([young ?? "", foreign]));
    expect(await (await fetch(`${client.baseUrl}${attachments[0]?.url}`)).text()).toBe("direct");
    expect(await (await fetch(`${client.baseUrl}${kept.url}`)).text()).toBe("kept");
    for (const url of [emoji.url, thumbnailUrl]) expect((await fetch(`${client.baseUrl}${url}`)).status, url).toBe(200);
    expect((await owner.get(`/messages/${id}/attachments`)).body).toEqual([]);
  });
});

test("an upload directory that cannot be used ends the start with one line", async () => {
  const folder = await mkdtemp(join(tmpdir(), "parley-unusable-"));
  try {
    const file = join(folder, "file");
    await writeFile(file, "");
    const env = { UPLOAD_DIR: join(file, "uploads") };
    await expect(mortal.stack.startApi({ env })).rejects.toThrow(
      new RegExp(
        `api-\\d+ did not start: it ended with exit code 1[\\s\\S]*UPLOAD_DIR ${file}/uploads cannot be written to`,
      ),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

describe("a disk that is full", async () => {
  const disk = await mkdtemp(join(tmpdir(), "parley-small-disk-"));
  const mounted = await run("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", disk]).then(
    () => true,
    () => false,
  );
  if (!mounted) process.stderr.write("Not tested: a full disk, which only root can make.\n");
  afterAll(async () => {
    if (mounted) await run("umount", [disk]);
    await rm(disk, { recursive: true, force: true });
  });

  test.runIf(mounted)("refuses the upload whole, and takes the next one that fits", async () => {
    const api = await mortal.stack.startApi({ env: { UPLOAD_DIR: disk } });
    const { owner, channel } = await createServerWithMembers(createClient(api.url), 0);
    const { id } = await postMessage(owner, channel.id, "large");
    const fits = { name: "fits.txt", bytes: Buffer.alloc(1_000_000, "x") };
    const answer = await upload(owner, id, [fits, { name: "large.txt", bytes: Buffer.alloc(8_000_000, "x") }]);
    expect([answer.status, answer.body]).toEqual([503, error("Service unavailable")]);
    expect(await filesBelow(disk)).toEqual([]);
    expect((await upload(owner, id, [fits])).expect(201, z.array(Attachment))).toHaveLength(1);
    await mortal.stack.dismiss(api);
  });
});
