import { caps, filteredWordLengthMax } from "@parley/contracts";
import { createRoom } from "../../world.js";
import { verdictProbe } from "../probe.js";
import type { Scenario } from "../scenario.js";
import { allowances } from "../sizes.js";
import { insertOwningBot, type Neighbourhood } from "../world.js";

/** The bot that owns the server takes a word away, adds another and posts. The list itself is 20 seconds of a bot. */
export const automod: Scenario = {
  name: "automod",
  resource: "automod",
  hostile: "1,000 words of 100 code points; word changes and posts in turns, 50/s",
  async prepare(world) {
    const room = await createRoom(world.pool, 1);
    const { headers } = await insertOwningBot(world, room);
    const words = await insertWordList(world, room.serverId);
    const path = `${world.api.url}/servers/${room.serverId}/automod/words`;
    const messages = `${world.api.url}/channels/${room.channelId}/messages`;
    const requests = words.flatMap((word, n) => [
      { method: "DELETE", url: `${path}/${encodeURIComponent(word)}`, headers },
      { method: "POST", url: path, headers, body: JSON.stringify({ word }) },
      { method: "POST", url: messages, headers, body: JSON.stringify({ content: `hostile ${n}` }) },
    ]);
    return {
      probe: await verdictProbe(world),
      loads: () => [{ kind: "requests", requests, perSecond: allowances.botPerSecond, inFlightMax: 50 }],
    };
  },
};

/** Words that share no beginning, in characters outside the basic plane. */
async function insertWordList({ pool }: Neighbourhood, serverId: string): Promise<string[]> {
  await pool.query(
    `INSERT INTO automod_configs (server_id, enabled, word_filter_enabled) VALUES ($1, true, true)
      ON CONFLICT (server_id) DO UPDATE SET enabled = true, word_filter_enabled = true`,
    [serverId],
  );
  const { rows } = await pool.query<{ word: string }>(
    `INSERT INTO automod_words (server_id, word)
      SELECT $1, string_agg(chr(66304 + get_byte(sha512((w || ' ' || n)::bytea), n % 64) % 27), '' ORDER BY n)
      FROM generate_series(1, $2::int) w, generate_series(1, $3::int) n GROUP BY w RETURNING word`,
    [serverId, caps.words.max, filteredWordLengthMax],
  );
  await pool.query("UPDATE servers SET automod_words_version = automod_words_version + 1 WHERE id = $1", [serverId]);
  return rows.map(({ word }) => word);
}
