import { gzipSync } from "node:zlib";
import { chunked, exchange, filled, type HostileInput, requestBytes } from "./hostile-input.js";
import type { ParserWorld } from "./world.js";

const kibibyte = 1024;
/** Largest body of JSON, and largest head. */
const bodyBytes = 256 * kibibyte;
const headBytes = 15 * kibibyte;
const jsonType = { "content-type": "application/json" };

const listOf = (count: number, item: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => item(n)).join(",");

/** Parts of texts that are slow for parsers of Markdown; the api parses texts with a mention. */
const markdownUnits = [
  "[",
  "]",
  "*",
  "*a",
  "*a_",
  "~*",
  "||",
  "`",
  "> ",
  "- ",
  "1. ",
  "\n",
  "[a]: b\n[a](",
  "www.a_",
  "\\*",
  "<a:",
];

const ids = (count: number) =>
  Array.from({ length: count }, (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`);
const interaction = (count: number) =>
  JSON.stringify({
    bot_user_id: ids(1)[0],
    command_id: ids(1)[0],
    options: Object.fromEntries(ids(count).map((id) => [id, 0])),
  });

/** Bodies, each with the endpoint whose schema meets it. */
function bodies({ room }: ParserWorld): readonly [input: string, line: string, body: string][] {
  const servers = "POST /servers";
  const polls = `POST /channels/${room.channelId}/polls`;
  const webhooks = `POST /servers/${room.serverId}/webhooks`;
  const messages = `POST /channels/${room.channelId}/messages`;
  const deep = (bodyBytes - 2) / 2;
  return [
    ["arrays in arrays", servers, "[".repeat(deep) + "]".repeat(deep)],
    ["objects in objects", servers, filled(bodyBytes, "", '{"a":', "0")],
    [
      "15 levels of 60,000 objects",
      servers,
      filled(bodyBytes, `${'{"name":'.repeat(14)}[`, "{},", `{}]${"}".repeat(14)}`),
    ],
    ["20,000 names", servers, `{${listOf(20_000, (n) => `"name${n}":0`)}}`],
    ["25,000 names that are numbers", servers, `{${listOf(20_000, (n) => `"${4_294_967_295 - n * 131}":0`)}}`],
    ["a name of 250 KB", servers, filled(bodyBytes, '{"', "x", '":0}')],
    ["a number of 250 KB", servers, filled(bodyBytes, '{"name":1', "9", "}")],
    ["escapes", servers, filled(bodyBytes, '{"name":"', "\\u0000", '"}')],
    ["85,000 options of a poll", polls, filled(bodyBytes, '{"question":"q","options":[', '"",', '""]}')],
    [
      "130,000 types of events",
      webhooks,
      filled(bodyBytes, '{"name":"n","url":"http://a.example/","event_types":[', "0,", "0]}"),
    ],
    [
      "20,000 types of events with texts of their own",
      webhooks,
      filled(bodyBytes, '{"name":"n","url":"http://a.example/","event_types":[', "[[[[[]]]]],", "0]}"),
    ],
    ["a URL of 250 KB", webhooks, filled(bodyBytes, '{"name":"n","event_types":[],"url":"http://', "a.", 'b/"}')],
    [
      "an email of 250 KB",
      "POST /auth/register",
      filled(bodyBytes, '{"username":"a1","password":"passwords","email":"', "a.", '@a.example"}'),
    ],
    [
      "an email of 254 characters",
      "POST /auth/register",
      `{"username":"a1","password":"passwords","email":"${"a.".repeat(100)}a@${"b-".repeat(26)}"}`,
    ],
    [
      "a username of 250 KB",
      "POST /auth/register",
      filled(bodyBytes, '{"password":"passwords","username":"', "a", '!"}'),
    ],
    [
      "an instant of 250 KB",
      `POST /servers/${room.serverId}/events`,
      filled(bodyBytes, '{"name":"n","starts_at":"2030-01-01T00:00:00.', "0", 'Z"}'),
    ],
    ["blanks around a name", servers, filled(bodyBytes, '{"name":"x', " ", 'x"}')],
    ["a mention that does not end", messages, `{"content":"@${"-".repeat(3_998)}a"}`],
    ["4,000 characters of mentions", messages, `{"content":"${"@a ".repeat(1_333)}"}`],
    ...markdownUnits.map((unit): [string, string, string] => [
      `Markdown of ${JSON.stringify(unit)}`,
      messages,
      JSON.stringify({ content: `@a ${unit.repeat((4_000 - 3) / unit.length)}` }),
    ]),
    ["4,900 ids of people", "POST /dm-channels", JSON.stringify({ user_ids: ids(4_900) })],
    [
      "4,900 keys of notifications",
      "PATCH /users/@me/notifications",
      JSON.stringify({ channels: Object.fromEntries(ids(4_900).map((id) => [id, {}])) }),
    ],
    [
      "1,000 keys of notifications, the last one wrong",
      "PATCH /users/@me/notifications",
      JSON.stringify({
        channels: Object.fromEntries(ids(1_000).map((id, n) => [id, { level: n === 999 ? "x" : "all" }])),
      }),
    ],
    ["4,900 options of an interaction", `POST /channels/${room.channelId}/interactions`, interaction(4_900)],
    [
      "4,900 ids of messages",
      `POST /channels/${room.channelId}/messages/bulk-delete`,
      JSON.stringify({ message_ids: ids(4_900) }),
    ],
    ["4,000 blanks", messages, `{"content":"${" ".repeat(3_999)}a"}`],
  ];
}

/** Heads of 15 KB. */
function heads({ room }: ParserWorld): readonly [input: string, line: string, headers: Record<string, string>][] {
  const fill = (part: string) => filled(headBytes, "", part);
  const me = "GET /users/@me";
  const file = `GET /files/${room.channelId}/a`;
  return [
    ["a path of escapes", `GET /${fill("%41")}`, {}],
    ["a path of slashes", `GET ${fill("/")}`, {}],
    ["a path below one with parameters", `GET /servers/${fill("a/")}`, {}],
    ["a query of separators", `${me}?${fill("&=")}`, {}],
    ["a query of escapes", `${me}?${fill("%")}`, {}],
    ["a cursor of a list of members", `GET /servers/${room.serverId}/members?position=${fill("IC")}`, {}],
    ["names of details", `GET /channels/${room.channelId}/messages?include=${fill("a,")}`, {}],
    ["a search", `GET /servers/${room.serverId}/search?q=${fill("a%20")}`, {}],
    ["an access token", me, { authorization: `Bearer ${fill("a.")}` }],
    ["blanks in Authorization", me, { authorization: `Bearer${fill(" ")}a b` }],
    ["a Range", file, { range: `bytes=${fill("0-,")}` }],
    ["forwarded addresses", me, { "x-forwarded-for": fill("1.1.1.1, ") }],
    ["a Content-Type", "POST /servers", { "content-type": `application/json${fill(" ;")}` }],
    ["an Origin", me, { origin: `http://${fill("a.")}` }],
    ["an id of the request", me, { "x-request-id": fill("a") }],
    ["1,900 fields", me, Object.fromEntries(Array.from({ length: 1_500 }, (_, n) => [`a${n}`, ""]))],
  ];
}

