import type { z } from "zod";
import { cleanName } from "../clean-text.js";
import type { ArchiveRecord } from "../form.js";
import type { FormFile } from "../form-parts.js";
import { skipped, unknownRecord } from "../skipped.js";
import type { Installation } from "./installation.js";
import {
  botSchema,
  channelSchema,
  directPostSchema,
  emojiSchema,
  roleSchema,
  teamSchema,
  userSchema,
} from "./schema.js";

/** An object of a list. */
export interface Line {
  type: string;
  value: unknown;
  /** Its file and place. */
  example: string;
}

/** @returns null where nothing comes of it, undefined where a value is wrong */
type Convert = (installation: Installation, value: unknown, position: number) => ArchiveRecord | null | undefined;

const of =
  <Schema extends z.ZodType>(
    schema: Schema,
    convert: (installation: Installation, value: z.output<Schema>, position: number) => ArchiveRecord | null,
  ): Convert =>
  (installation, value, position) => {
    const { data } = schema.safeParse(value);
    return data === undefined ? undefined : convert(installation, data, position);
  };

const role =
  (type: string): Convert =>
  (_, value) =>
    skipped("role", "roles of the installation have no place", roleSchema.safeParse(value).data?.name ?? type);

const kinds: Readonly<Record<string, Convert>> = {
  version: () => null,
  direct_channel: () => null,
  role: role("role"),
  scheme: role("scheme"),
  team: of(teamSchema, ({ teams }, { name, display_name, description }) => {
    teams.add(name);
    const shown = cleanName(display_name ?? "") || name;
    return { kind: "server", id: name, name: shown, ...(description && { description }) };
  }),
  channel: of(channelSchema, ({ channels, teams }, channel, position) => {
    const id = `${channel.team}/${channel.name}`;
    if (!teams.has(channel.team)) return skipped("channel", "team is not in the archive", id);
    const name = cleanName(channel.display_name ?? "") || channel.name;
    channels.set(id, name);
    return {
      kind: "channel",
      id,
      server: channel.team,
      name,
      type: "text",
      category: null,
      topic: channel.header || channel.purpose || null,
      private: channel.type === "P",
      archived: Boolean(channel.deleted_at || channel.delete_at),
      position,
      createdAt: null,
    };
  }),
  user: of(userSchema, (installation, { username, nickname, first_name, last_name, email, ...user }) =>
    installation.people.add(username, [nickname, `${first_name ?? ""} ${last_name ?? ""}`], {
      email: email || null,
      deleted: Boolean(user.delete_at),
      avatar: avatar(installation, user.profile_image),
    }),
  ),
  bot: of(botSchema, (installation, { username, display_name, profile_image, delete_at }) =>
    installation.people.add(username, [display_name], {
      isBot: true,
      deleted: Boolean(delete_at),
      avatar: avatar(installation, profile_image),
    }),
  ),
  emoji: of(emojiSchema, (installation, { name, image }) => {
    const picture = installation.entry(image);
    installation.emoji.add(name, picture);
    return picture === undefined ? skipped("emoji", "picture is not in the archive", name) : null;
  }),
  direct_post: (_, value) => {
    const { data: post } = directPostSchema.safeParse(value);
    const members = (post?.channel_members ?? post?.members ?? []).join(",");
    return skipped("direct_message", "private conversation", members, 1 + (post?.replies?.length ?? 0));
  },
};

/** What becomes of an object that is no post. */
export function recordOf(
  installation: Installation,
  { type, value, example }: Line,
  position: number,
): ArchiveRecord | null {
  const convert = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  if (convert === undefined) return skipped("unknown_record", "kind is not known", type || example);
  const record = convert(installation, value, position);
  return record === undefined ? unknownRecord(example) : record;
}

function avatar(installation: Installation, path: string | null | undefined): FormFile | null {
  const entry = installation.entry(path);
  return entry === undefined ? null : { entry: entry.name, name: "avatar", size: entry.size };
}
