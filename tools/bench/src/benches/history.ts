import { Agent, get } from "node:http";
import { buffer } from "node:stream/consumers";
import { alternate, alternateQuick, alternateSizes } from "../alternate.js";
import { bench } from "../bench.js";
import { report } from "../measure.js";
import { statementsAtOnce, withStack } from "../stack.js";
import { createRoom } from "../world.js";

const content = "The quick brown fox jumps over the lazy dog, and then it rests for a while. ".repeat(2);

/** The keys of a message as the endpoint gives them, made by PostgreSQL. */
const bareText = `SELECT json_agg(page)::text AS page FROM (
  SELECT m.id, m.channel_id, m.author_id, m.content, m.reply_to, m.mention_user_ids, m.mention_everyone, m.thread_id,
    m.thread_reply_count, m.edited_at, m.deleted, m.created_at, m.pinned, m.pinned_by, m.pinned_at,
    CASE WHEN EXISTS (SELECT FROM polls p WHERE p.message_id = m.id) THEN '{}'::json END AS poll,
    (SELECT to_json(e) FROM scheduled_events e WHERE e.message_id = m.id) AS event
  FROM messages m WHERE m.channel_id = $1 AND m.listed ORDER BY m.created_at DESC, m.id DESC LIMIT 50) AS page`;

/**
 * GET history of 50 messages against one prepared statement for the same messages whose JSON PostgreSQL makes; neither
 * side's JSON is parsed.
 */
export default bench(
  { sizes: { ...alternateSizes, messages: 20_000 }, quick: { ...alternateQuick, messages: 500 } },
  ({ messages, ...sizes }) =>
    withStack({}, async (stack) => {
      const api = await stack.start("api");
      const { serverId, channelId, userIds } = await createRoom(stack.pool, 1);
      await stack.pool.query(
        `INSERT INTO messages (channel_id, server_id, author_id, content)
          SELECT $1, $2, $3, $4 FROM generate_series(1, $5::integer)`,
        [channelId, serverId, userIds[0], content, messages],
      );
      await stack.pool.query("VACUUM ANALYZE");
      const options = {
        agent: new Agent({ keepAlive: true, maxSockets: statementsAtOnce }),
        headers: stack.headers(userIds[0] ?? ""),
      };
      const request = () =>
        new Promise<number>((resolve, reject) => {
          get(`${api.url}/channels/${channelId}/messages`, options, async (response) => {
            const body = await buffer(response);
            if (response.statusCode === 200) resolve(body.length);
            else reject(new Error(`history answered ${response.statusCode}`));
          }).on("error", reject);
        });
      const statement = async () => {
        const { rows } = await stack.pool.query<{ page: string }>({
          ...{ name: "bare", text: bareText, values: [channelId] },
        });
        return rows[0]?.page.length;
      };
      report(`one page: ${await request()} bytes from the api, ${await statement()} characters from PostgreSQL`);
      await alternate(stack, api, { name: "GET history", request, statement, goal: "1.5 times as long" }, sizes);
      options.agent.destroy();
    }),
);
