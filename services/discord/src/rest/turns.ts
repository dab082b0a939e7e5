import { type Database, defineStatement } from "@parley/database";
import { KeyedMutex } from "@parley/service-runtime";

const takeTurn = defineStatement({
  name: "discord_turn_take",
  text: "SELECT FROM pg_advisory_lock(hashtextextended('discord ' || $1::text, 0))",
});
const endTurn = defineStatement({
  name: "discord_turn_end",
  text: "SELECT FROM pg_advisory_unlock(hashtextextended('discord ' || $1::text, 0))",
});

/** Lets calls of one key run one after another, in all processes: what a call has read stays until it has written. */
export type Turns = ReturnType<typeof createTurns>;

export function createTurns({ database }: { database: Pick<Database, "sessions"> }) {
  // A key occupies at most one connection of the process.
  const mutex = new KeyedMutex();
  return <Result>(key: string, work: () => Promise<Result>): Promise<Result> =>
    mutex.run(key, async () => {
      const outcome = await database.sessions.run(async (session) => {
        await session.execute(takeTurn, [key]);
        // A refused call does not cost the connection.
        const [settled] = await Promise.allSettled([work()]);
        await session.execute(endTurn, [key]);
        return settled;
      });
      if (outcome.status === "rejected") throw outcome.reason;
      return outcome.value;
    });
}
