import { Clients } from "../clients/clients.js";
import { cpuSeconds } from "../processes.js";
import { startProgram } from "../program.js";
import { resumableDialect } from "./contestants.js";
import type { ServerFunctions } from "./servers.js";

/**
 * What the machine allows: the clients of a server that dies come to another one, which does nothing but upgrade and
 * write so many events to each.
 *
 * @param options.processes as many of clients as in what is compared with it
 */
export async function measureFloor({
  paths,
  events,
  processes,
  writes,
}: {
  paths: readonly string[];
  events: number;
  processes: number;
  writes: "one" | "each";
}) {
  const [dying, other] = [startServer(), startServer()];
  const clients = new Clients(processes);
  try {
    await clients.connect({ port: await dying.call("resuming", 0, "each"), dialect: resumableDialect }, paths);
    const port = await other.call("resuming", events, writes);
    await dying.stop();
    const before = await cpuSeconds(other.pid);
    const continued = await clients.continue(port);
    const seconds = (await cpuSeconds(other.pid)) - before;
    /** Milliseconds of its processor, per connection. */
    return { writes, continued, cpuEachMs: (seconds / continued.answeredMs.length) * 1_000 };
  } finally {
    await Promise.all([clients.stop(), dying.stop(), other.stop()]);
  }
}

const startServer = () => startProgram<ServerFunctions>("gateway/servers");
