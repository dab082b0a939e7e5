import { type Equipment, startEquippedStack } from "./equipped-stack.js";
import { startStack, type TestStack } from "./test-stack.js";

/** The parts of a shared stack that a test may use. */
export type SharedStack = Pick<TestStack, "edgeUrl" | "databaseUrl" | "jwtSecret" | "uploadDir" | "output"> & {
  readonly [Service in "apis" | "gateways"]: readonly { readonly url: string }[];
} & { readonly redis: { readonly url: string } };

/** The shared stack, and the targets of its settings. */
export type EquippedStack = SharedStack & Equipment;

/**
 * A stack of two processes of each service, shared by test files that run one after the other in one process. Every
 * setting that turns something on does so. It is for tests that need no other settings, stop nothing, and look only at
 * their own data: other tests' users, servers and connections are there too. Nobody stops it: it ends with the process,
 * and its database with the run.
 */
const equippedStack: () => Promise<StackWithDiscord> = share(startEquippedStack);
export const sharedStack: () => Promise<EquippedStack> = equippedStack;

/** The shared stack with the service for bots written for Discord; a file may start processes of it to end them. */
export type StackWithDiscord = EquippedStack & Pick<TestStack, "startDiscord" | "dismiss">;

/** The shared stack, and on it two processes of the service for bots written for Discord, which the first caller starts. */
export const sharedStackWithDiscord: () => Promise<StackWithDiscord> = share(async () => {
  const stack = await equippedStack();
  // Libraries connect to the address that the service names.
  await Promise.all([1, 2].map(() => stack.startDiscord({ env: { PUBLIC_URL: stack.edgeUrl } })));
  return stack;
});

/** One api without a mail server and one gateway, shared in the same way, for tests that run the jobs of mails themselves. */
export const sharedStackWithoutMail: () => Promise<SharedStack> = share(() => startStack({ apis: 1, gateways: 1 }));

function share<Stack>(start: () => Promise<Stack>): () => Promise<Stack> {
  let shared: Promise<Stack> | undefined;
  return async () => {
    shared ??= start();
    try {
      return await shared;
    } catch (error) {
      // The next file tries again.
      shared = undefined;
      throw error;
    }
  };
}
