import { caps, permissionBits } from "@parley/contracts";
import { createRoom } from "../../world.js";
import { messageProbe } from "../probe.js";
import type { Scenario } from "../scenario.js";
import { allowances } from "../sizes.js";
import { insertOwningBot, type Neighbourhood } from "../world.js";

/**
 * The bot that owns the largest possible server changes a role and posts in turns: at each change gateways work out anew who sees what.
 * By REST its channels, roles and overrides are 50,750 calls: 17 minutes of a bot.
 */
export const roleChanges: Scenario = {
  name: "role-changes",
  resource: "event loop of a gateway",
  hostile: "500 channels × 100 overrides, 250 roles; role change and post in turns, 50/s",
  async prepare(world) {
    const room = await createRoom(world.pool, 1);
    const bot = await insertOwningBot(world, room);
    const [roleId] = await insertStructure(world, room.serverId);
    const server = `${world.api.url}/servers/${room.serverId}`;
    const colors = ["#111111", "#222222"].map((color) => ({
      method: "PATCH",
      url: `${server}/roles/${roleId}`,
      headers: bot.headers,
      body: JSON.stringify({ color }),
    }));
    const post = {
      method: "POST",
      url: `${world.api.url}/channels/${room.channelId}/messages`,
      headers: bot.headers,
      body: '{"content":"hostile"}',
    };
    const requests = colors.flatMap((change) => [change, post]);
    const member = { kind: "sockets", port: world.gateway.port, texts: [], perSecond: 0 } as const;
    return {
      probe: await messageProbe(world),
      loads: () => [
        { ...member, paths: [world.socketPath(room.userIds[0] ?? "")] },
        { kind: "requests", requests, perSecond: allowances.botPerSecond, inFlightMax: 50 },
      ],
    };
  },
};

/** As many channels, roles and overrides as a server may have; every override hides the channel from a role. */
async function insertStructure({ pool }: Neighbourhood, serverId: string): Promise<string[]> {
  await pool.query(
    "INSERT INTO roles (server_id, name, position) SELECT $1, 'role ' || n, n FROM generate_series(1, $2::int) n",
    [serverId, caps.roles.max],
  );
  await pool.query(
    "INSERT INTO channels (server_id, name, position) SELECT $1, 'channel-' || n, n FROM generate_series(2, $2::int) n",
    [serverId, caps.channels.max],
  );
  await pool.query(
    `INSERT INTO channel_overrides (channel_id, role_id, allow, deny)
      SELECT c.id, r.id, 0, $3 FROM channels c, roles r
      WHERE c.server_id = $1 AND r.server_id = $1 AND r.position <= $2`,
    [serverId, caps.overrides.max, permissionBits.VIEW_CHANNEL],
  );
  await pool.query("ANALYZE");
  const { rows } = await pool.query<{ id: string }>("SELECT id FROM roles WHERE server_id = $1", [serverId]);
  return rows.map(({ id }) => id);
}
