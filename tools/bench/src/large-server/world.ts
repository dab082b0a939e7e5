import { createAccessTokens } from "@parley/auth";
import { gatewayPaths } from "@parley/contracts";
import type { ServerProcess } from "@parley/local-stack";
import type pg from "pg";
import { z } from "zod";
import { createPoster, type Post } from "../poster.js";
import type { BenchStack } from "../stack.js";
import { createRoom, type Room } from "../world.js";

/** A server with many members, most of whom are offline. */
export interface LargeServer extends Room {
  readonly roleId: string;
}

/** The processes under measurement, and requests as any account. */
export interface LargeServerWorld {
  readonly stack: BenchStack;
  readonly pool: pg.Pool;
  readonly gateways: readonly [ServerProcess, ServerProcess];
  readonly call: (userId: string, method: string, path: string, body?: unknown) => Promise<unknown>;
  /** The path with which a user connects to a gateway. */
  readonly socketPath: (userId: string, query?: string) => string;
}

export async function startLargeServerWorld(stack: BenchStack, pool: pg.Pool): Promise<LargeServerWorld> {
  const api = await stack.start("api");
  const gateways = [await stack.start("gateway"), await stack.start("gateway")] as const;
  const tokens = createAccessTokens({ secret: stack.jwtSecret, ttlSeconds: 24 * 60 * 60 });
  const post: Post = createPoster(api.url);
  return {
    stack,
    pool,
    gateways,
    call: (userId, method, path, body = {}) =>
      post(path, body, { authorization: `Bearer ${tokens.issue({ userId })}` }, method),
    socketPath: (userId, query = "") => `${gatewayPaths[0]}?token=${tokens.issue({ userId })}&${query}`,
  };
}

/** The first user owns the server, the others joined one after another; a role is held by every tenth member, and every tenth channel is hidden from others. */
export async function createLargeServer(pool: pg.Pool, members: number, channels: number): Promise<LargeServer> {
  const room = await createRoom(pool, members);
  await pool.query("UPDATE servers SET is_public = true WHERE id = $1", [room.serverId]);
  await pool.query(
    "UPDATE members SET joined_at = now() - interval '1 day' + join_order * interval '10 ms' WHERE server_id = $1",
    [room.serverId],
  );
  await pool.query(
    "INSERT INTO channels (server_id, name, position) SELECT $1, 'channel-' || n, n FROM generate_series(2, $2::int) n",
    [room.serverId, channels],
  );
  const { rows } = await pool.query(
    "INSERT INTO roles (server_id, name, position, permissions) VALUES ($1, 'regular', 1, 3) RETURNING id",
    [room.serverId],
  );
  const [{ id: roleId }] = z.tuple([z.object({ id: z.string() })]).parse(rows);
  await pool.query(
    `INSERT INTO member_roles (server_id, user_id, role_id)
      SELECT $1, user_id, $2 FROM unnest($3::uuid[]) WITH ORDINALITY AS u (user_id, n) WHERE n % 10 = 0`,
    [room.serverId, roleId, room.userIds],
  );
  await pool.query(
    `INSERT INTO channel_overrides (channel_id, role_id, allow, deny)
      SELECT id, $2, 0, 1 FROM channels WHERE server_id = $1 AND position % 10 = 9`,
    [room.serverId, roleId],
  );
  await pool.query("ANALYZE");
  return { ...room, roleId };
}
