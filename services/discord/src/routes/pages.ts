import type { Request, Response } from "express";
import { pictureAt } from "../loading/pictures.js";
import { originOf } from "../rest/caller.js";
import type { Surroundings } from "../rest/route.js";

/** Libraries and the line that changes, as the page for authors shows them. */
export const libraries: readonly (readonly [name: string, line: string])[] = [
  ["discord.js 14", 'new Client({ intents, rest: { api: "ORIGIN/discord/api" } })'],
  ["@discordjs/rest", 'new REST({ api: "ORIGIN/discord/api" })'],
  [
    "discord.py 2",
    'discord.http.Route.BASE = "ORIGIN/discord/api/v10"; discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL("SOCKETS/discord/gateway/")',
  ],
  ["oceanic.js", 'new Client({ auth, rest: { baseURL: "ORIGIN/discord/api/v10" } })'],
  [
    "discordeno",
    'createBot({ token, intents, rest: { token, proxy: { baseUrl: "ORIGIN/discord/api", authorization: "Bot " + token } } })',
  ],
  ["eris", 'new Eris(token, { rest: { domain: "HOST", baseURL: "/discord/api/v10" } })'],
  ["JDA 5", 'RestConfig: setBaseUrl("ORIGIN/discord/api/v10/")'],
  ["discordgo", 'discordgo.EndpointAPI = "ORIGIN/discord/api/v10/" (and the addresses made of it)'],
  ["serenity", 'HttpBuilder::new(token).proxy("ORIGIN/discord").ratelimiter_disabled(true)'],
];

/** The line for an installation. @param origin its address, without a slash at its end */
export const lineOf = (line: string, origin: string): string =>
  line
    .replaceAll("ORIGIN", origin)
    .replaceAll("SOCKETS", origin.replace(/^http/, "ws"))
    .replaceAll("HOST", origin.replace(/^https?:\/\//, ""));

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function page(origin: string): string {
  const rows = libraries
    .map(
      ([name, line]) =>
        `<tr><th scope="row">${escaped(name)}</th><td><code>${escaped(lineOf(line, origin))}</code></td></tr>`,
    )
    .join("");
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Bots written for Discord</title><style>body{font:1rem/1.5 system-ui;max-width:50rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse}th,td{text-align:left;padding:.3rem .6rem;border-top:1px solid #8888;vertical-align:top}code{overflow-wrap:anywhere}</style>
<h1>Bots written for Discord</h1>
<p>A program that was written for version 10 of Discord's API runs here when it is told another address:
<code>${escaped(origin)}/discord/api</code>. Its token is <code>discord_token</code> of the bot, or the bot's token alone where the
library takes any text.</p><table>${rows}</table>
<p>Until the owner of a server moves the bot's role up, it stands at position 0, and the bot gives no role. Text of
<code>&lt;t:…&gt;</code> is stored as a time in words.</p></html>`;
}

const colors = ["#5865f2", "#747f8d", "#43b581", "#faa61a", "#f04747", "#eb459e"];
const defaultPicture = (number: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="128" height="128"><rect width="128" height="128" fill="${colors[number % colors.length]}"/><circle cx="64" cy="50" r="22" fill="#fff"/><path d="M24 112a40 34 0 0 1 80 0z" fill="#fff"/></svg>`;

/** The page for authors, and pictures by addresses as Discord's. @returns whether the path is one of these */
export async function servePage(request: Request, response: Response, surroundings: Surroundings): Promise<boolean> {
  if (request.method !== "GET" && request.method !== "HEAD") return false;
  const origin = originOf(request, surroundings.publicUrl);
  if (/^\/discord\/?$/.test(request.path)) {
    response
      .set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
      .type("html")
      .send(page(origin));
    return true;
  }
  const [, path] = /^\/discord\/cdn(\/.+)$/.exec(request.path) ?? [];
  if (path === undefined) return false;
  const [, number] = /^\/embed\/avatars\/(\d{1,3})\.\w+$/.exec(path) ?? [];
  if (number !== undefined) {
    response
      .set("Cache-Control", "public, max-age=86400")
      .type("image/svg+xml")
      .send(defaultPicture(Number(number)));
    return true;
  }
  const address = await pictureAt(path, origin, surroundings.database);
  if (address === null) return false;
  response.redirect(302, address);
  return true;
}
