import { type Database, defineStatement } from "@parley/database";
import { type AutomodSettings, automodColumn, automodSettings } from "@parley/moderation";
import { z } from "zod";

const settingsStatement = defineStatement({
  name: "automod_late_settings",
  text: `SELECT ${automodColumn} FROM servers s JOIN automod_configs a ON a.server_id = s.id WHERE s.id = $1`,
  row: z.object({ automod: automodSettings }),
});

/** A server's auto-moderation as it is now, for messages whose senders could not ask; null when it is off. */
export async function findLateSettings(database: Database, serverId: string): Promise<AutomodSettings> {
  const [row] = await database.query(settingsStatement, [serverId]);
  return row?.automod ?? null;
}