export function requestInputs(world: ParserWorld): HostileInput[] {
  const { services, headers } = world;
  const input = (parser: string, name: string, bytes: Buffer): HostileInput => ({
    parser,
    input: name,
    service: "api",
    bytes: bytes.length,
    send: () => exchange(services.api, bytes),
  });
  const text = filled(bodyBytes, '{"name":"', "x", '"}');
  return [
    ...bodies(world).map(([name, line, body]) =>
      input("JSON of a request", name, requestBytes(line, { ...headers, ...jsonType }, body)),
    ),
    input("JSON of a request", "chunks of one byte", chunked("POST /servers", { ...headers, ...jsonType }, text)),
    input(
      "JSON of a request",
      "gzip of 256 KB of zeros × 1,000",
      requestBytes(
        "POST /servers",
        { ...headers, ...jsonType, "content-encoding": "gzip" },
        gzipSync(Buffer.alloc(bodyBytes * 1_000)),
      ),
    ),
    input(
      "JSON of a request",
      "UTF-7",
      requestBytes(
        "POST /servers",
        { ...headers, "content-type": "application/json; charset=utf-7" },
        "+AAA".repeat(60_000),
      ),
    ),
    ...heads(world).map(([name, line, fields]) =>
      input("head of a request", name, requestBytes(line, { ...headers, ...fields })),
    ),
  ];
}
