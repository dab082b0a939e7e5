import { skippedKinds, sources } from "@parley/archives";
import { errorTexts, listOf, timestamp, uuid } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../../../platform/http/input.js";

const states = ["receiving", "reading", "ready", "running", "paused", "done", "failed", "undone"] as const;

const count = z.int().meta({ minimum: 0 });

/** What an archive has, and what of it has no place (docs/protocol/moving.md#32). */
export const ImportReport = z
  .object({
    servers: z.array(
      z.object({
        name: z.string(),
        channels: z.array(
          z.object({
            name: z.string(),
            private: z.boolean().nullable().meta({ description: "Null: the archive does not say it" }),
            archived: z.boolean(),
            messages: count,
          }),
        ),
        counts: z.object({
          people: count,
          messages: count,
          files: count,
          bytes: count,
          emoji: count,
          roles: count,
        }),
      }),
    ),
    skipped: z.array(
      z.object({
        kind: z.enum(skippedKinds),
        reason: z.string(),
        count,
        example: z.string().meta({ maxLength: 200 }),
      }),
    ),
  })
  .meta({ id: "ImportReport" });
export type ImportReport = z.infer<typeof ImportReport>;

/** An archive of another service (docs/protocol/moving.md#32). */
export const Import = z
  .object({
    id: uuid,
    source: z.enum(sources).nullable().meta({ description: "Null until it is recognised" }),
    state: z.enum(states),
    report: ImportReport.nullable().meta({ description: "Null until the archive is read" }),
    progress: z.object({ messages: count, of: count, files: count, of_files: count }),
    server_id: uuid.nullable(),
    created_by: uuid.nullable(),
    created_at: timestamp,
    finished_at: timestamp.nullable(),
    error: z.string().nullable(),
  })
  .meta({ id: "Import" });
export type Import = z.infer<typeof Import>;

export const ImportList = z.object({ imports: z.array(Import) });

/** A person of an archive (docs/protocol/moving.md#32). */
export const ImportPerson = z
  .object({
    id: uuid,
    external_id: z.string(),
    name: z.string(),
    username: z.string(),
    email: z.string().nullable(),
    is_bot: z.boolean(),
    deleted: z.boolean(),
    messages: count,
    user_id: uuid.meta({ description: "The account that has the messages now" }),
    claimed: z.boolean(),
  })
  .meta({ id: "ImportPerson" });
export type ImportPerson = z.infer<typeof ImportPerson>;

export const ImportPeople = z.object({
  people: z.array(ImportPerson),
  total: z.int(),
  page: z.int(),
  per_page: z.int(),
});
export type ImportPeople = z.infer<typeof ImportPeople>;

const source = z.enum(sources, errorTexts.import_source_invalid).optional();
export const sourceBody = z.object({ source });

export const beginBody = z.object({
  size: z.int(errorTexts.import_size_invalid).min(1, errorTexts.import_size_invalid),
  source,
  filename: z.string().max(1_000, errorTexts.import_size_invalid).optional(),
});
export type BeginImport = z.infer<typeof beginBody>;

const names = listOf(z.string(), { max: 500, message: errorTexts.import_names_invalid });

export const startBody = z.object({
  into: identifier.nullish(),
  servers: names.nullish(),
  name: z.string(errorTexts.server_name_length).nullish(),
  owner_id: identifier.nullish(),
  visible: z.union([z.literal("all"), names], errorTexts.import_names_invalid).nullish(),
  claim_by_email: z.boolean(errorTexts.import_claim_by_email_invalid).nullish(),
});
export type StartImport = z.infer<typeof startBody>;

/** The options of a start, as its import keeps them. */
export const importOptions = z.object({
  into: z.string().nullable(),
  /** External ids; null for all. */
  servers: z.array(z.string()).nullable(),
  name: z.string().nullable(),
  owner_id: z.string(),
  visible: z.union([z.literal("all"), z.array(z.string())]),
  claim_by_email: z.boolean(),
});
export type ImportOptions = z.infer<typeof importOptions>;

export const claimBody = z.object({ user_id: identifier });
export const codeBody = z.object({ code: z.string(errorTexts.import_code_not_found) });
export const ImportCode = z.object({ code: z.string() });
export const ClaimedPerson = z.object({ person: z.string(), messages: count });
