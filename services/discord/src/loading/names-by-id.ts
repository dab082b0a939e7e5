import { defineStatement, rowsOfArrays } from "@parley/database";
import { z } from "zod";
import { rangeOf } from "../ids/snowflake.js";
import type { NamedIds, NamesById } from "../text/to-own.js";
import type { Reading } from "./context.js";

const kinds = ["users", "roles", "channels", "emojis"] as const;

const findNames = defineStatement({
  name: "discord_names_by_id",
  text: `
SELECT asked.kind, asked.snowflake, found.name
FROM ${rowsOfArrays("text", "text", "uuid", "uuid")} AS asked (kind, snowflake, low, high)
CROSS JOIN LATERAL (
  (SELECT username AS name FROM users WHERE asked.kind = 'users' AND id BETWEEN low AND high ORDER BY id LIMIT 1)
  UNION ALL (SELECT name FROM roles
    WHERE asked.kind = 'roles' AND id BETWEEN low AND high AND server_id = $5::uuid ORDER BY id LIMIT 1)
  UNION ALL (SELECT name FROM channels
    WHERE asked.kind = 'channels' AND id BETWEEN low AND high AND server_id = $5::uuid ORDER BY id LIMIT 1)
  UNION ALL (SELECT name FROM custom_emojis WHERE asked.kind = 'emojis' AND id BETWEEN low AND high ORDER BY id LIMIT 1)
) found`,
  row: z.object({ kind: z.enum(kinds), snowflake: z.string(), name: z.string() }),
});

/** The server of a bot's texts, null in direct messages; or how it is found, if it is needed. */
export type ServerOfTexts = string | null | (() => Promise<string>);

/** Loads the names of the ids in a bot's texts, in one statement; none if there are no ids. */
export async function loadNamesById(database: Reading, server: ServerOfTexts, ids: NamedIds): Promise<NamesById> {
  const names = {
    users: new Map<string, string>(),
    roles: new Map<string, string>(),
    channels: new Map<string, string>(),
    emojis: new Map<string, string>(),
  };
  const asked = kinds.flatMap((kind) =>
    [...ids[kind]].flatMap((snowflake) => {
      const range = rangeOf(snowflake);
      return range === null ? [] : [{ kind, snowflake, ...range }];
    }),
  );
  if (asked.length === 0) return names;
  const rows = await database.query(findNames, [
    asked.map(({ kind }) => kind),
    asked.map(({ snowflake }) => snowflake),
    asked.map(({ from }) => from),
    asked.map(({ to }) => to),
    typeof server === "function" ? await server() : server,
  ]);
  for (const { kind, snowflake, name } of rows) names[kind].set(snowflake, name);
  return names;
}
