import { codePointLength, embedLimits, isHttpUrl, urlLengthMax, visibleName } from "@parley/contracts";

/** An embed as an incoming webhook takes it; undefined keys are absent. */
export interface PostedEmbed {
  title?: string | undefined;
  description?: string | undefined;
  url?: string | undefined;
  color?: string | number | undefined;
  timestamp?: string | undefined;
  author?: { name: string; url?: string | undefined; icon_url?: string | undefined } | undefined;
  footer?: { text: string; icon_url?: string | undefined } | undefined;
  image?: { url: string } | undefined;
  thumbnail?: { url: string } | undefined;
  fields?: { name: string; value: string; inline: boolean }[] | undefined;
}

/** A converted post of another service: a body for an incoming webhook that keeps every bound. */
export interface PostedMessage {
  content?: string | undefined;
  username?: string | undefined;
  avatar_url?: string | undefined;
  embeds?: PostedEmbed[] | undefined;
}

const contentMax = 4_000;
const usernameMax = 80;
/** UTF-16 units of a name that are looked at. */
const usernameUnitsMax = 1_000;

/** A text of at most so many code points, with an ellipsis where it was cut; undefined when nothing is to be seen. */
export function clip(text: string | null | undefined, max: number): string | undefined {
  const trimmed = text?.replaceAll("\0", "").toWellFormed().trim() ?? "";
  if (trimmed === "") return undefined;
  const isShort = trimmed.length <= 2 * max && codePointLength(trimmed) <= max;
  // A code point has at most two units.
  return isShort ? trimmed : `${[...trimmed.slice(0, 2 * max)].slice(0, max - 1).join("")}…`;
}

/** An address that an embed may have; undefined for any other. */
export function addressOf(text: string | null | undefined): string | undefined {
  const url = text?.trim() ?? "";
  return isHttpUrl(url) && codePointLength(url) <= urlLengthMax ? url : undefined;
}

const hasSomething = ({ title, description, author, footer, image, thumbnail, fields }: PostedEmbed) =>
  [title, description, author, footer, image, thumbnail].some((part) => part !== undefined) ||
  (fields ?? []).length > 0;

/** Gives out the code points that the embeds of one message have together. */
function createBudget() {
  let left: number = embedLimits.texts;
  return (text: string | undefined, max: number): string | undefined => {
    const clipped = left < 1 ? undefined : clip(text, Math.min(max, left));
    left -= codePointLength(clipped ?? "");
    return clipped;
  };
}

function fitEmbed(embed: PostedEmbed, take: ReturnType<typeof createBudget>): PostedEmbed {
  const authorName = take(embed.author?.name, embedLimits.author);
  const title = take(embed.title, embedLimits.title);
  const footerText = take(embed.footer?.text, embedLimits.footer);
  const fields = (embed.fields ?? []).slice(0, embedLimits.fields).flatMap(({ name, value, inline }) => {
    const named = take(name, embedLimits.fieldName);
    const valued = named === undefined ? undefined : take(value, embedLimits.fieldValue);
    return named === undefined || valued === undefined ? [] : [{ name: named, value: valued, inline }];
  });
  return {
    ...embed,
    title,
    description: take(embed.description, embedLimits.description),
    author: authorName === undefined ? undefined : { ...embed.author, name: authorName },
    footer: footerText === undefined ? undefined : { ...embed.footer, text: footerText },
    fields,
  };
}

/** Cuts a foreign post to the bounds of a message. */
export function fit({ content, username, avatar_url, embeds = [] }: PostedMessage): PostedMessage {
  const take = createBudget();
  return {
    content: clip(content, contentMax),
    username: clip(username && visibleName(username.slice(0, usernameUnitsMax)), usernameMax),
    avatar_url: addressOf(avatar_url),
    embeds: embeds
      .slice(0, embedLimits.embeds)
      .map((embed) => fitEmbed(embed, take))
      .filter(hasSomething),
  };
}
