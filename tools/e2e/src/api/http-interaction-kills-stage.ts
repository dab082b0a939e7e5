import { startStack, waitUntil } from "@parley/testing";
import { onTestFinished } from "vitest";
import { type AppStage, createAppStage } from "./app-stage.js";
import { answering, askAt, begin, readState } from "./http-app-stage.js";
import { type Answering, receiverOfTest } from "./webhook-receiver.js";

const beginEveryMs = 40;

const answer = answering(({ id }) => ({ type: "message", data: { content: id } }));
/** A bot that thinks for up to 200 ms: some requests are under way whenever a process ends. */
const thinking: Answering = (response, request) => {
  setTimeout(() => answer(response, request), (request.n * 37) % 200);
};

/** A stack with a bot that is asked by HTTP, for one test. */
export async function startAsking() {
  const stack = await startStack({ apis: 2, gateways: 1, webhookDispatchers: 2 });
  onTestFinished(stack.stop);
  const stage = await createAppStage(stack.edgeUrl, [{ name: "play", description: "Begins" }]);
  const receiver = await receiverOfTest(thinking);
  await askAt(stage.owner, stage.bot.id, receiver.url);
  return { stack, stage, receiver };
}

/** Begins interactions until `isOver`, at a constant rate; resolves with those that were accepted. */
export async function ask(stage: AppStage, isOver: () => boolean): Promise<string[]> {
  const begun: Promise<string | null>[] = [];
  const startedAt = performance.now();
  await waitUntil(
    () => {
      const due = (performance.now() - startedAt) / beginEveryMs;
      while (begun.length < due) begun.push(begin(stage, "play").catch(() => null));
      return isOver();
    },
    { timeoutMs: 600_000 },
  );
  return (await Promise.all(begun)).filter((id) => id !== null);
}

/** How each ended, once all have. */
export async function readEnds(stage: AppStage, ids: readonly string[]): Promise<Map<string, string>> {
  const ends = new Map<string, string>();
  const readAll = async () => {
    for (const id of ids.filter((each) => !ends.has(each))) {
      const { state } = await readState(stage, id);
      if (state === "answered" || state === "failed") ends.set(id, state);
    }
    return ends.size === ids.length;
  };
  await waitUntil(readAll, { timeoutMs: 20_000, what: "the end of every interaction" });
  return ends;
}
