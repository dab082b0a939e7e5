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

/** The addresses of an embed's pictures. */
export const picturesOfEmbed = ({ author, footer, image, thumbnail }: EmbedInput) => [
  author?.icon_url,
  footer?.icon_url,
  image?.url,
  thumbnail?.url,
];

/** How an embed's texts and the addresses of its pictures are written in our form; null for a picture that is left out. */
export interface EmbedWriting {
  readonly text: (text: string) => string;
  readonly picture: (address: string) => string | null;
}

/** The embed as the api takes it. */
export function fromEmbed(embed: EmbedInput, write: EmbedWriting): object {
  const text = (it: string | null | undefined) => (typeof it === "string" ? write.text(it) : it);
  const address = (it: string | null | undefined) => (it ? write.picture(it) : it);
  const picture = (it: { url?: string | null | undefined } | null | undefined) =>
    it?.url && write.picture(it.url) === null ? null : it && { ...it, url: address(it.url) };
  const { author, footer, fields } = embed;
  return {
    ...embed,
    title: text(embed.title),
    description: text(embed.description),
    author: author?.name ? { ...author, icon_url: address(author.icon_url) } : null,
    footer: footer?.text ? { ...footer, icon_url: address(footer.icon_url) } : null,
    image: picture(embed.image),
    thumbnail: picture(embed.thumbnail),
    fields: fields?.map(({ name, value, inline }) => ({ name: text(name), value: text(value), inline })),
  };
}
