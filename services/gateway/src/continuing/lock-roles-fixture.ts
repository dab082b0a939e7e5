import type { GatewayFixture } from "../gateway-fixture.js";

/** Locks the table that the permissions of servers are read from; the result unlocks it. */
export async function lockRoles({ database }: GatewayFixture): Promise<() => Promise<unknown>> {
  let [release, locked] = [() => {}, () => {}];
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const isLocked = new Promise<void>((resolve) => {
    locked = resolve;
  });
  const transaction = database.prisma.$transaction(
    async (tx) => {
      await tx.$executeRawUnsafe("LOCK TABLE roles IN ACCESS EXCLUSIVE MODE");
      locked();
      await held;
    },
    { timeout: 170_000 },
  );
  await isLocked;
  return () => {
    release();
    return transaction;
  };
}
