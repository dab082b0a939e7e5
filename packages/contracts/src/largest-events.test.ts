import { expect, test } from "vitest";
import { z } from "zod";
import { caps } from "./caps.js";
import { type EventName, events, isEventName } from "./events.js";
import { groupPeopleMax } from "./group-limits.js";
import { embedLimits } from "./resources/embed.js";
import { rightNames } from "./rights.js";
import { urlLengthMax } from "./text.js";

/** Bytes of an outbox row (packages/outbox/src/limits.ts), and of a message of NATS. */
const eventBytesMax = 1_000_000;
/** A code point that JSON writes longest: `\u0001`. */
const codePointBytes = 6;
/** JSON in UTF-16 of 256 KB grows by half in UTF-8. */
const bodyBytesMax = (256 * 1024 * 3) / 2;

/** Entries of lists and maps whose schema does not say how many there may be, by their names. */
const entries: Readonly<Record<string, number>> = {
  attachments: 10,
  choices: 25,
  // Most ids of one statement of a job or a request.
  ids: 1_000,
  // The shortest name has two characters, and stands between an @ and a sign.
  mention_user_ids: 1_000,
  mention_role_ids: 250,
  options: 25,
  rights: rightNames.length,
  roles: caps.roles.max,
  user_votes: 10,
  // The cap is of servers, channels and threads together, and an entry of a server is the longest.
  servers: caps.notifications.max,
  channels: 0,
  threads: 0,
  recipients: groupPeopleMax,
};
/** Code points of texts whose schema does not say it, by their names. */
const lengths: Readonly<Record<string, number>> = {
  action: 64,
  avatar_url: urlLengthMax,
  // With the candidate of a frame of 16 KB.
  candidate: 16_384,
  "choices[].value": 100,
  code: 64,
  color: 7,
  connection_id: 64,
  content: 4_000,
  content_type: 64,
  custom_id: 100,
  emoji: 64,
  from: 5,
  icon_url: urlLengthMax,
  id: 100,
  locale: 64,
  mime_type: 128,
  modal_id: 100,
  muted_until: 24,
  name: 100,
  nickname: 32,
  placeholder: 150,
  // Signed addresses: percent-encoding makes twelve bytes of a code point.
  proxy_icon_url: 3 * urlLengthMax,
  proxy_url: 3 * urlLengthMax,
  "reasons[]": 512,
  role_color: 7,
  sdp: 16_384,
  stream_type: 16,
  target_type: 32,
  // An id, a stored name, a time and a signature.
  thumbnail_url: 320,
  timezone: 64,
  to: 5,
  token: 64,
  url: 3 * urlLengthMax,
  username: 32,
  value: 4_000,
  "values[]": 100,
};
/** Bytes of parts that are bounded as wholes. */
const wholes: Readonly<Record<string, number>> = {
  // The limit of embeds and components together.
  embeds: embedLimits.bytes,
  components: 0,
  // Text and author: its files take the place of the message's own.
  forwarded: 80_000,
  data: bodyBytesMax,
  // The longest is the face of a server: a few texts and addresses.
  details: 64_000,
};

const Node = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  maxLength: z.number().optional(),
  maxItems: z.number().optional(),
  get items() {
    return Node.optional();
  },
  get properties() {
    return z.record(z.string(), Node).optional();
  },
  get additionalProperties() {
    return z.union([Node, z.boolean()]).optional();
  },
  get anyOf() {
    return z.array(Node).optional();
  },
  get oneOf() {
    return z.array(Node).optional();
  },
  get allOf() {
    return z.array(Node).optional();
  },
});
type Node = z.infer<typeof Node>;

/** Bytes of the longest JSON that a schema describes. */
function largest(node: Node, name: string): number {
  const whole = wholes[name];
  if (whole !== undefined) return whole;
  if (node.enum !== undefined) return Math.max(...node.enum.map((value) => JSON.stringify(value).length));
  if (node.const !== undefined) return JSON.stringify(node.const).length;
  const options = [...(node.anyOf ?? []), ...(node.oneOf ?? [])];
  if (options.length > 0) return Math.max(...options.map((option) => largest(option, name)));
  if (node.allOf !== undefined) return node.allOf.reduce((sum, part) => sum + largest(part, name), 0);
  if (Array.isArray(node.type)) return Math.max(...node.type.map((type) => largest({ ...node, type }, name)));
  switch (node.type) {
    case "string":
      if (node.format === "uuid" || node.format === "date-time") return 2 + 36;
      return 2 + codePointBytes * bound(name, node.maxLength);
    case "array":
      return 2 + bound(name, node.maxItems, entries) * (1 + largest(node.items ?? {}, `${name}[]`));
    case "object": {
      const { additionalProperties: values, properties = {} } = node;
      const named = Object.entries(properties).map(([key, part]) => {
        const within = `${name}.${key}`;
        return key.length + 4 + largest(part, within in lengths ? within : key);
      });
      const others =
        typeof values === "object" && values.type !== undefined
          ? bound(name, undefined, entries) * (40 + largest(values, `${name}{}`))
          : 0;
      return 2 + named.reduce((sum, bytes) => sum + bytes, others);
    }
    case "boolean":
      return 5;
    case "integer":
    case "number":
      return 24;
    case "null":
      return 4;
    default:
      throw new Error(`What ${name} may have is not known: ${JSON.stringify(node)}`);
  }
}

/** Names of parts whose bound nothing here knows. */
const unbounded = new Set<string>();

function bound(name: string, given: number | undefined, table = lengths): number {
  const found = given ?? table[name];
  if (found === undefined) unbounded.add(name);
  return found ?? 0;
}

/** Made by the gateways for their own connections, from the database: no such event passes NATS. */
const madeByGateways = ["SERVER_JOIN", "SERVER_LEAVE"];

test("every event fits NATS with all that it may have at once", () => {
  const names = Object.keys(events).filter((name): name is EventName => isEventName(name));
  const sizes = names
    .filter((name) => !madeByGateways.includes(name))
    .map((name) => {
      const schema = z.toJSONSchema(events[name].payload, { unrepresentable: "any", reused: "inline" });
      return { name, bytes: largest(Node.parse(withoutReferences(schema)), name) };
    });
  expect([...unbounded]).toEqual([]);
  expect(sizes.filter(({ bytes }) => bytes > eventBytesMax)).toEqual([]);
  expect(sizes.find(({ name }) => name === "MESSAGE_CREATE")?.bytes).toBeGreaterThan(150_000);
});

/** The schema with its definitions in their places; none contains itself. */
function withoutReferences(schema: object): unknown {
  const { $defs = {} } = z.object({ $defs: z.record(z.string(), z.unknown()).optional() }).parse(schema);
  const place = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(place);
    if (typeof value !== "object" || value === null) return value;
    const reference = "$ref" in value && typeof value.$ref === "string" ? value.$ref : null;
    if (reference !== null) return place($defs[reference.replace("#/$defs/", "")]);
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, key === "$defs" ? {} : place(part)]));
  };
  return place(schema);
}
