import { randomUUID } from "node:crypto";
import { embedLimits, embedsInput, type StoredEmbed } from "@parley/contracts";
import { z } from "zod";
import type { ReceivedFile } from "../../platform/files/receive.js";
import { attachedPicture } from "./embeds.js";

/** Pictures that are files of the same message, as other services name them. */
const attached = /^attachment:\/\//i;

/** Stands before the name of a file where an embed has to have an address of the web; nobody can know it. */
const placeholder = `https://${randomUUID()}.invalid/`;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An embed whose pictures that name files of the message have addresses; they are left out where there is no such file. */
function nameFiles(embed: unknown, files: readonly ReceivedFile[]): unknown {
  if (!isRecord(embed)) return embed;
  const addressOf = (name: string) => {
    const file = files.find(({ filename, mime_type }) => filename === name && mime_type.startsWith("image/"));
    return file === undefined ? null : `${placeholder}${file.stored_name}`;
  };
  return Object.fromEntries(
    Object.entries(embed).map(([key, value]) => {
      const isPicture = key === "image" || key === "thumbnail";
      const urlKey = isPicture ? "url" : key === "author" || key === "footer" ? "icon_url" : null;
      const url = urlKey !== null && isRecord(value) ? value[urlKey] : null;
      if (urlKey === null || !isRecord(value) || typeof url !== "string" || !attached.test(url)) return [key, value];
      const address = addressOf(url.replace(attached, ""));
      return [key, isPicture && address === null ? null : { ...value, [urlKey]: address }];
    }),
  );
}

/** The embed as it is stored, once it has been checked. */
function storeNames({ author, footer, image, thumbnail, ...embed }: StoredEmbed): StoredEmbed {
  const stored = (url: string) => (url.startsWith(placeholder) ? attachedPicture(url.slice(placeholder.length)) : url);
  const picture = (given: { url: string } | null) => (given === null ? null : { url: stored(given.url) });
  const withIcon = <P extends { icon_url: string | null }>(part: P | null) =>
    part === null || part.icon_url === null ? part : { ...part, icon_url: stored(part.icon_url) };
  return {
    ...embed,
    author: withIcon(author),
    footer: withIcon(footer),
    image: picture(image),
    thumbnail: picture(thumbnail),
  };
}

/** Whether a list has no more embeds than a message; the schema refuses any other value. */
const isFew = (value: unknown): value is unknown[] => Array.isArray(value) && value.length <= embedLimits.embeds;

/** The embeds of a message with these files, whose pictures may be files of them. */
export const embedsWith = (files: readonly ReceivedFile[]) =>
  z
    .preprocess((value) => (isFew(value) ? value.map((embed) => nameFiles(embed, files)) : value), embedsInput)
    .transform((embeds) => embeds?.map(storeNames));
