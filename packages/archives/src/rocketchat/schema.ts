import { z } from "zod";

/** Ids are texts, and ObjectIds where MongoDB made them. */
const id = z.preprocess(
  (value) =>
    typeof value === "object" && value !== null && "toHexString" in value && typeof value.toHexString === "function"
      ? value.toHexString()
      : value,
  z.string().min(1).max(200),
);
const text = z.string();
const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().transform((value) => value ?? null);
const time = z.date().transform((date) => date.getTime());
/** A part that cannot be read counts as absent. */
const lenient = <Schema extends z.ZodType>(schema: Schema) => maybe(schema).catch(null);
const list = <Schema extends z.ZodType>(item: Schema) =>
  z
    .array(z.unknown())
    .nullish()
    .catch(null)
    .transform((items) => (items ?? []).flatMap((each) => item.safeParse(each).data ?? []) as z.output<Schema>[]);

/** Of `users`; neither passwords nor tokens. */
export const userSchema = z.object({
  _id: id,
  username: maybe(text),
  name: maybe(text),
  emails: list(z.object({ address: text, verified: z.boolean().optional() })),
  type: maybe(text),
  roles: list(text),
  active: lenient(z.boolean()),
  createdAt: lenient(time),
});

export const roomSchema = z.object({
  _id: id,
  t: text,
  name: maybe(text),
  fname: maybe(text),
  topic: lenient(text),
  description: lenient(text),
  archived: lenient(z.boolean()),
  teamId: lenient(id),
  teamMain: lenient(z.boolean()),
  ts: lenient(time),
});
export type Room = z.output<typeof roomSchema>;

export const uploadSchema = z.object({ _id: id, size: lenient(z.number()), typeGroup: lenient(text) });

export const chunkSchema = z.object({ files_id: id, n: z.int().min(0), data: z.instanceof(Uint8Array) });

export const emojiSchema = z.object({ _id: id, name: text, aliases: list(text), extension: text });

const person = z.object({ _id: id, username: lenient(text), name: lenient(text) });
export type NamedPerson = z.output<typeof person>;

const attachment = z.looseObject({
  message_link: lenient(text),
  type: lenient(text),
  fileId: lenient(id),
  title_link: lenient(text),
  description: lenient(text),
});

const file = z.object({ _id: id, name: lenient(text), typeGroup: lenient(text) });
export type NamedFile = z.output<typeof file>;

/** Entries that cannot be read count as absent; a value that is no list spoils its record. */
const strictList = <Schema extends z.ZodType>(item: Schema) =>
  z
    .array(z.unknown())
    .nullish()
    .transform((items) => (items ?? []).flatMap((each) => item.safeParse(each).data ?? []) as z.output<Schema>[]);

export const messageSchema = z.object({
  _id: id,
  rid: id,
  msg: maybe(text),
  ts: time,
  u: maybe(person),
  _updatedAt: maybe(time),
  t: maybe(text),
  _hidden: lenient(z.boolean()),
  tmid: maybe(id),
  tcount: lenient(z.number()),
  alias: lenient(text),
  bot: z.unknown().optional(),
  mentions: strictList(z.object({ _id: id, username: lenient(text) })),
  channels: strictList(z.object({ _id: id, name: lenient(text) })),
  urls: strictList(z.object({ url: text, meta: lenient(z.record(text, z.unknown())) })),
  reactions: maybe(z.record(text, z.object({ usernames: list(text) }))),
  attachments: strictList(attachment),
  file: lenient(file),
  files: strictList(file),
  pinned: lenient(z.boolean()),
  pinnedAt: maybe(time),
  pinnedBy: lenient(person),
  editedAt: maybe(time),
});
export type RocketMessage = z.output<typeof messageSchema>;
