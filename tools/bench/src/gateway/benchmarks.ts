import { type BenchStack, startBenchStack } from "../stack.js";
import { measureBurst, reportBurst } from "./burst.js";
import { measureChurn, reportChurn } from "./churn.js";
import { measureContinue } from "./continue.js";
import { reportContinue } from "./continue-report.js";
import { measureFanOut, reportFanOut } from "./fanout.js";
import { measureIdle, reportIdle } from "./idle.js";
import { measureLatency, reportLatency } from "./latency.js";
import { measureReady, reportReady } from "./ready.js";
import { fullSizes, type GatewaySizes, quickSizes } from "./sizes.js";

type Benchmark = (stack: BenchStack, sizes: GatewaySizes) => Promise<void>;

const pairOf =
  <Result>(
    measure: (stack: BenchStack, sizes: GatewaySizes) => Promise<Result>,
    print: (result: Result, sizes: GatewaySizes) => void,
  ): Benchmark =>
  async (stack, sizes) =>
    print(await measure(stack, sizes), sizes);

/** The goals of the gateway, each measured beside a naive loop and socket.io where they can do the same. */
const benchmarks = {
  "gateway-fanout": pairOf(measureFanOut, reportFanOut),
  "gateway-burst": pairOf(measureBurst, reportBurst),
  "gateway-idle": pairOf(measureIdle, reportIdle),
  "gateway-ready": pairOf(measureReady, reportReady),
  "gateway-continue": pairOf(measureContinue, reportContinue),
  "gateway-latency": pairOf(measureLatency, reportLatency),
  "gateway-churn": pairOf(measureChurn, reportChurn),
};
export type GatewayBenchmark = keyof typeof benchmarks;

/**
 * Runs benchmarks of the gateway, each on servers of its own.
 *
 * @param name one of them; all when left out
 * @param options `--quick` for sizes that only show that it works, `--minutes=<n>` for the length of the churn
 */
export async function benchGateway(options: readonly string[], name?: GatewayBenchmark): Promise<void> {
  const sizes = sizesOf(options);
  for (const [each, run] of Object.entries(benchmarks)) {
    if (name !== undefined && each !== name) continue;
    const stack = await startBenchStack();
    try {
      await run(stack, sizes);
    } finally {
      await stack.stop();
    }
  }
}

function sizesOf(options: readonly string[]): GatewaySizes {
  const sizes = options.includes("--quick") ? quickSizes : fullSizes;
  const minutes = Number(options.find((option) => option.startsWith("--minutes="))?.split("=")[1]);
  if (!(minutes > 0)) return sizes;
  return { ...sizes, churn: { ...sizes.churn, durationMs: minutes * 60_000 } };
}
