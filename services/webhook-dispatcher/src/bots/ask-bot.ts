import type { HttpClient } from "../attempts/http-client.js";
import { attemptHeaders } from "../attempts/signature.js";
import { interactionAnswerBytesMax, interactionTimeoutMs } from "./limits.js";

/** A bot to be asked. */
export interface BotRequest {
  interactionId: string;
  /** The bot. */
  receiverId: string;
  /** The account that made it. */
  ownerId: string;
  url: string;
  secret: string;
  /** The interaction as JSON. */
  body: Buffer;
  /** When it expires, by `performance.now()`. */
  dueAt: number;
}

/** The outcome of a request, with the bot's answer. */
export interface BotReply {
  /** `later`: the answer comes by REST; `expired`: the interaction expired before the dispatcher could ask the bot. */
  outcome: "answered" | "later" | "failed" | "expired";
  /** From dialling to the end of the answer, or to the failure; 0 when nothing was sent. */
  durationMs: number;
  /** Text of the body of an answer, null for all others. */
  answer: string | null;
}

/** The result for an interaction that expired before the dispatcher could ask its bot. */
export const expired: BotReply = { outcome: "expired", durationMs: 0, answer: null };

/** Asks a bot once (docs/protocol/apps.md#25.3): signed as a delivery, bounded, no redirects. Never throws. */
export async function askBot(client: Pick<HttpClient, "ask">, request: BotRequest): Promise<BotReply> {
  const { interactionId: deliveryId, receiverId, ownerId, url, secret, body, dueAt } = request;
  const startedAt = performance.now();
  const timeoutMs = Math.min(interactionTimeoutMs, dueAt - startedAt);
  if (timeoutMs <= 0) return expired;
  const end = (outcome: BotReply["outcome"], answer: string | null = null): BotReply => ({
    outcome,
    durationMs: Math.round(performance.now() - startedAt),
    answer,
  });
  try {
    const headers = attemptHeaders({ receiverId, number: 1, secret, deliveryId, body });
    const answer = await client.ask({ url, ownerId, headers, body, timeoutMs, bytesMax: interactionAnswerBytesMax });
    if (answer.status === 204) return end("later");
    return answer.status >= 200 && answer.status < 300 ? end("answered", answer.body.toString("utf8")) : end("failed");
  } catch {
    return end("failed");
  }
}
