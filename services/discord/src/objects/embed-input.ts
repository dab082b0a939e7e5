import { z } from "zod";

/** The api refuses numbers and other values in place of a text, and names the place. */
const text = z.string().nullish();
const picture = z.object({ url: text }).nullish();

/** An embed as bots send it. The api reports its faults, by path. */
export const embedInput = z.object({
  title: text,
  description: text,
  url: text,
  color: z.int().min(0).max(0xffffff).nullish(),
  timestamp: text,
  author: z.object({ name: text, url: text, icon_url: text }).nullish(),
  footer: z.object({ text, icon_url: text }).nullish(),
  image: picture,
  thumbnail: picture,
  fields: z.array(z.object({ name: text, value: text, inline: z.boolean().nullish() })).nullish(),
});
export type EmbedInput = z.output<typeof embedInput>;

/** The texts in which people, channels and emoji are named. */
export const textsOfEmbed = ({ title, description, fields }: EmbedInput): string[] =>
  [title, description, ...(fields ?? []).flatMap(({ name, value }) => [name, value])].filter(
    (it) => typeof it === "string",
  );

/** Pictures that are files of the message are shown beneath it anyway. */
const ownPicture = (it: { url?: string | null | undefined } | null | undefined) =>
  it?.url?.startsWith("attachment://") ? null : it;
const ownAddress = (url: string | null | undefined) => (url?.startsWith("attachment://") ? null : url);

/** The embed as the api takes it. @param write a text in our form */
export function fromEmbed(embed: EmbedInput, write: (text: string) => string): object {
  const written = (it: string | null | undefined) => (typeof it === "string" ? write(it) : it);
  const { author, footer, fields } = embed;
  return {
    ...embed,
    title: written(embed.title),
    description: written(embed.description),
    author: author?.name ? { ...author, icon_url: ownAddress(author.icon_url) } : null,
    footer: footer?.text ? { ...footer, icon_url: ownAddress(footer.icon_url) } : null,
    image: ownPicture(embed.image),
    thumbnail: ownPicture(embed.thumbnail),
    fields: fields?.map(({ name, value, inline }) => ({ name: written(name), value: written(value), inline })),
  };
}
