import { defineStatement } from "@parley/database";
import { findId } from "../ids/find-id.js";
import { addressOf } from "../objects/message.js";
import type { Reading } from "./context.js";

const pictures = {
  avatars: { kind: "user", table: "users", column: "avatar_url" },
  icons: { kind: "server", table: "servers", column: "icon_url" },
} as const;
const statementOf = ({ table, column }: (typeof pictures)[keyof typeof pictures]) =>
  defineStatement({
    name: `discord_picture_${table}`,
    text: `SELECT ${column} AS url FROM ${table} WHERE id = $1::uuid`,
    row: (row) => (row.url === null ? null : String(row.url)),
  });
const statements = { avatars: statementOf(pictures.avatars), icons: statementOf(pictures.icons) };

/** Where a path of the CDN leads: the address of the picture; null for one that is not there (docs/discord.md#rules). */
export async function pictureAt(path: string, origin: string, database: Reading): Promise<string | null> {
  const [kind = "", ...parts] = path.replace(/^\/|\.(?:png|jpe?g|webp|gif|json)$/g, "").split("/");
  const toAddress = addressOf(origin);
  if (kind === "emojis") {
    const id = await findId(database, "emoji", parts[0] ?? "");
    return id === null ? null : toAddress(`/emojis/${id}`);
  }
  const isOfMember = kind === "guilds" && parts[1] === "users";
  const name = isOfMember ? "avatars" : kind;
  if (name !== "avatars" && name !== "icons") return null;
  const id = await findId(database, pictures[name].kind, (isOfMember ? parts[2] : parts[0]) ?? "");
  const [url] = id === null ? [] : await database.query(statements[name], [id]);
  return url === null || url === undefined ? null : toAddress(url);
}

const cdn = /^https?:\/\/(?:cdn\.discordapp\.com|media\.discordapp\.net)(\/[^?#]+)/i;

/** The own addresses of pictures for those of Discord's CDN that name something here, by that address. */
export async function ownPictures(
  { database, origin }: { database: Reading; origin: string },
  addresses: readonly (string | null | undefined)[],
): Promise<ReadonlyMap<string, string>> {
  const named = [...new Set(addresses)].flatMap((address) => {
    const [, path] = cdn.exec(address ?? "") ?? [];
    return address && path ? [{ address, path }] : [];
  });
  const found = await Promise.all(
    named.map(async ({ address, path }) => [address, await pictureAt(path, origin, database)] as const),
  );
  return new Map(found.flatMap(([address, own]) => (own === null ? [] : [[address, own]])));
}
