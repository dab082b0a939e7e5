import { insertWords } from "../world.js";
import { exchange, type HostileInput, requestBytes } from "./hostile-input.js";
import type { ParserWorld } from "./world.js";

const wordsMax = 10_000;
const wordLength = 100;

/** Lists at the cap, each an expression of SQL for the n-th word of the list of that version. */
const lists: Readonly<Record<string, (version: number) => string>> = {
  "10,000 words without a common beginning": (version) => `left(repeat(md5(n::text || ${version}), 4), ${wordLength})`,
  "10,000 words with a common beginning": (version) =>
    `left(repeat('a', ${wordLength - 8}) || md5(n::text || ${version}), ${wordLength})`,
};

/** A message of 4,000 characters to a server whose words have just changed. */
export function wordInputs({ services, headers, pool, room }: ParserWorld): HostileInput[] {
  const json = { ...headers, "content-type": "application/json" };
  const send = (line: string, body: unknown) => exchange(services.api, requestBytes(line, json, JSON.stringify(body)));
  const settings = `PATCH /servers/${room.serverId}/automod`;
  let version = 0;
  return Object.entries(lists).map(([input, word]) => ({
    parser: "words of auto-moderation",
    input,
    service: "automod",
    bytes: wordsMax * wordLength,
    async send() {
      version += 1;
      await pool.query("DELETE FROM automod_words WHERE server_id = $1", [room.serverId]);
      await insertWords(pool, room.serverId, wordsMax, word(version));
      await send(settings, { enabled: true, word_filter_enabled: true });
      const answer = await send(`POST /channels/${room.channelId}/messages`, { content: "a".repeat(4_000) });
      await send(settings, { enabled: false });
      return answer;
    },
  }));
}
