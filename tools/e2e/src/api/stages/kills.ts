import { InteractionState } from "@parley/contracts";
import { type UserClient, waitUntil } from "@parley/testing";

/** A process that can be killed and started anew. */
interface Victim {
  kill(): Promise<unknown>;
  restart(): Promise<unknown>;
}

/** From one kill to the next, if the killed process is back by then. */
const killEveryMs = 700;

/** Kills one process after the other, each when the one before is back. @returns the number of kills */
export async function killInTurn(victims: readonly (Victim | undefined)[], seconds: number): Promise<number> {
  const startedAt = performance.now();
  let kills = 0;
  while (performance.now() < startedAt + seconds * 1_000) {
    const killedAt = performance.now();
    const victim = victims[kills % victims.length];
    await victim?.kill();
    kills += 1;
    await victim?.restart();
    await waitUntil(() => performance.now() >= killedAt + killEveryMs, { what: "the next kill" });
  }
  return kills;
}

/**
 * Does work at a constant rate, as far as it is finished.
 *
 * @param work gets its number, from 0; a failure ends it
 * @returns begins no more, and resolves when all that has begun has ended
 */
export function startSteadily(
  { perSecond, underWayMax }: { perSecond: number; underWayMax: number },
  work: (n: number) => Promise<void>,
): () => Promise<void> {
  const underWay = new Set<Promise<void>>();
  const startedAt = performance.now();
  let begun = 0;
  const timer = setInterval(() => {
    const due = ((performance.now() - startedAt) / 1_000) * perSecond;
    while (begun < due && underWay.size < underWayMax) {
      const working: Promise<void> = work(begun++)
        .catch(() => undefined)
        .then(() => void underWay.delete(working));
      underWay.add(working);
    }
  }, 5);
  return async () => {
    clearInterval(timer);
    await Promise.all(underWay);
  };
}

/** Waits until every interaction has ended. @returns for each of them how */
export async function endsOf(invoker: UserClient, ids: readonly string[]): Promise<Map<string, "answered" | "failed">> {
  const ended = new Map<string, "answered" | "failed">();
  const readAll = async () => {
    for (const id of ids.filter((each) => !ended.has(each))) {
      const found = await invoker.get(`/interactions/${id}`).catch(() => null);
      const state = found?.status === 200 ? found.expect(200, InteractionState).state : "pending";
      if (state === "answered" || state === "failed") ended.set(id, state);
    }
    return ended.size === ids.length;
  };
  await waitUntil(readAll, { what: "the end of every interaction" });
  return ended;
}
