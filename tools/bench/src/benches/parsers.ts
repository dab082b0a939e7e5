import { bench } from "../bench.js";
import { check, report, reportHead, reportRow } from "../measure.js";
import { deliveryInputs } from "../parsers/deliveries.js";
import { type Hold, measureHold } from "../parsers/holds.js";
import { hookInputs } from "../parsers/hooks.js";
import type { HostileInput } from "../parsers/hostile-input.js";
import { pageInputs } from "../parsers/pages.js";
import { requestInputs } from "../parsers/requests.js";
import { socketInputs } from "../parsers/sockets.js";
import { uploadInputs } from "../parsers/uploads.js";
import { wordInputs } from "../parsers/words.js";
import { startParserWorld } from "../parsers/world.js";

const goalMs = 20;
/** Fifty times the goal, since other processes may run beside; an input that is quadratic takes longer all the same. */
const heldMsMax = 1_000;
const nameOf = ({ parser, input }: HostileInput) => `${parser}: ${input}`;

/**
 * For every parser of bytes that strangers send, and inputs that were made to be slow for it, the longest time for
 * which they blocked the event loop of the real process. Other work of the process at that moment is part of it, so the
 * least of several rounds counts. Words choose the parsers and inputs whose name has one of them.
 */
export default bench(
  { sizes: { rounds: 5, enoughMs: 0 }, quick: { rounds: 3, enoughMs: heldMsMax }, words: true },
  async ({ rounds, enoughMs }, words) => {
    const world = await startParserWorld();
    const inputs = [
      ...pageInputs(world),
      ...uploadInputs(world),
      ...requestInputs(world),
      ...hookInputs(world),
      ...socketInputs(world),
      ...deliveryInputs(world),
      ...wordInputs(world),
    ];
    reportHead(["parser", "hostile input", "bytes", "answer", `event loop held (ms, least of ${rounds})`]);
    const holds: Hold[] = [];
    for (const input of inputs) {
      if (words.length > 0 && !words.some((word) => nameOf(input).includes(word))) continue;
      const hold = await measureHold(world, input, { rounds, enoughMs });
      holds.push(hold);
      const bytes = input.bytes.toLocaleString("en");
      reportRow([input.parser, input.input, bytes, hold.answer, hold.heldMs.toFixed(1)]);
    }
    const above = (ms: number) => holds.filter(({ heldMs }) => heldMs > ms).map(({ input }) => nameOf(input));
    report(`${above(goalMs).length} of ${holds.length} above ${goalMs} ms`);
    check(`what held an event loop for more than ${heldMsMax} ms`, above(heldMsMax), []);
    // Only bodies in tiny chunks have no answer: their connections are closed.
    const closed = holds.filter(({ input, answer }) => answer === "closed" && input.input !== "chunks of one byte");
    check(
      "inputs without an answer",
      closed.map(({ input }) => nameOf(input)),
      [],
    );
    await world.stop();
  },
);
