import type { DescribedOperation } from "@parley/testing";

/** An endpoint and its answer. */
export interface Visited<A> {
  readonly operation: DescribedOperation;
  readonly answer: A;
}

/** Requests at once: less than an api lets one caller wait for. */
const visitsAtOnce = 4;

/** Sends the same to each endpoint; answers come in the order of the endpoints. */
export async function walk<A>(
  operations: readonly DescribedOperation[],
  send: (operation: DescribedOperation) => Promise<A>,
): Promise<Visited<A>[]> {
  const visited: Visited<A>[] = [];
  const left = operations.entries();
  const visitSome = async () => {
    for (const [at, operation] of left) visited[at] = { operation, answer: await send(operation) };
  };
  await Promise.all(Array.from({ length: visitsAtOnce }, visitSome));
  return visited;
}

/** A walk that several tests observe: the first of them takes it. */
export function walkOnce<A>(take: () => Promise<A>): () => Promise<A> {
  let taken: Promise<A> | undefined;
  return () => {
    taken ??= take();
    return taken;
  };
}
