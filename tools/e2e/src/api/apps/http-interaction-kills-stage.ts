import { type SharedStack, waitUntil } from "@parley/testing";
import { onTestFinished } from "vitest";
import { runSql } from "../stages/admin-stage.js";
import { type AppStage, createAppStage } from "../stages/app-stage.js";
import { type Answering, receiverOfTest } from "../stages/webhook-receiver.js";
import { answering, askAt, begin, readState } from "./http-app-stage.js";

const beginEveryMs = 40;
/** Most beginnings that wait for an api: a slow machine has a lower rate and not a backlog. */
const beginningMax = 5;

const answer = answering(({ id }) => ({ type: "message", data: { content: id } }));
/** A bot that thinks for up to 200 ms: some requests are under way whenever a process ends. */
const thinking: Answering = (response, request) => {
  setTimeout(() => answer(response, request), (request.n * 37) % 200);
};

/** A bot that is asked by HTTP, for one test. */
export async function startAsking(stack: SharedStack) {
  const stage = await createAppStage(stack.edgeUrl, [{ name: "play", description: "Begins" }]);
  const receiver = await receiverOfTest(thinking);
  await askAt(stage.owner, stage.bot.id, receiver.url);
  return { stage, receiver };
}

/** Stops the time of the interactions that begin from now on, so that a slow machine fails none. */
export async function stopTime({ databaseUrl }: SharedStack) {
  const sql = (text: string) => runSql(databaseUrl, text);
  onTestFinished(async () => {
    await sql("DROP FUNCTION IF EXISTS stop_time CASCADE");
  });
  await sql(`CREATE FUNCTION stop_time() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN NEW.due_at := NEW.due_at + interval '1 hour'; RETURN NEW; END $$`);
  await sql("CREATE TRIGGER stop_time BEFORE INSERT ON interactions FOR EACH ROW EXECUTE FUNCTION stop_time()");
  const leave = (time: string) => sql(`UPDATE interactions SET due_at = now() + ${time} WHERE state = 'pending'`);
  return {
    /** Lets it pass for all that have no answer. */
    pass: () => leave("interval '0'"),
    /** Leaves them so little time that an api notifies the dispatchers of them again. */
    leaveSome: () => leave("interval '2.5 seconds'"),
  };
}

/** Begins interactions until `isOver`, at a constant rate at most; resolves with those that were accepted. */
export async function ask(stage: AppStage, isOver: () => boolean): Promise<string[]> {
  const begun: Promise<string | null>[] = [];
  let beginning = 0;
  const beginOne = async () => {
    beginning += 1;
    try {
      return await begin(stage, "play");
    } catch {
      return null;
    } finally {
      beginning -= 1;
    }
  };
  const startedAt = performance.now();
  await waitUntil(
    () => {
      const due = (performance.now() - startedAt) / beginEveryMs;
      while (begun.length < due && beginning < beginningMax) begun.push(beginOne());
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
  await waitUntil(readAll, { what: "the end of every interaction" });
  return ends;
}
