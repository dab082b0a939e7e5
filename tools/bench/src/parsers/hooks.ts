import { exchange, filled, type HostileInput, requestBytes } from "./hostile-input.js";
import type { ParserWorld } from "./world.js";

const kibibyte = 1024;
/** Largest form of a hook, and largest body of JSON. */
const [formBytes, jsonBytes] = [768 * kibibyte, 256 * kibibyte];
const form = { "content-type": "application/x-www-form-urlencoded" };
const json = { "content-type": "application/json" };
const list = <Item>(count: number, item: (n: number) => Item): Item[] =>
  Array.from({ length: count }, (_, n) => item(n));

const objects = (count: number) => list(count, () => ({}));
const bodies: readonly [input: string, path: string, headers: Readonly<Record<string, string>>, body: string][] = [
  ["form of pairs", "", form, filled(formBytes, "", "a&")],
  ["form of signs +", "", form, filled(formBytes, "payload=", "+")],
  ["form of + and escapes", "", form, filled(formBytes, "payload=", "+%7B")],
  ["form of wrong escapes", "", form, filled(formBytes, "payload=", "%zz")],
  ["4,900 embeds", "", json, JSON.stringify({ embeds: objects(4_900) })],
  ["9,900 names", "", json, JSON.stringify(Object.fromEntries(list(9_900, (n) => [`name${n}`, 0])))],
  ["9,900 allowed mentions", "", json, JSON.stringify({ allowed_mentions: { users: list(9_900, () => 0) } })],
  [
    "250 fields, the last one wrong",
    "",
    json,
    JSON.stringify({
      embeds: list(10, (at) => ({
        fields: list(25, (n) => ({ name: "a".repeat(256), value: at + n === 33 ? "" : "b".repeat(700) })),
      })),
    }),
  ],
  ["Slack: code", "/slack", json, filled(jsonBytes, '{"text":"', "```", '"}')],
  [
    "Slack: attachments of code",
    "/slack",
    json,
    JSON.stringify({ attachments: list(10, () => ({ text: "```".repeat(8_000) })) }),
  ],
  [
    "Slack: parts that are none",
    "/slack",
    json,
    JSON.stringify({
      attachments: list(10, () => ({
        fields: objects(25),
        blocks: list(30, () => ({ type: "section", text: {}, fields: objects(20) })),
      })),
    }),
  ],
  [
    "GitHub: commits",
    "/github",
    { ...json, "x-github-event": "push" },
    JSON.stringify({
      ...{ ref: "refs/heads/a", compare: "", repository: { full_name: "a" }, sender: { login: "a" } },
      commits: list(20, () => ({ id: "a", message: "x ".repeat(6_000), url: "", author: { name: "a" } })),
    }),
  ],
];

/** Each is posted to an incoming webhook of its own, which takes five posts at once. */
export function hookInputs({ services, headers, room }: ParserWorld): HostileInput[] {
  const base = `http://127.0.0.1:${services.api.port}/servers/${room.serverId}/incoming-webhooks`;
  const owner = { ...headers, ...json };
  return bodies.map(([input, path, fields, body]) => ({
    parser: "post to an incoming webhook",
    input,
    service: "api",
    bytes: body.length,
    async send() {
      const made = await fetch(base, {
        method: "POST",
        headers: owner,
        body: JSON.stringify({ channel_id: room.channelId, name: "bench" }),
      });
      const hook: unknown = await made.json();
      if (typeof hook !== "object" || hook === null || !("path" in hook) || !("id" in hook))
        throw new Error(`The incoming webhook was answered with ${made.status}`);
      const answer = await exchange(services.api, requestBytes(`POST ${hook.path}${path}`, fields, body));
      await fetch(`${base}/${hook.id}`, { method: "DELETE", headers });
      return answer;
    },
  }));
}
