import {
  codePointLength,
  errorTexts,
  isStorableText,
  listOf,
  mapOf,
  onboardingLimits,
  trimWhiteSpace,
  uuidInput,
} from "@parley/contracts";
import { z } from "zod";

const limits = onboardingLimits;

/** A text within bounds; the 400 names its path. */
const textWithin = (min: number, max: number) =>
  z
    .string()
    .refine((value) => isStorableText(value) && codePointLength(value) <= max && value.trim().length >= min)
    .meta({ ...(min > 0 ? { minLength: min } : {}), maxLength: max });

/** The same, without the blanks around it. */
const title = (max: number) => z.string().transform(trimWhiteSpace).pipe(textWithin(1, max));

/** Of what was read before; any other text makes a new one. */
const knownId = z.string().max(100).optional();
const ids = (max: number) => listOf(uuidInput(), { max }).transform((list) => [...new Set(list)]);

const option = z.object({
  id: knownId,
  title: title(limits.optionTitle),
  emoji: textWithin(0, limits.emoji)
    .nullish()
    .transform((emoji) => emoji || null),
  role_ids: ids(limits.rolesOfOption).default([]),
  channel_ids: ids(limits.channelsOfOption).default([]),
});

const question = z.object({
  id: knownId,
  title: title(limits.questionTitle),
  single: z.boolean().default(false),
  required: z.boolean().default(false),
  options: listOf(option, { max: limits.options }),
});

export const onboardingBody = z.object({
  enabled: z.boolean(),
  welcome: textWithin(0, limits.welcome)
    .nullish()
    .transform((welcome) => welcome || null),
  channels: listOf(
    z.object({ channel_id: uuidInput(), description: textWithin(0, limits.channelDescription).default("") }),
    {
      max: limits.channels,
    },
  ).default([]),
  questions: listOf(question, { max: limits.questions }).default([]),
});
export type PutOnboarding = z.infer<typeof onboardingBody>;

export const answersBody = z.object({
  answers: mapOf(z.string(), listOf(z.string(), { max: limits.options }), {
    max: limits.questions,
    error: () => errorTexts.field_invalid("answers"),
  }),
});
export type Answers = z.infer<typeof answersBody>["answers"];
