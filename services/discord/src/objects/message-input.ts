import { MessageFlags } from "discord-api-types/v10";
import { z } from "zod";
import { unsupported } from "../rest/errors.js";
import { snowflakeInput } from "../rest/input.js";
import {
  type AllowedMentions,
  allMentions,
  type NamedIds,
  type NamesById,
  namedIds,
  toOwnText,
} from "../text/to-own.js";
import { componentInput, emojiInput, fromComponents, withEmoji } from "./component-input.js";
import { embedInput, fromEmbed, picturesOfEmbed, textsOfEmbed } from "./embed-input.js";

const contentLengthMax = 4_000;
/** People or roles that a message names as those whom it may mention. */
const mentionedMax = 100;
const nonceLengthMax = 25;
const pollInput = z.object({
  question: z.object({ text: z.string() }),
  answers: z.array(z.object({ poll_media: z.object({ text: z.string().nullish(), emoji: emojiInput }) })),
  allow_multiselect: z.boolean().nullish(),
  /** Hours. */
  duration: z.int().min(1).max(768).nullish(),
});

/** A message as bots send it, to a channel, an interaction or a webhook. */
export const messageInput = z.object({
  content: z
    .union([z.string(), z.number().transform(String)])
    .pipe(z.string().max(contentLengthMax))
    .nullish(),
  embeds: z.array(embedInput).max(10).nullish(),
  embed: embedInput.nullish(),
  components: z.array(componentInput).nullish(),
  allowed_mentions: z
    .object({
      parse: z.array(z.enum(["users", "roles", "everyone"])).nullish(),
      users: z.array(snowflakeInput).max(mentionedMax).nullish(),
      roles: z.array(snowflakeInput).max(mentionedMax).nullish(),
      replied_user: z.boolean().nullish(),
    })
    .superRefine((allowed, context) => {
      for (const kind of ["users", "roles"] as const) {
        if (!allowed.parse?.includes(kind) || !allowed[kind]?.length) continue;
        const message = `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`;
        context.addIssue({ code: "custom", message, params: { code: "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE" } });
      }
    })
    .nullish(),
  message_reference: z
    .object({
      message_id: snowflakeInput.nullish(),
      channel_id: snowflakeInput.nullish(),
      type: z.int().nullish(),
      fail_if_not_exists: z.boolean().nullish(),
    })
    .nullish(),
  nonce: z.union([z.string().max(nonceLengthMax), z.int()]).nullish(),
  enforce_nonce: z.boolean().nullish(),
  flags: z.int().nullish(),
  poll: pollInput.nullish(),
  username: z.string().nullish(),
  avatar_url: z.string().nullish(),
});
export type MessageInput = z.output<typeof messageInput>;

/** The parts of a message in our form; parts that were not sent are undefined. */
export interface OwnParts {
  readonly content?: string | undefined;
  readonly embeds?: readonly object[] | null | undefined;
  readonly components?: readonly object[][] | null | undefined;
}

interface Read {
  readonly content: string | null | undefined;
  readonly embeds: z.output<typeof embedInput>[] | null | undefined;
  readonly rows: object[][] | null | undefined;
}

/** With the newer kinds of components as embeds, rows and content. */
function readParts({ content, embeds, embed, components, flags }: MessageInput): Read {
  const listed = embeds ?? (embed ? [embed] : embeds);
  if (!components) return { content, embeds: listed, rows: components };
  const { rows, texts, embeds: more } = fromComponents(components);
  const isNewer = ((flags ?? 0) & MessageFlags.IsComponentsV2) !== 0;
  if (!isNewer && texts.length + more.length === 0) return { content, embeds: listed, rows };
  return { content: texts.join("\n"), embeds: z.array(embedInput).parse(more), rows };
}

/** The ids in a message, to be looked up before {@link fromMessage}. */
export function namedInMessage(input: MessageInput): NamedIds {
  const { content, embeds } = readParts(input);
  return namedIds([content ?? "", ...(embeds ?? []).flatMap(textsOfEmbed)]);
}

/** The addresses of pictures in a message, to be looked up before {@link fromMessage}. */
export const picturesInMessage = (input: MessageInput) => [
  input.avatar_url,
  ...(readParts(input).embeds ?? []).flatMap(picturesOfEmbed),
];

/** What a message of a bot needs to be written in our form. */
export interface MessageWriting {
  readonly names: NamesById;
  /** Own addresses of pictures, by those of Discord's CDN. */
  readonly pictures: ReadonlyMap<string, string>;
  /** Its files are sent with it, so that its embeds may show them. */
  readonly hasFiles: boolean;
}

export function fromMessage(input: MessageInput, { names, pictures, hasFiles }: MessageWriting): OwnParts {
  const { content, embeds, rows } = readParts(input);
  const allowed = allowedOf(input);
  const write = {
    text: (text: string) => toOwnText(text, names),
    picture: (address: string) =>
      address.startsWith("attachment://") && !hasFiles ? null : (pictures.get(address) ?? address),
  };
  return {
    content: content === undefined ? undefined : toOwnText(content ?? "", names, allowed),
    embeds: embeds?.map((embed) => fromEmbed(embed, write)) ?? embeds,
    components: rows,
  };
}

function allowedOf({ allowed_mentions }: MessageInput): AllowedMentions {
  if (!allowed_mentions) return allMentions;
  const { parse, users, roles } = allowed_mentions;
  const kinds = parse ?? [];
  return {
    everyone: kinds.includes("everyone"),
    users: kinds.includes("users") ? null : new Set(users ?? []),
    roles: kinds.includes("roles") ? null : new Set(roles ?? []),
  };
}

/** Longest time to the end of a poll (docs/protocol/messages.md#34.7). */
const pollMinutesMax = 43_200;

/** Polls here have a question and options, and nothing beside them. @throws DiscordError 50035 */
export function requirePollAlone(input: MessageInput, files: number): void {
  const others = {
    content: input.content?.trim(),
    embeds: input.embeds?.length || input.embed,
    components: input.components?.length,
    message_reference: input.message_reference?.message_id,
    files,
  };
  const [key] = Object.entries(others).find(([, part]) => part) ?? [];
  if (key !== undefined) throw unsupported([key], `A poll beside ${key}`);
}

/** Hours to the end of a poll without a duration. */
const pollHours = 24;

/** A poll as the api takes it. @throws DiscordError 50035 where it does not fit */
export function fromPoll({ question, answers, allow_multiselect, duration }: NonNullable<MessageInput["poll"]>) {
  return {
    question: question.text,
    options: answers.map(({ poll_media }) => withEmoji(poll_media.emoji, poll_media.text)),
    ...(allow_multiselect ? { multiple: answers.length } : {}),
    ends_in_minutes: Math.min((duration ?? pollHours) * 60, pollMinutesMax),
  };
}
