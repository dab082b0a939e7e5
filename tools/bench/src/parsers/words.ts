import { exchange, type HostileInput, requestBytes } from "./hostile-input.js";
import type { ParserWorld } from "./world.js";

const wordsMax = 10_000;
const wordLength = 100;

/** Lists at the cap, each with the words of `number`, as an expression of SQL. */
const lists: Readonly<Record<string, string>> = {
  "10,000 words without a common beginning": `left(repeat(md5(n::text || $2), 4), ${wordLength})`,
  "10,000 words with a common beginning": `left(repeat('a', ${wordLength - 8}) || md5(n::text || $2), ${wordLength})`,
};

/** A message of 4,000 characters to a server whose words have just changed. */
export function wordInputs({ urls, headers, pool, room }: ParserWorld): HostileInput[] {
  let version = 0;
  return Object.entries(lists).map(([input, word]) => ({
    parser: "words of auto-moderation",
    input,
    service: "automod",
    bytes: wordsMax * wordLength,
    async send() {
      version += 1;
      const { serverId } = room;
      await pool.query("DELETE FROM automod_words WHERE server_id = $1", [serverId]);
      await pool.query(
        `INSERT INTO automod_words (server_id, word) SELECT $1, ${word} FROM generate_series(1, $3::int) n`,
        [serverId, String(version), wordsMax],
      );
      await pool.query("UPDATE servers SET automod_words_version = automod_words_version + 1 WHERE id = $1", [
        serverId,
      ]);
      const settings = '{"enabled":true,"word_filter_enabled":true}';
      const json = { ...headers, "content-type": "application/json" };
      await exchange(urls.api, requestBytes(`PATCH /servers/${serverId}/automod`, json, settings));
      const content = JSON.stringify({ content: "a".repeat(4_000) });
      const answer = await exchange(urls.api, requestBytes(`POST /channels/${room.channelId}/messages`, json, content));
      await exchange(urls.api, requestBytes(`PATCH /servers/${serverId}/automod`, json, '{"enabled":false}'));
      return answer;
    },
  }));
}
