import { report } from "./measure.js";

/** Each benchmark by the name that the command line gives it. */
const benchmarks: Record<string, () => Promise<void>> = {
  automod: async () => (await import("./automod.js")).benchAutomod(),
  "post-message": async () => (await import("./post-message.js")).benchPostMessage(),
  webhooks: async () => (await import("./webhooks.js")).benchWebhooks(),
};

const [name = ""] = process.argv.slice(2);
const benchmark = benchmarks[name];
if (benchmark === undefined) {
  report(`Usage: npm run bench -- <name>, where <name> is one of: ${Object.keys(benchmarks).join(", ")}`);
  process.exit(1);
}
await benchmark();
