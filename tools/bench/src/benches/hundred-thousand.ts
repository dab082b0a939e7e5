import { bench } from "../bench.js";
import { benchPassive, quickSizes } from "../passive.js";

const sizes = { gateways: 8, connected: 100_000, viewing: 10_000, perSecond: 5, messages: 300, messagesMeanwhile: 150 };

/** 100,000 connections of one server; a gateway of eight dies, and its clients continue on the others. */
export default bench({ sizes, quick: { ...quickSizes, messagesMeanwhile: 10 } }, (chosen) =>
  benchPassive(chosen, true),
);
