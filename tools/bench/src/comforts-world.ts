import { AuthResponse, Channel, Server } from "@parley/contracts";
import type { Post } from "./poster.js";
import { type BenchStack, withPool } from "./stack.js";

const authors = 20;

export interface ComfortWorld {
  serverId: string;
  owner: Record<string, string>;
  senders: { path: string; auth: Record<string, string> }[];
}

/** A server whose messages are exported, and another one where somebody writes. */
export async function createComfortWorld(stack: BenchStack, post: Post, messages: number): Promise<ComfortWorld> {
  const register = async (username: string) => {
    const account = AuthResponse.parse(await post("/auth/register", { username, password: "benchmark" }));
    return { authorization: `Bearer ${account.access_token}` };
  };
  const owner = await register("owner");
  const create = async (name: string) => {
    const server = Server.parse(await post("/servers", { name, is_public: true }, owner));
    return Channel.parse(await post(`/servers/${server.id}/channels`, { name }, owner));
  };
  const [archive, lively] = [await create("archive"), await create("lively")];
  await withPool(stack, async (pool) => {
    await pool.query("ALTER TABLE messages DISABLE TRIGGER USER");
    await pool.query(
      `INSERT INTO messages (channel_id, server_id, content)
        SELECT $1, $2, 'message ' || n || ' ' || md5(n::text) || repeat(' and so on', 5)
        FROM generate_series(1, $3::integer) AS n`,
      [archive.id, archive.server_id, messages],
    );
    await pool.query("ALTER TABLE messages ENABLE TRIGGER USER");
    await pool.query("VACUUM ANALYZE messages");
  });
  const senders = [];
  for (let n = 0; n < authors; n += 1) {
    const auth = await register(`author_${n}`);
    await post(`/servers/${lively.server_id}/join`, {}, auth);
    senders.push({ path: `/channels/${lively.id}/messages`, auth });
  }
  return { serverId: archive.server_id, owner, senders };
}
