import type { FileUrls, InteractionTokens } from "@parley/auth";
import { type NoticeBody, ServiceError } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { failInteraction } from "@parley/interactions";
import { type Consumption, type Messaging, receiveNotices, runOperation } from "@parley/messaging";
import type { Logger } from "@parley/service-runtime";
import { parseJson } from "../../platform/http/json-body.js";
import { type AnnounceState, toState } from "./announce.js";
import type { Answers } from "./answers.js";
import { answerCauses } from "./routes.js";
import { answerBody } from "./schema.js";

/**
 * Takes the answers of bots by HTTP as if they had come to the endpoint for answers (docs/protocol/apps.md#25.3). A
 * webhook-dispatcher asks once, so an invalid answer ends the interaction at once, unless another answer came
 * meanwhile.
 */
export function receiveHttpAnswers(options: {
  database: Database;
  messaging: Messaging;
  answers: Pick<Answers, "answer">;
  tokens: InteractionTokens;
  announce: AnnounceState;
  urls: FileUrls;
  logger: Logger;
}): Consumption {
  const { database, messaging, answers, tokens, announce, urls, logger } = options;

  const fail = async (id: string) => {
    const row = await failInteraction(database, id);
    if (row !== null) announce(row, await toState(database, row, urls));
  };

  const take = async ({ id, body }: NoticeBody<"interactionAnswered">): Promise<void> => {
    const answer = body === null ? null : readAnswer(body);
    if (answer === null) return fail(id);
    try {
      await answers.answer(id, tokens.issue(id), answer);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      await fail(id);
    }
  };

  const operation = { name: "answers by HTTP", causes: answerCauses };
  const takeAsOperation: typeof take = (notice) => runOperation(operation, () => take(notice));
  return receiveNotices(messaging, "interactionAnswered", takeAsOperation, { logger });
}

/** @returns null for an answer that the endpoint for answers would refuse, too */
function readAnswer(text: string) {
  try {
    return answerBody.parse(parseJson(text));
  } catch {
    return null;
  }
}
