import type { HostileInput } from "./hostile-input.js";
import type { ParserWorld } from "./world.js";

/** The effect of an input on the process that parsed it. */
export interface Hold {
  readonly input: HostileInput;
  /** The status or frame that answered it. */
  readonly answer: string;
  /** The longest time in milliseconds for which it held the event loop; of several rounds the least. */
  readonly heldMs: number;
}

/** @param options.enoughMs ends the rounds with one that held it no longer */
export async function measureHold(
  world: ParserWorld,
  input: HostileInput,
  { rounds, enoughMs = 0 }: { rounds: number; enoughMs?: number },
): Promise<Hold> {
  let heldMs = Number.POSITIVE_INFINITY;
  let answer = "";
  for (let round = 0; round < rounds && heldMs > enoughMs; round += 1) {
    await world.longestHold(input.service);
    answer = await input.send();
    heldMs = Math.min(heldMs, await world.longestHold(input.service));
  }
  return { input, answer, heldMs };
}
