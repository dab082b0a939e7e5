import { z } from "zod";
import { searchHas, searchIs } from "../search/query.js";
import { timestamp, uuid } from "./identifiers.js";
import { AnyMessage } from "./saved.js";

const named = z.array(
  z.object({
    id: uuid,
    name: z.string().nullable().meta({ description: "Null where the caller does not know of it", example: "ann" }),
  }),
);

/** A page of results of everything that the caller may read. */
export const FoundPage = z
  .object({
    results: z.array(
      z.object({
        message: AnyMessage,
        channel_name: z.string().nullable().meta({
          description: "Of direct messages the other one's username; null for a group without a name",
          example: "general",
        }),
        ranges: z.array(z.tuple([z.int(), z.int()])).meta({
          description: "Start and length of each match in `content`, in UTF-16",
          example: [[0, 5]],
        }),
        thread_root_id: uuid.nullable(),
      }),
    ),
    total: z.int().meta({ minimum: 0, description: "All matches, whatever the page", example: 1 }),
    total_is_exact: z.boolean().meta({ description: "False when there are more" }),
    next: uuid.nullable().meta({ description: "`before` of the next page" }),
    query: z.object({
      terms: z.array(z.object({ text: z.string(), phrase: z.boolean(), excluded: z.boolean() })),
      ...{ from: named, mentions: named, in: named, server: named },
      has: z.array(z.enum(searchHas)),
      is: z.array(z.enum(searchIs)),
      since: timestamp.nullable(),
      until: timestamp.nullable(),
    }),
  })
  .meta({ id: "FoundPage" });
export type FoundPage = z.infer<typeof FoundPage>;
