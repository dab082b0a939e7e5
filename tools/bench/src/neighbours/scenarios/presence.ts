import { caps, clientMessagesPerSecondMax } from "@parley/contracts";
import { createRoom } from "../../world.js";
import { presenceProbe } from "../probe.js";
import type { Scenario } from "../scenario.js";

const sockets = 8;

/** A member of as many servers as one may be in changes status as often as eight connections may. */
export const presence: Scenario = {
  name: "presence",
  resource: "presence",
  hostile: "a member of 200 servers changes status on 8 sockets, 20/s each",
  async prepare(world) {
    const { userIds } = await createRoom(world.pool, 1);
    const [userId = ""] = userIds;
    await world.pool.query(
      `WITH made AS (
          INSERT INTO servers (name, owner_id) SELECT 'bench ' || n, $1 FROM generate_series(2, $2::int) n RETURNING id
        ) INSERT INTO members (server_id, user_id) SELECT id, $1 FROM made`,
      [userId, caps.memberships.max],
    );
    const texts = ["away", "dnd"].map((status) => JSON.stringify({ op: "PRESENCE_UPDATE", d: { status } }));
    const paths = Array.from({ length: sockets }, () => world.socketPath(userId));
    return {
      probe: await presenceProbe(world),
      loads: () => [{ kind: "sockets", port: world.gateway.port, paths, texts, perSecond: clientMessagesPerSecondMax }],
    };
  },
};
