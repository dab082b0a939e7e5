import { report } from "./measure.js";

type Options = readonly string[];

const gateway = async (options: Options, name?: import("./gateway/benchmarks.js").GatewayBenchmark) =>
  (await import("./gateway/benchmarks.js")).benchGateway(options, name);

/** Each benchmark by the name that the command line gives it. */
const benchmarks: Record<string, (options: Options) => Promise<void>> = {
  automod: async () => (await import("./automod.js")).benchAutomod(),
  "client-limits": async (options) => (await import("./client-limits.js")).benchClientLimits(options),
  comforts: async (options) => (await import("./comforts.js")).benchComforts(options),
  consumers: async () => (await import("./consumers.js")).benchConsumers(),
  gateway: (options) => gateway(options),
  "gateway-burst": (options) => gateway(options, "gateway-burst"),
  "gateway-churn": (options) => gateway(options, "gateway-churn"),
  "gateway-continue": (options) => gateway(options, "gateway-continue"),
  "gateway-fanout": (options) => gateway(options, "gateway-fanout"),
  "gateway-idle": (options) => gateway(options, "gateway-idle"),
  "gateway-latency": (options) => gateway(options, "gateway-latency"),
  "gateway-ready": (options) => gateway(options, "gateway-ready"),
  "large-server": async (options) => (await import("./large-server/large-server.js")).benchLargeServer(options),
  neighbours: async (options) => (await import("./neighbours/neighbours.js")).benchNeighbours(options),
  parsers: async (options) => (await import("./parsers/parsers.js")).benchParsers(options),
  "post-message": async () => (await import("./post-message.js")).benchPostMessage(),
  "stream-ceiling": async (options) => (await import("./stream-ceiling.js")).benchStreamCeiling(options),
  web: async () => (await import("./web.js")).benchWeb(),
  webhooks: async () => (await import("./webhooks.js")).benchWebhooks(),
};

const [name = "", ...options] = process.argv.slice(2);
const benchmark = benchmarks[name];
if (benchmark === undefined) {
  report(`Usage: npm run bench -- <name>, where <name> is one of: ${Object.keys(benchmarks).join(", ")}`);
  process.exit(1);
}
await benchmark(options);
