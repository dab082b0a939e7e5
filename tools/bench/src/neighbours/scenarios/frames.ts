import { createRoom } from "../../world.js";
import { heartbeatProbe } from "../probe.js";
import type { Scenario } from "../scenario.js";

/** Of each connection, 7 bytes each: what one core of a client can do, and 20,000 times what a connection may send. */
const framesPerSecond = 400_000;

/** Four connections of one account send the smallest frames there are. */
export const frames: Scenario = {
  name: "frames",
  resource: "event loop of a gateway",
  hostile: "4 clients, 400,000 frames/s of 1 byte each",
  async prepare(world) {
    const { userIds } = await createRoom(world.pool, 1);
    const paths = Array.from({ length: 4 }, () => world.socketPath(userIds[0] ?? ""));
    return {
      probe: await heartbeatProbe(world),
      loads: () => [{ kind: "sockets", port: world.gateway.port, paths, texts: ["x"], perSecond: framesPerSecond }],
    };
  },
};
