import { report } from "../measure.js";
import { deliveryInputs } from "./deliveries.js";
import { hookInputs } from "./hooks.js";
import type { HostileInput } from "./hostile-input.js";
import { pageInputs } from "./pages.js";
import { requestInputs } from "./requests.js";
import { socketInputs } from "./sockets.js";
import { uploadInputs } from "./uploads.js";
import { wordInputs } from "./words.js";
import { type ParserWorld, startParserWorld } from "./world.js";

const rounds = 5;
const goalMs = 20;

/** What an input did to the process that parsed it. */
export interface Hold {
  readonly input: HostileInput;
  /** The status or frame that answered it. */
  readonly answer: string;
  /** The longest time in milliseconds for which it held the event loop; of several rounds the least. */
  readonly heldMs: number;
}

/**
 * For every parser of bytes that strangers send, and inputs that were made to be slow for it, the longest time for which
 * the event loop of the real process was held. Whatever else the process did at that moment is part of it, so of several
 * rounds the least counts.
 *
 * @param options words that the name of a parser or an input must have one of; all without any
 */
export async function benchParsers(options: readonly string[]): Promise<void> {
  const world = await startParserWorld();
  try {
    report(
      `| parser | hostile input | bytes | answer | event loop held (ms, least of ${rounds}) |\n|---|---|---|---|---|`,
    );
    const holds: Hold[] = [];
    for (const input of inputsOf(world)) {
      const name = `${input.parser}: ${input.input}`;
      if (options.length > 0 && !options.some((option) => name.includes(option))) continue;
      const hold = await measureHold(world, input, { times: rounds });
      holds.push(hold);
      report(rowOf(hold));
    }
    const above = holds.filter(({ heldMs }) => heldMs > goalMs);
    report(`${above.length} of ${holds.length} above ${goalMs} ms`);
  } finally {
    await world.stop();
  }
}

/** Every input, by the parser that it is for. */
export function inputsOf(world: ParserWorld): HostileInput[] {
  return [
    ...pageInputs(world),
    ...uploadInputs(world),
    ...requestInputs(world),
    ...hookInputs(world),
    ...socketInputs(world),
    ...deliveryInputs(world),
    ...wordInputs(world),
  ];
}

/** @param options.enoughMs ends the rounds with one that held it no longer */
export async function measureHold(
  world: ParserWorld,
  input: HostileInput,
  { times, enoughMs = 0 }: { times: number; enoughMs?: number },
): Promise<Hold> {
  let heldMs = Number.POSITIVE_INFINITY;
  let answer = "";
  for (let round = 0; round < times && heldMs > enoughMs; round += 1) {
    await world.longestHold(input.service);
    answer = await input.send();
    heldMs = Math.min(heldMs, await world.longestHold(input.service));
  }
  return { input, answer, heldMs };
}

export function rowOf({ input: { parser, input, bytes }, answer, heldMs }: Hold): string {
  return `| ${[parser, input, bytes.toLocaleString("en"), answer, heldMs.toFixed(1)].join(" | ")} |`;
}
