import { AuthResponse, Channel, Server } from "@parley/contracts";
import { createPoster } from "../poster.js";
import type { BenchStack } from "../stack.js";

/** Messages of the long channel. */
export const messages = 10_000;

/** Messages of the channel to which others come. */
export const busyMessages = 200;

/** An account, and two channels that it is in. */
export interface World {
  url: string;
  tokens: { accessToken: string; refreshToken: string };
  path: (channel: Channel) => string;
  long: Channel;
  short: Channel;
  /** With 200 messages, to which another member sends more by `say`. */
  busy: Channel;
  say: (content: string) => Promise<unknown>;
}

/** Makes the {@link World} of a stack whose edge is at `url`. */
export async function createWorld(stack: BenchStack, url: string): Promise<World> {
  const post = createPoster(`${url}/api`);
  const { access_token, refresh_token, user } = AuthResponse.parse(
    await post("/auth/register", { username: "bench", password: "benchmark" }),
  );
  const auth = { authorization: `Bearer ${access_token}` };
  const server = Server.parse(await post("/servers", { name: "bench", is_public: true }, auth));
  const other = AuthResponse.parse(await post("/auth/register", { username: "other", password: "benchmark" }));
  const authOfOther = { authorization: `Bearer ${other.access_token}` };
  await post(`/servers/${server.id}/join`, {}, authOfOther);
  const create = async (name: string) => Channel.parse(await post(`/servers/${server.id}/channels`, { name }, auth));
  const [long, short, busy] = [await create("long"), await create("short"), await create("busy")];
  for (const [channel, count] of [
    [long, messages],
    [busy, busyMessages],
  ] as const) {
    await stack.pool.query(
      `INSERT INTO messages (channel_id, server_id, author_id, content)
        SELECT $1, $2, $3, 'Message ' || n || ' ' || repeat('with **some** words of \`text\` ', 1 + n % 7)
        FROM generate_series(1, $4::int) n`,
      [channel.id, server.id, user.id, count],
    );
  }
  for (let number = 1; number <= 60; number += 1) {
    await post(`/channels/${short.id}/messages`, { content: `Reply ${number}` }, auth);
  }
  return {
    url,
    tokens: { accessToken: access_token, refreshToken: refresh_token },
    path: ({ id, server_id }) => `/app/servers/${server_id}/channels/${id}`,
    long,
    short,
    busy,
    say: (content) => post(`/channels/${busy.id}/messages`, { content }, authOfOther),
  };
}
