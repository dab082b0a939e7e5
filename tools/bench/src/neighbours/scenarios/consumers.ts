import type { ServerResponse } from "node:http";
import { caps, filteredWordLengthMax, webhooksPerServerMax } from "@parley/contracts";
import { startReceiver } from "../../receiver.js";
import { createRoom, insertWebhooks } from "../../world.js";
import { verdictProbe, webhookProbe } from "../probes.js";
import type { Scenario } from "../scenario.js";
import { allowances } from "../sizes.js";
import { insertBots, insertOwningBot, type Neighbourhood } from "../world.js";

/** Of what one process of automod and of the webhook dispatcher share between tenants. */
export const consumerScenarios: readonly Scenario[] = [
  {
    name: "automod",
    resource: "automod",
    hostile: "1,000 words of 100 code points; word changes and posts in turns, 50/s",
    // The bot that owns the server takes a word away, adds another and posts. The list itself is 20 seconds of a bot.
    async prepare(world) {
      const room = await createRoom(world.pool, 1);
      const bot = await insertOwningBot(world, room);
      const path = `/servers/${room.serverId}/automod/words`;
      const requests = (await insertWordList(world, room.serverId)).flatMap((word, n) => [
        world.request(bot, `DELETE ${path}/${encodeURIComponent(word)}`),
        world.request(bot, `POST ${path}`, { word }),
        world.request(bot, `POST /channels/${room.channelId}/messages`, { content: `hostile ${n}` }),
      ]);
      return {
        probe: await verdictProbe(world),
        loads: () => [{ kind: "requests", requests, perSecond: allowances.botPerSecond, inFlightMax: 50 }],
      };
    },
  },
  {
    name: "webhooks",
    resource: "webhook queue",
    hostile: "10 webhooks that hang; 4 bots post 50/s each",
    phaseMsMin: 7_000,
    // 2,000 deliveries a second for receivers that accept and do not answer before the round is over.
    async prepare(world) {
      const room = await createRoom(world.pool, 1);
      const bots = await insertBots(world, room, 4);
      const held: ServerResponse[] = [];
      let isHanging = true;
      const receiver = await startReceiver((request, response) => {
        request.resume();
        if (isHanging) held.push(response);
        else response.writeHead(204).end();
      });
      await insertWebhooks(world.pool, room.serverId, receiver.url, webhooksPerServerMax);
      const requests = bots.map((bot) =>
        world.request(bot, `POST /channels/${room.channelId}/messages`, { content: "hostile" }),
      );
      return {
        probe: await webhookProbe(world),
        loads: () => {
          isHanging = true;
          const perSecond = bots.length * allowances.botPerSecond;
          return [{ kind: "requests", requests, perSecond, inFlightMax: 100 }];
        },
        calmDown: async () => {
          isHanging = false;
          for (const response of held.splice(0)) response.writeHead(204).end();
        },
        close: receiver.close,
      };
    },
  },
];

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
