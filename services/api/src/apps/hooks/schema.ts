import {
  clearableHttpUrl,
  EmbedInput,
  embedLimits,
  errorTexts,
  listOf,
  nameText,
  text,
  uuidInput,
} from "@parley/contracts";
import { z } from "zod";
import { embedsWith } from "../../conversations/messages/attached-pictures.js";
import type { AllowedMentions } from "../../conversations/messages/draft.js";
import type { ReceivedFile } from "../../platform/files/receive.js";
import { tidyDiscord } from "./convert/discord.js";

/** Entries of a list of Discord's `allowed_mentions`. */
const allowedMax = 100;
const names = listOf(z.string(), { max: allowedMax }).nullish();

const allowedMentions = z.object({ parse: names, users: names, roles: names }).transform(
  ({ parse, users, roles }): AllowedMentions => ({
    everyone: parse?.includes("everyone") ?? false,
    users: parse?.includes("users") === true ? true : (users ?? []),
    roles: parse?.includes("roles") === true ? true : (roles ?? []),
  }),
);

const fields = z.object({
  content: text({ min: 0, max: 4000, message: errorTexts.message_content_length }).nullish(),
  username: nameText({ min: 1, max: 80, message: errorTexts.hook_username_length }).nullish(),
  avatar_url: clearableHttpUrl("avatar_url").optional(),
  thread_id: uuidInput(errorTexts.thread_id_invalid).nullish(),
  allowed_mentions: allowedMentions.nullish(),
});

/** The body of an incoming webhook with these files. The bodies of Discord's webhooks fit: unknown keys are ignored. */
export const hookBodyWith = (files: readonly ReceivedFile[]) =>
  z.preprocess(tidyDiscord, fields.extend({ embeds: embedsWith(files) }));
/** The same without files. */
export const hookBody = hookBodyWith([]);
/** Fields of a form that are its body; those that no form can hold are refused by their names. */
export const hookFormFields = [...Object.keys(fields.shape), "embeds"];
export type HookBody = z.output<typeof hookBody>;
export const describedHookBody = fields.extend({ embeds: z.array(EmbedInput).max(embedLimits.embeds).nullish() });

export const hookQuery = z.object({
  wait: z.string().optional().meta({ description: "With `true` the answer is the message" }),
  thread_id: uuidInput(errorTexts.thread_id_invalid)
    .or(z.literal(""))
    .transform((id) => id || undefined)
    .optional()
    .meta({ description: "Root message of the thread to reply in; as in the body" }),
});
