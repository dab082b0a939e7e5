import { z } from "zod";
import { Attachment } from "./attachment.js";
import { uuid } from "./identifiers.js";

/** How much the files of an account or a server take (docs/protocol/storage.md#34.3). */
export const StorageUse = z
  .object({
    used: z.int().meta({ description: "Bytes" }),
    quota: z.int().nullable().meta({ description: "Bytes; null: without a bound" }),
    files: z.int(),
  })
  .meta({ id: "StorageUse" });
export type StorageUse = z.infer<typeof StorageUse>;

/** Kinds of files, as lists tell them apart: by the first part of their media type, and all others. */
export const fileKinds = ["image", "video", "audio", "file"] as const;
export type FileKind = (typeof fileKinds)[number];

/** A page of the files of a server, newest first. */
export const FilePage = z
  .object({
    files: z.array(Attachment.extend({ channel_id: uuid })),
    next: uuid.nullable().meta({ description: "`before` of the next page" }),
  })
  .meta({ id: "FilePage" });
export type FilePage = z.infer<typeof FilePage>;
