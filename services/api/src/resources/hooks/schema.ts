import {
  clearableHttpUrl,
  EmbedInput,
  embedLimits,
  embedsInput,
  errorTexts,
  text,
  trimmedText,
  uuidInput,
} from "@parley/contracts";
import { z } from "zod";
import type { AllowedMentions } from "../messages/draft.js";

/** Pictures that are files of the same message, as other services name them: the files are shown anyway. */
const attached = /^attachment:\/\//i;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An embed without the pictures that name files of the message. */
function withoutAttached(embed: unknown): unknown {
  if (!isRecord(embed)) return embed;
  const names = (value: unknown, key: string) =>
    isRecord(value) && typeof value[key] === "string" && attached.test(value[key]);
  return Object.fromEntries(
    Object.entries(embed).map(([key, value]) => {
      if ((key === "image" || key === "thumbnail") && names(value, "url")) return [key, null];
      const hasIcon = (key === "author" || key === "footer") && isRecord(value) && names(value, "icon_url");
      return [key, hasIcon ? { ...value, icon_url: null } : value];
    }),
  );
}

const embeds = z.preprocess((value) => (Array.isArray(value) ? value.map(withoutAttached) : value), embedsInput);

const allowedMentions = z
  .object({ parse: z.array(z.string()).nullish(), users: z.array(z.string()).nullish() })
  .transform(
    ({ parse, users }): AllowedMentions => ({
      everyone: parse?.includes("everyone") ?? false,
      users: parse?.includes("users") === true ? true : (users ?? []),
    }),
  );

const fields = z.object({
  content: text({ min: 0, max: 4000, message: errorTexts.message_content_length }).nullish(),
  username: trimmedText({ min: 1, max: 80, message: errorTexts.hook_username_length }).nullish(),
  avatar_url: clearableHttpUrl("avatar_url").optional(),
  thread_id: uuidInput(errorTexts.thread_id_invalid).nullish(),
  allowed_mentions: allowedMentions.nullish(),
});

/** What is posted to an incoming webhook. The bodies of Discord's webhooks fit: unknown keys are ignored. */
export const hookBody = fields.extend({ embeds });
export type HookBody = z.output<typeof hookBody>;
export const describedHookBody = fields.extend({ embeds: z.array(EmbedInput).max(embedLimits.embeds).nullish() });

export const hookQuery = z.object({
  wait: z.string().optional().meta({ description: "With `true` the answer is the message" }),
  thread_id: uuidInput(errorTexts.thread_id_invalid)
    .optional()
    .meta({ description: "Root message of the thread to reply in; as in the body" }),
});
