import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { GatewayDispatchEvents } from "discord-api-types/v10";
import { expect, test } from "vitest";
import { translations } from "../../../../services/discord/src/gateway/translations.js";
import { libraries, lineOf } from "../../../../services/discord/src/routes/pages.js";
import { routes } from "../../../../services/discord/src/routes/routes.js";

const guides = join(import.meta.dirname, "..", "..", "..", "..", "docs", "guides");
const file = join(guides, "discord-coverage.md");
const types = join(
  dirname(createRequire(import.meta.url).resolve("discord-api-types/v10")),
  "_generated_/rest/v10/interfaces.d.ts",
);

/** What Parley refuses on purpose, and why; the first that matches counts. */
const refusals: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/entitlement|sku|subscription/i, "nothing is sold"],
  [/soundboard/i, "there are no sounds"],
  [/sticker/i, "there are no stickers"],
  [/stage/i, "there are no stages"],
  [/template/, "servers are copied in Parley's own settings"],
  [/auto.?moderation/i, "rules have another form, which moderators set in Parley"],
  [/role-connection/, "there are no linked accounts"],
  [/oauth2|authorization/, "people do not sign in through bots"],
  [/lobb/, "there are no lobbies of games"],
  [/integration/i, "bots and webhooks are no integrations of a third party"],
  [/activity-instance/, "there are no activities"],
  [/widget|vanity|welcome|onboarding|verification|incident/, "servers have none"],
  [/followers|crosspost/, "channels follow no others"],
  [/voice.*(status|effect|info)|channel.*info|voice_server|voice_channel/i, "there is no voice server"],
  [/recipients|users\/@me\/connections/, "bots are in no groups of their own"],
  [/^(POST|DELETE|PUT) \/guilds(\/\*)?$|\/mfa$/, "people own servers"],
  [/PERMISSIONS_UPDATE|^PUT .*commands\/.*permissions/, "rights of commands are those of roles"],
  [/^PUT \/guilds\/\*\/members\/\*$/, "people join by themselves"],
  [/identit/, "there are no identities of games"],
  [/\/applications\/\*\/emojis/, "applications have no emoji of their own"],
  [/^PATCH .*voice-states/, "there is no voice server"],
  [/THREAD_MEMBER/, "everybody who may view a thread is in it"],
  [/target-users/, "invites are for everybody who has their code"],
  [/RATE_LIMITED/, "gateways close connections that ask too much"],
];
const refusalOf = (text: string) => refusals.find(([pattern]) => pattern.test(text))?.[1];

/** Every route that the types of Discord's documentation name. */
function documentedRoutes(): string[] {
  const [, text = ""] = /interface RoutesDeclarations \{(.*?)^\}/ms.exec(readFileSync(types, "utf8")) ?? [];
  const named = [...text.matchAll(/^ +\* - (GET|POST|PUT|PATCH|DELETE) +`(\/[^`?]+)/gm)];
  return [...new Set(named.map(([, method, path = ""]) => `${method} ${path.replace(/\{[^}]+\}/g, "*")}`))].sort();
}

const segmentsOf = (path: string) => path.split("/");
/** Whether a route of ours answers a documented one: a part that we name by `:` is any. */
function serves(ours: string, documented: string): boolean {
  const [own, asked] = [segmentsOf(ours), segmentsOf(documented)];
  return own.length === asked.length && own.every((part, index) => part.startsWith(":") || part === asked[index]);
}
function isServed(route: string): boolean {
  const [method, path = ""] = route.split(" ");
  return routes.some((each) => each.method === method && serves(each.path, path));
}

const servedEvents = new Set<string>([
  ...Object.values(translations).flatMap(({ becomes }) => becomes as readonly string[]),
  // Not made of one event of Parley's gateway.
  ...["READY", "RESUMED", "GUILD_MEMBERS_CHUNK"],
]);

function table(kind: string, names: readonly string[], isServedName: (name: string) => boolean): string {
  const rows = names.map((name) => {
    const shown = `\`${name}\``;
    if (isServedName(name)) return `| ${shown} | served | |`;
    const why = refusalOf(name);
    return why === undefined ? `| ${shown} | missing | |` : `| ${shown} | refused | ${why} |`;
  });
  return [`| ${kind} | | Why |`, "|---|---|---|", ...rows].join("\n");
}

function coverage(): string {
  const events = Object.values(GatewayDispatchEvents).sort();
  return `# Coverage of Discord's API

Every route and event that the types of Discord's documentation name (discord-api-types, version 10), and whether Parley serves it. \`*\` stands for an
identifier. A served route may answer an empty list, or the code of what is not there. Parley refuses the others on purpose, or has not got to them yet
("missing"). What a served route leaves out stands under [Not yet](../discord.md#not-yet). \`UPDATE_COVERAGE=1 npx vitest run --project docs discord-coverage\` writes this page.

## Routes

${table("Route", documentedRoutes(), isServed)}

## Events

${table("Event", events, (name) => servedEvents.has(name))}
`;
}

test("the page of coverage says of every documented route and event whether the service has it", () => {
  const text = coverage();
  if (process.env.UPDATE_COVERAGE) writeFileSync(file, text);
  expect(readFileSync(file, "utf8")).toBe(text);
  expect(documentedRoutes().length).toBeGreaterThan(180);
});

test("the guide has the line of each library that the service's page shows", () => {
  const guide = readFileSync(join(guides, "bots-from-discord.md"), "utf8");
  for (const [name, line] of libraries) {
    expect(guide).toContain(`| ${name} | \`${lineOf(line, "https://chat.example.com")}\` |`);
  }
});
