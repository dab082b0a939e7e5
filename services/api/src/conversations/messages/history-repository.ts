import { type SessionClaim, sessionInForce } from "@parley/auth";
import { defineStatement, jsonTime } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { accessColumns, accessRow } from "@parley/permissions";
import { z } from "zod";
import { newestFirst, pageStatements } from "../core/history-repository.js";
import type { HistoryPlace } from "../core/schema.js";
import { listedMessages, messageRow } from "./repository.js";

/**
 * The result of `toMessage` for a message without a poll, a scheduled event and parts of apps, made by PostgreSQL: with
 * this and one statement less a page took the api 406 µs of processor time instead of 819.
 */
const plainMessage = `m.id, m.channel_id, m.author_id, m.content, m.reply_to, m.mention_user_ids, m.mention_everyone,
  m.thread_id, m.thread_reply_count, ${jsonTime("m.edited_at")} AS edited_at, m.deleted,
  ${jsonTime("m.created_at")} AS created_at, m.pinned, m.pinned_by, ${jsonTime("m.pinned_at")} AS pinned_at,
  NULL::json AS poll, NULL::json AS event`;

const jsonDate = z.coerce.date();
const jsonMessageRow = messageRow.extend({
  created_at: jsonDate,
  edited_at: jsonDate.nullable(),
  pinned_at: jsonDate.nullable(),
});

/**
 * Session, channel, rights and page in one statement, without a row where there is no such channel for the user, or the session
 * is not in force. No message's JSON has a line break. $1: channel, $2: user, $3: limit, $4: whether keys are wanted, $5 and $6:
 * version and id of the session.
 *
 * Pages are ordered by (created_at, id), which is the same as the order of ids, so that the planner uses the index of the
 * history. Ordered by id alone, it would choose the primary key and read all newer messages of other channels. A limit that it
 * sees makes a plan for the values look cheaper than one for all, and planning takes longer than reading the page.
 */
const pages = pageStatements("message", { tables: ["messages"], cursor: "$7" }, ({ name, where, order }) =>
  defineStatement({
    name,
    text: `SELECT ${accessColumns("$2")}, '[' || page.lines || ']' AS text,
        CASE WHEN $4 THEN (
          SELECT json_agg(json_build_object('id', k.id, 'server_id', c.server_id, 'author_id', k.author_id))
          FROM unnest(page.ids, page.author_ids) AS k (id, author_id)) END AS keys,
        (SELECT json_agg(json_build_object('line', array_position(page.ids, row.id) - 1, 'row', row)) FROM (
          ${listedMessages(
            `SELECT * FROM messages m WHERE m.id = ANY (ARRAY(
              SELECT unnest(page.with_parts)
              UNION SELECT message_id FROM polls WHERE message_id = ANY (page.ids)
              UNION SELECT message_id FROM scheduled_events WHERE message_id = ANY (page.ids)))`,
            "m.created_at DESC, m.id DESC",
          )}) AS row) AS composed
      FROM channels c
      JOIN servers s ON s.id = c.server_id
      JOIN members ON members.server_id = c.server_id AND members.user_id = $2
      CROSS JOIN LATERAL (
        SELECT string_agg(row_to_json(line)::text, E',\\n' ${newestFirst}) AS lines,
          array_agg(m.id ${newestFirst}) AS ids, array_agg(m.author_id ${newestFirst}) AS author_ids,
          array_agg(m.id) FILTER (WHERE num_nonnulls(m.interaction, m.embeds, m.components, m.webhook) > 0
            OR m.mention_here OR m.mention_role_ids <> ARRAY[]::uuid[]) AS with_parts
        FROM (SELECT * FROM messages m WHERE m.channel_id = $1 AND m.listed ${where} ${order} LIMIT (SELECT $3::integer)) AS m
        CROSS JOIN LATERAL (SELECT ${plainMessage}) AS line) AS page
      WHERE c.id = $1 AND ${sessionInForce({ userId: "$2", version: "$5::integer", id: "$6::uuid" })}`,
    row: accessRow.extend({
      text: z.string().nullable(),
      keys: z.array(messageRow.pick({ id: true, server_id: true, author_id: true })).nullable(),
      composed: z.array(z.object({ line: z.int(), row: jsonMessageRow })).nullable(),
    }),
  }),
);

/** Exported for the test of its plan. */
export const latestStatement = pages.latest;

/**
 * A page of a channel's history, newest first: the newest messages, those directly before or after a message, or the
 * first ones from an instant on; with the data that decides whether the user may view it.
 *
 * @param reader.session the session that the statement confirms; null for none
 * @param reader.keys whether to read the messages' keys as well
 * @returns null when the channel does not exist, the user is no member of its server, or the session has ended. `text`
 * is the JSON of the messages; `composed` has the rows of the other messages, which the api composes itself, with the
 * numbers of their lines
 */
export async function findPage(
  connection: Queryable,
  { channelId, limit, ...place }: HistoryPlace,
  { userId, session, keys }: { userId: string; session: SessionClaim | null; keys: boolean },
) {
  const values = [channelId, userId, limit, keys, session?.version ?? null, session?.id ?? null];
  const [row] = await pages.find(connection, place, values);
  if (row === undefined) return null;
  const { text, composed, ...page } = row;
  return { ...page, text: text ?? "[]", composed: composed ?? [] };
}

/** The JSON of each message of the text of a page. */
export const linesOf = (text: string): string[] => (text === "[]" ? [] : text.slice(1, -1).split(",\n"));
