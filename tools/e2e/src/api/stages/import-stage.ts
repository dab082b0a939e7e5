import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import type { RestClient } from "@parley/testing";
import { type Golden, sampleArchive } from "@parley/testing/archives";
import { expect } from "vitest";
import { z } from "zod";
import { runSql } from "./admin-stage.js";

/** An import as the wire has it. */
export const Import = z.strictObject({
  id: z.uuid(),
  source: z.string().nullable(),
  state: z.string(),
  report: z
    .strictObject({
      servers: z.array(
        z.strictObject({
          name: z.string(),
          channels: z.array(
            z.strictObject({
              name: z.string(),
              private: z.boolean().nullable(),
              archived: z.boolean(),
              messages: z.int(),
            }),
          ),
          counts: z.strictObject({
            people: z.int(),
            messages: z.int(),
            files: z.int(),
            bytes: z.int(),
            emoji: z.int(),
            roles: z.int(),
          }),
        }),
      ),
      skipped: z.array(
        z.strictObject({ kind: z.string(), reason: z.string(), count: z.int(), example: z.string().max(200) }),
      ),
    })
    .nullable(),
  progress: z.strictObject({ messages: z.int(), of: z.int(), files: z.int(), of_files: z.int() }),
  server_id: z.uuid().nullable(),
  created_by: z.uuid().nullable(),
  created_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
  error: z.string().nullable(),
});

/** A person of an import as the wire has them. */
export const ImportPerson = z.strictObject({
  id: z.uuid(),
  external_id: z.string(),
  name: z.string(),
  username: z.string(),
  email: z.string().nullable(),
  is_bot: z.boolean(),
  deleted: z.boolean(),
  messages: z.int(),
  user_id: z.uuid(),
  claimed: z.boolean(),
});

/** Uploads an archive as a form. */
export async function uploadArchive(admin: RestClient, archive: Uint8Array, name: string) {
  const form = new FormData();
  form.append("archive", new Blob([archive]), name);
  return (await admin.post("/admin/imports", form)).expect(202, Import);
}

export async function startImport(admin: RestClient, id: string, body: Record<string, unknown> = {}) {
  return (await admin.post(`/admin/imports/${id}/start`, body)).expect(202, Import);
}

/** Waits until an import has a state; it fails with the error of one that failed instead. */
export async function untilState(admin: RestClient, id: string, state: string) {
  let last: z.infer<typeof Import> | undefined;
  await expect
    .poll(async () => {
      last = (await admin.get(`/admin/imports/${id}`)).expect(200, Import);
      return last.state === "failed" ? `failed: ${last.error}` : last.state;
    })
    .toBe(state);
  return last as z.infer<typeof Import>;
}

/** Uploads an archive and starts its import. @returns the import when it is done */
export async function importArchive(
  admin: RestClient,
  archive: Uint8Array,
  body: Record<string, unknown> = {},
): Promise<z.infer<typeof Import>> {
  const { id } = await uploadArchive(admin, archive, "archive.zip");
  await untilState(admin, id, "ready");
  await startImport(admin, id, body);
  return untilState(admin, id, "done");
}

/** The process that works on an import; undefined without one. */
export function importerOf(importId: string): number | undefined {
  const commandOf = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    } catch {
      return [];
    }
  };
  const pid = readdirSync("/proc").find((name) => /^\d+$/.test(name) && commandOf(name).includes(importId));
  return pid === undefined ? undefined : Number(pid);
}

/** Uploads the sample of a source. */
export function uploadSample(admin: RestClient, source: string) {
  const { path } = sampleArchive(source);
  return uploadArchive(admin, readFileSync(path), basename(path));
}

const figuresQuery = `WITH item AS (SELECT * FROM import_items WHERE import_id = $1),
  made AS (SELECT m.*, i.external_id FROM item i JOIN messages m ON m.id = i.target_id WHERE i.kind = 'message'),
  file AS (SELECT a.* FROM attachments a JOIN made ON made.id = a.message_id)
  SELECT json_build_object(
    'counts', json_build_object(
      'servers', (SELECT count(*) FROM item WHERE kind = 'server'),
      'categories', (SELECT count(DISTINCT category) FROM item JOIN channels c ON c.id = target_id),
      'channels', (SELECT count(*) FROM item JOIN channels c ON c.id = target_id),
      'people', (SELECT count(*) FROM item JOIN import_people p ON p.id = target_id),
      'roles', (SELECT count(*) FROM item JOIN roles r ON r.id = target_id),
      'emoji', (SELECT count(*) FROM item JOIN custom_emojis e ON e.id = target_id),
      'messages', (SELECT count(*) FROM made),
      'thread_replies', (SELECT count(*) FROM made WHERE thread_id IS NOT NULL),
      'edited', (SELECT count(*) FROM made WHERE edited_at IS NOT NULL AND external_id !~ '#\\d+$'),
      'replies', (SELECT count(*) FROM made WHERE reply_to IS NOT NULL),
      'reactions', (SELECT count(*) FROM made JOIN reactions r ON r.message_id = made.id),
      'pins', (SELECT count(*) FROM made WHERE pinned),
      'mentions', (SELECT coalesce(sum(cardinality(mention_user_ids)), 0) FROM made),
      'embeds', (SELECT coalesce(sum(jsonb_array_length(embeds)), 0) FROM made),
      'polls', (SELECT count(*) FROM made JOIN polls p ON p.message_id = made.id),
      'files', (SELECT count(*) FROM file), 'bytes', (SELECT coalesce(sum(file_size), 0) FROM file),
      'split', (SELECT count(*) FROM made WHERE external_id ~ '#1$')),
    'servers', (SELECT json_agg(json_build_object('name', s.name, 'external_id', item.external_id) ORDER BY s.id)
      FROM item JOIN servers s ON s.id = target_id),
    'channels', (SELECT json_agg(json_build_object('id', item.external_id, 'server', c.server_id, 'name', c.name,
        'category', c.category, 'topic', c.topic, 'private', coalesce(o.deny & 1 > 0, false),
        'archived', coalesce(o.deny & 2 > 0, false), 'type', c.type,
        'messages', (SELECT count(*) FROM messages m WHERE m.channel_id = c.id),
        'roots', (SELECT count(*) FROM messages m WHERE m.channel_id = c.id AND m.thread_id IS NULL)))
      FROM item JOIN channels c ON c.id = target_id LEFT JOIN channel_overrides o ON o.channel_id = c.id AND role_id IS NULL
        AND user_id IS NULL),
    'people', (SELECT json_agg(json_build_object('id', p.external_id, 'name', p.name, 'username_base', u.username,
        'email', p.email, 'bot', p.is_bot, 'deleted', p.deleted,
        'messages', (SELECT count(*) FROM messages m WHERE m.author_id = p.id)))
      FROM item JOIN import_people p ON p.id = target_id JOIN users u ON u.id = p.id),
    'roles', (SELECT coalesce(json_agg(json_build_object('name', r.name, 'color', r.color, 'permissions', r.permissions)), '[]')
      FROM item JOIN roles r ON r.id = target_id),
    'emoji', (SELECT coalesce(json_agg(json_build_object('name', e.name, 'id', e.id)), '[]')
      FROM item JOIN custom_emojis e ON e.id = target_id)) AS figures`;

/** What an import has made, with the figures of its golden file but for what it skipped and pictures. */
export async function readImported(databaseUrl: string, importId: string): Promise<Omit<Golden, "skipped">> {
  const [row] = await runSql(databaseUrl, figuresQuery, [importId]);
  const { figures } = z.object({ figures: z.custom<Omit<Golden, "skipped">>() }).parse(row);
  return figures;
}
