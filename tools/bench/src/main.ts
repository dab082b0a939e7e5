import { report } from "./measure.js";

type Benchmark = (options: readonly string[], name: string) => Promise<void>;

const gateway: Benchmark = async (options, name) =>
  (await import("./gateway/benchmarks.js")).benchGateway(options, name);

/** Each benchmark by the name that the command line gives it. */
const benchmarks: Record<string, Benchmark> = {
  automod: async () => (await import("./automod.js")).benchAutomod(),
  bodies: async (options) => (await import("./parsers/bodies.js")).benchBodies(options),
  "client-limits": async (options) => (await import("./client-limits.js")).benchClientLimits(options),
  comforts: async (options) => (await import("./neighbours/comforts.js")).benchComforts(options),
  consumers: async () => (await import("./consumers.js")).benchConsumers(),
  gateway,
  "gateway-burst": gateway,
  "gateway-churn": gateway,
  "gateway-compression": gateway,
  "gateway-continue": gateway,
  "gateway-fanout": gateway,
  "gateway-idle": gateway,
  "gateway-latency": gateway,
  "gateway-ready": gateway,
  "hundred-thousand": async (options) => (await import("./passive.js")).benchHundredThousand(options),
  history: async () => (await import("./history.js")).benchHistory(),
  interactions: async (options) => (await import("./interactions.js")).benchInteractions(options),
  "large-server": async (options) => (await import("./large-server/large-server.js")).benchLargeServer(options),
  load: async (options) => (await import("./load/load.js")).benchLoad(options),
  memory: async (options) => (await import("./memory.js")).benchMemory(options),
  neighbours: async (options) => (await import("./neighbours/neighbours.js")).benchNeighbours(options),
  parsers: async (options) => (await import("./parsers/parsers.js")).benchParsers(options),
  passive: async (options) => (await import("./passive.js")).benchPassive(options),
  "post-message": async () => (await import("./post-message.js")).benchPostMessage(),
  push: async (options) => (await import("./push.js")).benchPush(options),
  raid: async (options) => (await import("./raid.js")).benchRaid(options),
  room: async (options) => (await import("./room.js")).benchRoom(options),
  search: async (options) => (await import("./search.js")).benchSearch(options),
  "stream-ceiling": async (options) => (await import("./stream-ceiling.js")).benchStreamCeiling(options),
  web: async () => (await import("./web/web.js")).benchWeb(),
  webhooks: async () => (await import("./webhooks.js")).benchWebhooks(),
};

// npm takes away the `--` before the name; who calls the script itself leaves it there.
const given = process.argv.slice(2);
const [name = "", ...options] = given[0] === "--" ? given.slice(1) : given;
const benchmark = benchmarks[name];
if (benchmark === undefined) {
  report(`Usage: npm run bench -- <name>, where <name> is one of: ${Object.keys(benchmarks).join(", ")}`);
  process.exit(name === "--help" ? 0 : 1);
}
await benchmark(options, name);
