import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The keys of an interface, and whether each may be missing. */
interface Shape {
  readonly parents: readonly string[];
  readonly keys: ReadonlyMap<string, boolean>;
}

const folder = join(dirname(createRequire(import.meta.url).resolve("discord-api-types/v10")), "payloads", "v10");

/** Every interface of discord-api-types, as its declarations have it. */
function readShapes(): Map<string, Shape> {
  const shapes = new Map<string, Shape>();
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".d.ts"));
  for (const file of files) {
    const text = readFileSync(join(folder, file), "utf8").replace(/\/\*\*.*?\*\//gs, "");
    for (const [, name = "", parents = "", body = ""] of text.matchAll(
      /^export interface (\w+)(?:<[^{]*?>)?(?: extends ([^{]+))? \{\n(.*?)^\}/gms,
    )) {
      const keys = new Map<string, boolean>();
      for (const [, key = "", mark] of body.matchAll(/^ {4}['"]?([\w$]+)['"]?(\?)?:/gm)) keys.set(key, mark === "?");
      shapes.set(name, {
        parents: parents.split(/,(?![^<]*>)/).map((parent) => parent.trim().replace(/<.*$/s, "")),
        keys,
      });
    }
  }
  return shapes;
}
const shapes = readShapes();

function keysOf(name: string): Map<string, boolean> {
  const shape = shapes.get(name);
  if (shape === undefined) throw new Error(`discord-api-types has no interface ${name}`);
  const inherited = shape.parents.filter((parent) => shapes.has(parent)).flatMap((parent) => [...keysOf(parent)]);
  return new Map([...inherited, ...shape.keys]);
}

type Body = Record<string, unknown>;
/** The interfaces of the values of these keys, in any object. */
const inner: Record<string, string> = {
  author: "APIUser",
  user: "APIUser",
  owner: "APIUser",
  bot: "APIUser",
  inviter: "APIUser",
};
const innerLists: Record<string, string> = {
  roles: "APIRole",
  emojis: "APIEmoji",
  mentions: "APIUser",
  recipients: "APIUser",
  attachments: "APIAttachment",
  embeds: "APIEmbed",
  reactions: "APIReaction",
  permission_overwrites: "APIOverwrite",
};

/** The faults of an object by an interface: missing keys, and keys that the interface does not know. */
export function faultsOf(name: string, value: unknown, at = name): string[] {
  if (typeof value !== "object" || value === null) return [`${at} is no object`];
  const body = value as Body;
  const keys = keysOf(name);
  const missing = [...keys]
    .filter(([key, isOptional]) => !isOptional && !(key in body))
    .map(([key]) => `${at}.${key} is missing`);
  const unknown = Object.keys(body)
    .filter((key) => !keys.has(key))
    .map((key) => `${at}.${key} is unknown`);
  const nested = Object.entries(body).flatMap(([key, part]) => {
    // The author of an embed is no user.
    const one = name === "APIEmbed" ? undefined : inner[key];
    if (one !== undefined && typeof part === "object" && part !== null) return faultsOf(one, part, `${at}.${key}`);
    const listed = innerLists[key];
    if (listed === undefined || !Array.isArray(part)) return [];
    return part
      .filter((item) => typeof item === "object")
      .flatMap((item, index) => faultsOf(listed, item, `${at}.${key}[${index}]`));
  });
  return [...missing, ...unknown, ...nested];
}

const channelOf = ({ type }: Body) =>
  type === 11
    ? "APIThreadChannel"
    : type === 1
      ? "APIDMChannel"
      : type === 2
        ? "APIVoiceChannelBase"
        : "APIGuildTextChannel";

/** The interface of a path's answer; for a list that of its items. */
const answers: readonly (readonly [path: RegExp, name: string | ((body: Body) => string)])[] = [
  [/^\/users\/(?:@me|\d+)$/, "APIUser"],
  [/^(?:\/oauth2)?\/applications\/@me$/, "APIApplication"],
  [/^\/applications\/\d+(?:\/guilds\/\d+)?\/commands(?:\/\d+)?$/, "APIApplicationCommand"],
  [/^\/guilds\/\d+$/, "APIGuild"],
  [/^\/guilds\/\d+\/preview$/, "APIGuildPreview"],
  [/^\/(?:guilds\/\d+\/channels|channels\/\d+|users\/@me\/channels|channels\/\d+\/messages\/\d+\/threads)$/, channelOf],
  [/^\/guilds\/\d+\/roles(?:\/\d+)?$/, "APIRole"],
  [/^\/guilds\/\d+\/members(?:\/search|\/@me|\/\d+)?$/, "APIGuildMember"],
  [/^\/guilds\/\d+\/bans(?:\/\d+)?$/, "APIBan"],
  [/^\/guilds\/\d+\/emojis(?:\/\d+)?$/, "APIEmoji"],
  [/^\/channels\/\d+\/(?:messages(?:\/\d+)?|pins)$/, "APIMessage"],
  [/^\/webhooks\/\d+\/[\w-]+(?:\/messages\/(?:@original|\d+))$/, "APIMessage"],
  [/^\/channels\/\d+\/webhooks$|^\/guilds\/\d+\/webhooks$|^\/webhooks\/\d+$/, "APIWebhook"],
  [/^\/(?:channels|guilds)\/\d+\/invites$/, "APIExtendedInvite"],
  [/^\/invites\/\w+$/, "APIInvite"],
  [/^\/channels\/\d+\/messages\/\d+\/reactions\/[^/]+$/, "APIUser"],
];

/** The faults of an answer, or of an error, by the types of Discord's documentation. */
export function faultsOfAnswer(path: string, status: number, body: unknown): string[] {
  if (status === 204) return body === undefined ? [] : ["204 has a body"];
  if (status >= 400) {
    const { message, code } = (body ?? {}) as Body;
    return typeof message === "string" && Number.isInteger(code) ? [] : ["an error has `message` and `code`"];
  }
  const [, name] = answers.find(([pattern]) => pattern.test(path.replace(/\?.*$/, ""))) ?? [];
  if (name === undefined) return [];
  const items = Array.isArray(body) ? body : [body];
  return items.flatMap((item) => faultsOf(typeof name === "string" ? name : name(item as Body), item));
}

const zuluTime = /"(?:\w*timestamp|\w+_(?:at|until|since|time)|expiry)":"[\d:.T-]+Z"/;

/** Refuses JSON with a time that discord.py cannot read on Python below 3.11. */
export function requireOffsets(text: string): string {
  const [time] = zuluTime.exec(text) ?? [];
  if (time !== undefined) throw new Error(`${time} has no offset`);
  return text;
}
