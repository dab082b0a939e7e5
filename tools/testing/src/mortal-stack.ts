import type { ServerProcess } from "@parley/local-stack";
import { afterAll, afterEach, beforeAll } from "vitest";
import { type Equipment, startEquippedStack } from "./equipped-stack.js";
import type { TestStack } from "./test-stack.js";
import { waitUntil } from "./wait-until.js";

/** A stack like the shared one, whose processes tests may stop, kill and start again. */
export type MortalStack = Omit<TestStack, "stop"> & Equipment;

let mortal: MortalStack | undefined;
/** The services that it was started with. */
let members: readonly ServerProcess[] = [];

/** Files run one after the other; one that comes after a start that failed tries again. */
async function mortalStack(): Promise<MortalStack> {
  if (mortal === undefined) {
    mortal = await startEquippedStack();
    members = servicesOf(mortal);
  }
  return mortal;
}

/**
 * Starts the stack for the tests of the file; all files that end processes share it. `stack` is there from `beforeAll`
 * on. Processes keep their ports and data when they are restarted. After each test every process of the stack runs and
 * is ready, or the test fails. Processes that the file starts besides end with it.
 */
export function useMortalStack(): { readonly stack: MortalStack } {
  let stack: MortalStack | undefined;
  beforeAll(async () => {
    stack = await mortalStack();
  });
  afterEach(async () => {
    if (stack !== undefined) await requireRunning(stack);
  });
  afterAll(async () => {
    if (stack === undefined) return;
    for (const service of servicesOf(stack)) if (!members.includes(service)) await stack.dismiss(service);
  });
  return {
    get stack() {
      if (stack === undefined) throw new Error("The stack is there from beforeAll on.");
      return stack;
    },
  };
}

function servicesOf({ apis, gateways, automods, webhookDispatchers }: MortalStack): ServerProcess[] {
  return [...apis, ...gateways, ...automods, ...webhookDispatchers];
}

/** Starts processes that a test has left dead for the next one all the same. */
async function requireRunning({ redis, nats }: MortalStack): Promise<void> {
  const dead = [redis, nats, ...members].filter((process) => !process.running());
  for (const process of dead) await process.restart();
  await Promise.all(members.map(becomesReady));
  if (dead.length > 0) throw new Error(`The test has left ${dead.map(({ name }) => name).join(", ")} dead.`);
}

async function becomesReady({ url, name }: ServerProcess): Promise<void> {
  const isReady = () =>
    fetch(`${url}/health/ready`, { headers: { connection: "close" } }).then(
      async (response) => (await response.text()) !== "" && response.status === 200,
      () => false,
    );
  await waitUntil(isReady, { what: `${name} to be ready` });
}
