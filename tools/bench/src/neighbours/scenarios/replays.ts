import { connectGateway } from "@parley/testing/gateway-client";
import { z } from "zod";
import { startPublisher } from "../../gateway/publisher.js";
import { createRoom } from "../../world.js";
import { heartbeatProbe } from "../probe.js";
import type { Scenario } from "../scenario.js";
import type { Neighbourhood } from "../world.js";

/** Nearly as many as a replay may have (docs/interface.md#19.3). */
const missedEvents = 4_500;
const publishedPerSecond = 2_000;

/** Eight connections of one account continue from the same old cursor as soon as they have been sent everything. */
export const replays: Scenario = {
  name: "replays",
  resource: "event loop of a gateway",
  hostile: "8 sockets of one account continue over and over, with 4,500 events each",
  phaseMsMin: 7_000,
  async prepare(world) {
    const room = await createRoom(world.pool, 1);
    const path = `${world.socketPath(room.userIds[0] ?? "")}&s=`;
    const cursor = await firstCursor(world, path);
    const publisher = await startPublisher(world.stack.natsUrl);
    await publisher.publish(room, { perSecond: publishedPerSecond, isDone: (published) => published === missedEvents });
    await publisher.close();
    const paths = Array.from({ length: 8 }, () => path + encodeURIComponent(cursor));
    return {
      probe: await heartbeatProbe(world),
      // The last frame is RESUMED.
      loads: () => [{ kind: "reconnects", port: world.gateway.port, paths, frames: missedEvents + 1 }],
    };
  },
};

/** The cursor of READY. */
async function firstCursor({ gateway }: Neighbourhood, socketPath: string): Promise<string> {
  const [path = "", query = ""] = socketPath.split("?");
  const client = connectGateway(gateway.url, "", { path, query });
  await client.ready.finally(() => client.terminate());
  return z.object({ s: z.string() }).parse(JSON.parse(client.frames[0] ?? "")).s;
}
