import type { Archive, EmojiRecord } from "@parley/archives";
import { lockServer } from "@parley/moderation";
import { customEmojiBytesMax, emojisMax } from "../../../community/emojis/limits.js";
import { countEmojis, findEmojis, insertEmoji } from "../../../community/emojis/repository.js";
import { detectType } from "../../../platform/files/detect-type.js";
import { emojiKey } from "../../../platform/files/storage/keys.js";
import { candidatesOf, emojiNameOf, idOf, nextFree } from "../core/texts.js";
import { recordsOf } from "../reading/repository.js";
import { findItems, putItems } from "./repository.js";
import { pastTime, type Servers, type Structure, step, type Writing } from "./writing.js";

const emojiTypes = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);

/** Stores the pictures of own emoji, and counts those that the server does not take. */
export async function makeEmoji(
  writing: Writing,
  { servers, people }: { servers: Servers; people: Structure["people"] },
): Promise<Structure["emoji"]> {
  const { importer, archive, importId, workspace, skipped } = writing;
  const { database, storage } = importer;
  const known = await findItems(database, workspace, "emoji");
  const made: Structure["emoji"] = new Map();
  for await (const record of recordsOf<EmojiRecord>(database, importId, "emoji")) {
    const serverId = servers.get(record.server)?.id;
    if (serverId === undefined) continue;
    const names = new Map((await findEmojis(database, serverId)).map(({ id, name }) => [id, name]));
    const before = known.get(record.id)?.target_id;
    if (before !== undefined) {
      made.set(record.id, { id: before, name: names.get(before) ?? emojiNameOf(record.name) });
      continue;
    }
    const image = record.file.entry === null ? null : await readImage(archive, record.file.entry);
    const contentType = image === null ? null : await detectType(image);
    if (image === null || contentType === null || !emojiTypes.has(contentType)) {
      const reason = image === null ? "picture is missing or too large" : "type is not allowed";
      skipped.add("emoji", reason, record.name);
      continue;
    }
    const taken = new Set(names.values());
    const candidates = candidatesOf(emojiNameOf(record.name), []);
    const name = nextFree(candidates, taken);
    const created_at = pastTime(record.createdAt ?? Date.now());
    const id = idOf(created_at.getTime());
    const created_by = (record.createdBy === undefined ? undefined : people.get(record.createdBy)?.id) ?? null;
    await storage.put(emojiKey(id), [image]);
    const isStored = await step(writing, async (transaction) => {
      await lockServer(transaction, serverId);
      if ((await countEmojis(transaction, { server_id: serverId })) >= emojisMax) return false;
      const row = { id, server_id: serverId, name, created_by, created_at };
      await insertEmoji(transaction, { ...row, content_type: contentType, file_size: image.length });
      await putItems(transaction, writing, "emoji", [{ external_id: record.id, target_id: id }]);
      return true;
    });
    if (isStored) made.set(record.id, { id, name });
    else {
      await importer.deleteFiles([emojiKey(id)]);
      skipped.add("emoji", "the server has as many as it may", record.name);
    }
  }
  return made;
}

/** @returns null for one that is empty or too large */
async function readImage(archive: Archive, entry: string): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of await archive.open(entry)) {
    size += chunk.length;
    if (size > customEmojiBytesMax) return null;
    chunks.push(chunk);
  }
  return size === 0 ? null : Buffer.concat(chunks);
}
