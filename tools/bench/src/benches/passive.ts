import { bench } from "../bench.js";
import { benchPassive, quickSizes } from "../passive.js";

const sizes = { gateways: 2, connected: 10_000, viewing: 1_000, perSecond: 20, messages: 600, messagesMeanwhile: 0 };

/** As `hundred-thousand`, with 10,000: all of them get everything, then they show channels. */
export default bench({ sizes, quick: quickSizes }, async (chosen) => {
  for (const isPassive of [false, true]) await benchPassive(chosen, isPassive);
});
