import type { z } from "zod";
import { ok, type Success } from "../http/route.js";

/** A message that was sent, now or by an earlier request with the same nonce. */
export interface SendResult<M> {
  message: M;
  isNew: boolean;
}

/** The answer beside 201: nothing was sent, because the request is a repetition (docs/protocol/repetition.md#21). */
export const repeated = <S extends z.ZodType>(schema: S) =>
  ok(schema, "The message that an earlier request with the same nonce made, as it is now");

/** Answers 201 for a new message, 200 for one that was sent before. */
export function answerSent<M>({ message, isNew }: SendResult<M>, setStatus: (status: Success["status"]) => void): M {
  if (!isNew) setStatus(200);
  return message;
}
