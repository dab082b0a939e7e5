import { attachmentsMax, errorTexts, linkModes, ruleLimits, text, wordMatches } from "@parley/contracts";
import { z } from "zod";

/**
 * A list whose check ends at the first fault: an issue for each entry would make a long list slow.
 *
 * @param message text of the 400
 */
export function distinctOf<T>(entry: z.ZodType<T>, bounds: { min: number; max: number; message: string }) {
  const { min, max, message } = bounds;
  return z
    .array(z.unknown(), message)
    .min(min, message)
    .max(max, message)
    .transform((values, context) => {
      const entries: T[] = [];
      for (const value of values) {
        const { data } = entry.safeParse(value);
        if (data === undefined) {
          context.addIssue(message);
          return z.NEVER;
        }
        entries.push(data);
      }
      return [...new Set(entries)];
    })
    .meta({ type: "array", minItems: min, maxItems: max, items: { type: "string" } });
}

const count = (min: number, max: number, message: string) => z.int(message).min(min, message).max(max, message);

function wordsOf<T extends "words" | "name">(type: T) {
  const message = errorTexts.rule_words_invalid;
  const word = text({ min: 1, max: ruleLimits.wordLength, message });
  return z.object({
    type: z.literal(type),
    words: distinctOf(word, { min: 1, max: ruleLimits.words, message }),
    match: z.enum(wordMatches, message),
    allow: distinctOf(word, { min: 0, max: ruleLimits.words, message }).default([]),
  });
}

const pattern = text({ min: 1, max: ruleLimits.patternLength, message: errorTexts.rule_patterns_invalid });

/** A host as URLs have it: lower-case, in ASCII. A scheme, a path and a leading `*.` are left away. */
const domain = z
  .string()
  .max(2 * ruleLimits.domainLength)
  .transform((value, context) => {
    const host = value
      .trim()
      .replace(/^https?:\/\//i, "")
      .replace(/^(?:\*\.|\.)/, "");
    const hostname = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : "";
    if (hostname !== "" && hostname.length <= ruleLimits.domainLength && !/[@\s]/.test(host)) return hostname;
    context.addIssue(errorTexts.rule_links_invalid);
    return z.NEVER;
  });

const mimeType = z
  .string()
  .max(ruleLimits.mimeTypeLength)
  .transform((value) => value.toLowerCase())
  .pipe(z.string().regex(/^[a-z0-9.+-]+\/(?:[a-z0-9.+-]+|\*)$/));

const { rule_links_invalid, rule_repetition_invalid, rule_attachments_invalid, rule_caps_invalid } = errorTexts;

/** When a rule matches (docs/protocol/automod.md#24.8). */
export const trigger = z.discriminatedUnion(
  "type",
  [
    wordsOf("words"),
    z.object({
      type: z.literal("regex"),
      patterns: distinctOf(pattern, { min: 1, max: ruleLimits.patterns, message: errorTexts.rule_patterns_invalid }),
    }),
    z.object({
      type: z.literal("links"),
      domains: distinctOf(domain, { min: 0, max: ruleLimits.domains, message: rule_links_invalid }).default([]),
      mode: z.enum(linkModes, rule_links_invalid),
    }),
    z.object({ type: z.literal("invites") }),
    z.object({ type: z.literal("mentions"), max: count(1, 50, errorTexts.rule_mentions_invalid) }),
    z.object({
      type: z.literal("repetition"),
      max: count(2, 20, rule_repetition_invalid),
      window_secs: count(1, 600, rule_repetition_invalid),
    }),
    z
      .object({
        type: z.literal("attachments"),
        mime_types: distinctOf(mimeType, {
          min: 0,
          max: ruleLimits.mimeTypes,
          message: rule_attachments_invalid,
        }).default([]),
        max: count(0, attachmentsMax, rule_attachments_invalid).optional(),
      })
      .refine(({ mime_types, max }) => mime_types.length > 0 || max !== undefined, rule_attachments_invalid),
    z.object({
      type: z.literal("caps"),
      min_length: count(5, 200, rule_caps_invalid),
      percent: count(50, 100, rule_caps_invalid),
    }),
    wordsOf("name"),
  ],
  { error: errorTexts.rule_trigger_invalid },
);
