import { AuthResponse, Channel, Server } from "@parley/contracts";
import { createPoster } from "../poster.js";
import type { BenchStack } from "../stack.js";

/** Messages of the long channel. */
export const messages = 10_000;

/** An account, and two channels that it is in. */
export interface World {
  url: string;
  tokens: { accessToken: string; refreshToken: string };
  path: (channel: Channel) => string;
  long: Channel;
  short: Channel;
}

/** Makes the {@link World} of a stack whose edge is at `url`. */
export async function createWorld(stack: BenchStack, url: string): Promise<World> {
  const post = createPoster(`${url}/api`);
  const { access_token, refresh_token, user } = AuthResponse.parse(
    await post("/auth/register", { username: "bench", password: "benchmark" }),
  );
  const auth = { authorization: `Bearer ${access_token}` };
  const server = Server.parse(await post("/servers", { name: "bench" }, auth));
  const create = async (name: string) => Channel.parse(await post(`/servers/${server.id}/channels`, { name }, auth));
  const [long, short] = [await create("long"), await create("short")];
  await stack.pool.query(
    `INSERT INTO messages (channel_id, server_id, author_id, content)
      SELECT $1, $2, $3, 'Message ' || n || ' ' || repeat('with **some** words of \`text\` ', 1 + n % 7)
      FROM generate_series(1, $4::int) n`,
    [long.id, server.id, user.id, messages],
  );
  for (let number = 1; number <= 60; number += 1) {
    await post(`/channels/${short.id}/messages`, { content: `Reply ${number}` }, auth);
  }
  return {
    url,
    tokens: { accessToken: access_token, refreshToken: refresh_token },
    path: ({ id, server_id }) => `/app/servers/${server_id}/channels/${id}`,
    long,
    short,
  };
}
