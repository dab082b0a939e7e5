import { startStack, type TestStack } from "./test-stack.js";

/** What a test may use of a stack that is not its own. */
export type SharedStack = Pick<TestStack, "edgeUrl" | "databaseUrl" | "jwtSecret"> & {
  readonly [Service in "apis" | "gateways"]: readonly { readonly url: string }[];
};

let shared: Promise<SharedStack> | undefined;

/**
 * The stack of two processes of each service that test files share which run one after the other in one process. It is for
 * tests that need no settings, stop nothing, and look only at what they have made: other tests' users, servers and
 * connections are there too. Nobody stops it: it ends with the process, and its database with the run.
 */
export function sharedStack(): Promise<SharedStack> {
  shared ??= startStack({ apis: 2, gateways: 2, automods: 2, webhookDispatchers: 2 });
  return shared;
}
