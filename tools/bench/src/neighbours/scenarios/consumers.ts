import type { ServerResponse } from "node:http";
import {
  caps,
  filteredWordLengthMax,
  ruleLimits,
  rulesPerServerMax,
  ruleWordsPerServerMax,
  webhooksPerServerMax,
} from "@parley/contracts";
import { insertRules, patternRule, wordRule } from "../../own-rules.js";
import { startReceiver } from "../../receiver.js";
import { createRoom, insertBots, insertWebhooks } from "../../world.js";
import { verdictProbe, webhookProbe } from "../probes.js";
import type { Scenario } from "../scenario.js";
import { allowances } from "../sizes.js";
import { insertOwningBot, type Neighbourhood } from "../world.js";

/** Scenarios for the resources of one process of automod and of the webhook dispatcher that tenants share. */
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
    name: "own-rules",
    resource: "automod",
    hostile:
      "10,000 words of 90 characters, 800 patterns of many states; rule changes and posts of 4,000 characters in turns, 50/s",
    // The bot that owns the server turns a rule off and on and posts texts that need as many states of the patterns as
    // there are.
    async prepare(world) {
      const room = await createRoom(world.pool, 1);
      const bot = await insertOwningBot(world, room);
      await insertRules(world.pool, room.serverId, hostileRules());
      const { rows } = await world.pool.query<{ id: string }>(
        "SELECT id FROM automod_rules WHERE server_id = $1 ORDER BY id DESC LIMIT 1",
        [room.serverId],
      );
      const path = `/servers/${room.serverId}/automod/rules/${rows[0]?.id}`;
      const requests = Array.from({ length: 200 }, (_, n) => [
        world.request(bot, `PATCH ${path}`, { enabled: n % 2 === 0 }),
        world.request(bot, `POST /channels/${room.channelId}/messages`, { content: noise(n) }),
      ]).flat();
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
    // 2,000 deliveries a second for receivers that accept and do not answer before the round has ended.
    async prepare(world) {
      const room = await createRoom(world.pool, 1);
      const bots = await insertBots(world.pool, room, 4);
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

/** As many words and instructions of patterns as the caps allow, each pattern with states for every end of a text. */
function hostileRules() {
  const words = Array.from({ length: ruleWordsPerServerMax }, (_, n) => noise(n).slice(0, 90));
  const lists = Array.from({ length: ruleWordsPerServerMax / ruleLimits.words }, (_, n) =>
    wordRule(n, words.slice(n * ruleLimits.words, (n + 1) * ruleLimits.words)),
  );
  const patterns = Array.from({ length: rulesPerServerMax - lists.length }, (_, n) =>
    patternRule(
      Array.from({ length: ruleLimits.patterns }, (_, m) => `[a-m][^${noise(n)[m]}]{${20 + (m % 10)}}[n-z]\\d`),
    ),
  );
  return [...lists, ...patterns];
}

/** Letters at random, the same for each number. */
function noise(seed: number): string {
  let random = seed + 1;
  return Array.from({ length: 4_000 }, () => {
    random = (random * 48_271) % 2_147_483_647;
    return String.fromCharCode(97 + (random % 26));
  }).join("");
}

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
