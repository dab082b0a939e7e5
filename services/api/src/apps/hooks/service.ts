import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { hashToken } from "@parley/auth";
import {
  errorTexts,
  invalidInput,
  isBlank,
  isUuid,
  type MessageWebhook,
  notFound,
  rateLimited,
  type SentMessage,
} from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import type { RedisConnection } from "@parley/redis";
import { createTokenBucket } from "@parley/redis";
import { hasAppParts } from "../../conversations/messages/embeds.js";
import type { SendMessage } from "../../conversations/messages/send.js";
import type { SentFiles } from "../../platform/files/message-form.js";
import { type FormFiles, sendWithFiles } from "../../platform/files/send-with-files.js";
import { parse } from "../../platform/http/route.js";
import { findHook, type Hook } from "./repository.js";
import { type HookBody, hookBody, hookBodyWith, hookFormFields } from "./schema.js";

/** Posts to one incoming webhook: 5 in 2 seconds (docs/protocol/webhooks.md#25.5). */
const postsPerHook = { name: "incoming-webhook", ratePerSecond: 2.5, burst: 5 } as const;

/** Compared with where there is no incoming webhook, so that the answer takes as long. */
const nobodysHash = hashToken("");

export function createHookService(options: {
  database: Database;
  redis: RedisConnection;
  send: SendMessage;
  files: FormFiles;
}) {
  const { database, redis, send, files: formFiles } = options;
  const bucket = createTokenBucket({ redis, ...postsPerHook });

  /** @param threadId the thread of the address, which the one of the body comes before */
  const post = async (
    hook: Hook,
    body: HookBody,
    { threadId, files }: { threadId: string | undefined; files?: SentFiles | undefined },
  ) => {
    const { embeds, content: given } = body;
    const content = given ?? "";
    if (files === undefined && isBlank(content) && !hasAppParts({ embeds })) {
      throw invalidInput(errorTexts.message_content_length);
    }
    return send({
      authorId: hook.user_id,
      channelId: hook.channel_id,
      threadId: body.thread_id ?? threadId,
      content,
      embeds,
      mayEmbed: true,
      files,
      webhook: webhookOf(hook, body),
      allowedMentions: body.allowed_mentions ?? undefined,
    });
  };

  return {
    /**
     * Finds an incoming webhook for a post to it, and counts the post.
     *
     * @throws ServiceError 404 for a wrong id and a wrong token alike, 429 for one post too many
     */
    async admit(id: string, token: string): Promise<Hook> {
      const hook = isUuid(id) ? await findHook(database, id.toLowerCase()) : null;
      const given = Buffer.from(hashToken(token));
      const isRight = timingSafeEqual(given, Buffer.from(hook?.token_hash ?? nobodysHash));
      if (hook === null || !isRight) throw notFound(errorTexts.webhook_not_found);
      const { allowed, retryAfterSeconds } = await bucket.take(hook.id);
      if (!allowed) throw rateLimited("webhook_posts", errorTexts.rate_limited, retryAfterSeconds);
      return hook;
    },

    /** Sends a post in JSON. */
    async send(hook: Hook, payload: unknown, threadId?: string): Promise<SentMessage> {
      const { message } = await post(hook, parse<typeof hookBody>(hookBody, payload), { threadId });
      return message;
    },

    /** Sends a post with files, in a form that is not read yet. */
    async sendForm(hook: Hook, request: IncomingMessage, threadId?: string): Promise<SentMessage> {
      const { message } = await sendWithFiles(request, formFiles, {
        by: { authorId: hook.user_id, channelId: hook.channel_id },
        mayAttach: async () => true,
        parts: { isFile: () => true, fields: hookFormFields },
        send: (payload, files) => {
          const withFiles = files.received.length > 0 || !isMissing(files) ? files : undefined;
          const body = parse<typeof hookBody>(hookBodyWith(files.received), payload);
          return post(hook, body, { threadId, files: withFiles });
        },
      });
      return message;
    },
  };
}

/** Sends posts to incoming webhooks (docs/protocol/webhooks.md#25.5). */
export type HookService = ReturnType<typeof createHookService>;

/** Whether a form just has no files, which is none of a fault here. */
const isMissing = ({ rejection }: SentFiles) =>
  rejection instanceof Error && rejection.message === errorTexts.files_required;

const webhookOf = (hook: Hook, { username, avatar_url }: HookBody): MessageWebhook => ({
  id: hook.id,
  name: username ?? hook.name,
  avatar_url: avatar_url ?? hook.avatar_url,
});
