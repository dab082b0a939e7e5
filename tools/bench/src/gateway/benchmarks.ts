import { numberOption } from "../measure.js";
import { type BenchStack, withStack } from "../stack.js";
import { measureBurst, reportBurst } from "./burst.js";
import { measureChurn, reportChurn } from "./churn.js";
import { measureCompression, reportCompression } from "./compression.js";
import { measureContinue, reportContinue } from "./continue.js";
import { measureFanOut, reportFanOut } from "./fanout.js";
import { measureIdle, reportIdle } from "./idle.js";
import { measureLatency, reportLatency } from "./latency.js";
import { measureReady, reportReady } from "./ready.js";
import { fullSizes, type GatewaySizes, quickSizes } from "./sizes.js";

const pairOf =
  <Result>(
    measure: (stack: BenchStack, sizes: GatewaySizes) => Promise<Result>,
    print: (result: Result, sizes: GatewaySizes) => void,
  ) =>
  async (stack: BenchStack, sizes: GatewaySizes) =>
    print(await measure(stack, sizes), sizes);

/** The goals of the gateway, each measured beside a naive loop and socket.io where they can do the same. */
const benchmarks = {
  "gateway-fanout": pairOf(measureFanOut, reportFanOut),
  "gateway-burst": pairOf(measureBurst, reportBurst),
  "gateway-idle": pairOf(measureIdle, reportIdle),
  "gateway-ready": pairOf(measureReady, reportReady),
  "gateway-continue": pairOf(measureContinue, reportContinue),
  "gateway-compression": pairOf(measureCompression, reportCompression),
  "gateway-latency": pairOf(measureLatency, reportLatency),
  "gateway-churn": pairOf(measureChurn, reportChurn),
};

/**
 * Runs benchmarks of the gateway, each on servers of its own.
 *
 * @param name one of them; all for `gateway`
 * @param options `--quick` for sizes that only show that it works, `--minutes=<n>` for the length of the churn
 */
export async function benchGateway(options: readonly string[], name: string): Promise<void> {
  const sizes = options.includes("--quick") ? quickSizes : fullSizes;
  const durationMs = numberOption(options, "minutes", sizes.churn.durationMs / 60_000) * 60_000;
  for (const [each, run] of Object.entries(benchmarks)) {
    if (name !== "gateway" && each !== name) continue;
    await withStack({}, (stack) => run(stack, { ...sizes, churn: { ...sizes.churn, durationMs } }));
  }
}
