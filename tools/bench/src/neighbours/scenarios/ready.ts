import { caps } from "@parley/contracts";
import { connectGateway } from "@parley/testing/gateway-client";
import { createRoom } from "../../world.js";
import { readyProbe } from "../probe.js";
import type { Scenario } from "../scenario.js";
import { insertDirectChannels, insertFatAccounts, type Neighbourhood } from "../world.js";

/** A connection is closed when more than this is unsent (docs/interface.md#14.1); one READY alone must leave room. */
const readyBytesMax = 2_000_000;

/**
 * Eight connections of one account begin anew as soon as they have READY. The account has as many memberships as it
 * may,
 * and thousands of DM channels that strangers opened. By REST: 400 calls for the servers, one call for each DM channel.
 */
export const ready: Scenario = {
  name: "ready",
  resource: "READY",
  hostile: "8 sockets reconnect at once; 200 servers, thousands of DM channels with fat profiles",
  async prepare(world, sizes) {
    const { userIds } = await createRoom(world.pool, 1);
    const [userId = ""] = userIds;
    await insertMemberships(world, userId);
    await insertDirectChannels(world, userId, await insertFatAccounts(world, sizes.directChannels));
    const paths = Array.from({ length: 8 }, () => world.socketPath(userId));
    return {
      probe: await readyProbe(world),
      loads: () => [{ kind: "reconnects", port: world.gateway.port, paths }],
      bounds: async () => [
        { what: "bytes of that READY", counted: await readyBytes(world, paths[0] ?? ""), max: readyBytesMax },
      ],
    };
  },
};

async function insertMemberships({ pool }: Neighbourhood, userId: string): Promise<void> {
  await pool.query(
    `WITH made AS (
        INSERT INTO servers (name, owner_id) SELECT 'bench ' || n, $1 FROM generate_series(2, $2::int) n RETURNING id
      ), joined AS (INSERT INTO members (server_id, user_id) SELECT id, $1 FROM made)
      INSERT INTO channels (server_id, name, position) SELECT id, 'channel-' || n, n FROM made, generate_series(1, 5) n`,
    [userId, caps.memberships.max],
  );
  await pool.query("ANALYZE");
}

async function readyBytes({ gateway }: Neighbourhood, socketPath: string): Promise<number> {
  const [path = "", query = ""] = socketPath.split("?");
  const client = connectGateway(gateway.url, "", { path, query });
  await client.ready.finally(() => client.terminate());
  return Buffer.byteLength(client.frames[0] ?? "");
}
