import {
  type NoticeBody,
  type NoticeName,
  notices,
  type RequestBody,
  type RequestName,
  requests,
} from "@parley/contracts";
import { stampHeaders, traced } from "@parley/service-runtime";
import { ErrorCode, NatsError } from "nats";
import type { z } from "zod";
import type { Messaging } from "./connect.js";
import { toHeaders } from "./publish.js";

/**
 * Sends a request to any one process of the service that answers it.
 *
 * @param name entry of the registry `requests`
 * @param timeoutMs how long to wait
 * @returns null without an answer in time, without a responder, without NATS, or when the answer is empty
 */
export async function request<N extends RequestName>(
  messaging: Messaging,
  name: N,
  body: RequestBody<N>,
  timeoutMs: number,
): Promise<z.output<(typeof requests)[N]["reply"]> | null> {
  if (!messaging.connected) return null;
  const { subject, reply }: { subject: string; reply: z.ZodType } = requests[name];
  try {
    const message = await traced(`ask ${name}`, {}, () =>
      messaging.nats.request(subject, JSON.stringify(body), { timeout: timeoutMs, headers: stampedHeaders() }),
    );
    return message.data.length === 0 ? null : parseReply<N>(reply, message.string());
  } catch (error) {
    if (isSilence(error)) return null;
    throw error;
  }
}

/** Sends a notice to one process of the receiving service; lost when none is subscribed. */
export function notify<N extends NoticeName>(messaging: Messaging, name: N, body: NoticeBody<N>): void {
  if (!messaging.connected) return;
  messaging.nats.publish(notices[name].subject, JSON.stringify(body), { headers: stampedHeaders() });
}

function stampedHeaders() {
  const values = {};
  stampHeaders(values);
  return toHeaders(values);
}

function parseReply<N extends RequestName>(schema: z.ZodType, text: string): z.output<(typeof requests)[N]["reply"]>;
function parseReply(schema: z.ZodType, text: string): unknown {
  return schema.parse(JSON.parse(text));
}

function isSilence(error: unknown): boolean {
  if (!(error instanceof NatsError)) return false;
  const silent: readonly string[] = [
    ErrorCode.Timeout,
    ErrorCode.NoResponders,
    ErrorCode.Disconnect,
    ErrorCode.ConnectionClosed,
    ErrorCode.ConnectionDraining,
  ];
  return silent.includes(error.code);
}
