import {
  type NoticeBody,
  type NoticeName,
  notices,
  type RequestBody,
  type RequestName,
  type RequestReply,
  requests,
} from "@parley/contracts";
import { continued, type MinimalLogger } from "@parley/service-runtime";
import type { Msg } from "nats";
import type { z } from "zod";
import type { Messaging } from "./connect.js";
import type { Consumption } from "./consume.js";
import { requestsInFlightMax } from "./limits.js";
import { readHeader } from "./subscribe.js";

/**
 * Answers requests, sharing them with the other processes of the service. Every request is answered: when the handler
 * fails, the body is malformed or too many are under way, with an empty answer, so that the caller does not wait for its
 * timeout.
 *
 * @param name entry of the registry `requests`
 */
export function respond<N extends RequestName>(
  messaging: Messaging,
  name: N,
  handler: (body: RequestBody<N>) => Promise<RequestReply<N>>,
  { logger }: { logger: MinimalLogger },
): Consumption {
  const { subject, request } = requests[name];
  return serve<RequestBody<N>>(messaging, { subject, schema: request, logger }, async (body, message) => {
    message.respond(JSON.stringify(await handler(body)));
  });
}

/**
 * Receives notices, sharing them with the other processes of the service.
 *
 * @param name entry of the registry `notices`
 */
export function receiveNotices<N extends NoticeName>(
  messaging: Messaging,
  name: N,
  handler: (body: NoticeBody<N>) => Promise<void>,
  { logger }: { logger: MinimalLogger },
): Consumption {
  const { subject, body } = notices[name];
  return serve<NoticeBody<N>>(messaging, { subject, schema: body, logger }, handler);
}

function serve<Body>(
  messaging: Messaging,
  source: { subject: string; schema: z.ZodType; logger: MinimalLogger },
  work: (body: Body, message: Msg) => Promise<void>,
): Consumption {
  const { subject, schema, logger } = source;
  const underWay = new Set<Promise<void>>();

  const run = async (message: Msg) => {
    try {
      await continued(
        (name) => readHeader(message.headers, name),
        subject,
        () => work(parseBody<Body>(schema, message.string()), message),
      );
    } catch (error) {
      logger.warn({ err: error, subject }, "a request was not answered");
      message.respond();
    }
  };
  const subscription = messaging.nats.subscribe(subject, {
    queue: subject,
    callback: (error, message) => {
      if (error !== null) return;
      if (underWay.size >= requestsInFlightMax) {
        message.respond();
        return;
      }
      const running = run(message).finally(() => underWay.delete(running));
      underWay.add(running);
    },
  });
  return {
    /** Receives nothing more, and resolves when the handlers under way are done. */
    async close() {
      if (!messaging.nats.isClosed() && messaging.connected) await subscription.drain();
      await Promise.all(underWay);
    },
  };
}

function parseBody<Body>(schema: z.ZodType, text: string): Body;
function parseBody(schema: z.ZodType, text: string): unknown {
  return schema.parse(JSON.parse(text));
}
