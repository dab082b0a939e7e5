/**
 * Facts of payloads that gateways need, each in a header of the event, so that no gateway parses a payload. An entry of the
 * registry says which facts its event has; one of them is in every event of that name.
 */
export const factHeaders = {
  /** The message that the event brings or changes. */
  message: "Parley-Message",
  /** The author of a new message. */
  author: "Parley-Author",
  /** `everyone`, or the users whom the message mentions by name, comma-separated. */
  mentions: "Parley-Mentions",
  /** The thread that a new message is in. */
  thread: "Parley-Thread",
  /** The member whose roles or names change; the partner in a channel of direct messages that opens. */
  user: "Parley-User",
  /** The server that a user joined or left. */
  server: "Parley-Server",
  /** Why the user is no member any more. */
  reason: "Parley-Reason",
  /** The channel that the user read. */
  channel: "Parley-Channel",
  /** Up to which time they read it. */
  read_at: "Parley-Read-At",
  /** The threads that the user follows, comma-separated, or `none`. */
  follows: "Parley-Follows",
  /** The connections that end: `all`, or `connection`, `session` or `before` (a version of the sessions) with a value. */
  ends: "Parley-Ends",
} as const;

/** Facts of one event, by the names of {@link factHeaders}. */
export type EventFacts = Partial<Record<keyof typeof factHeaders, string | undefined>>;

const factNames: ReadonlyMap<string, keyof EventFacts> = new Map(
  Object.keys(factHeaders).flatMap((name) => (isFactName(name) ? [[factHeaders[name], name]] : [])),
);

function isFactName(name: string): name is keyof EventFacts {
  return Object.hasOwn(factHeaders, name);
}

/** The headers that carry facts. */
export function headersOfFacts(facts: EventFacts): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(facts)) {
    if (isFactName(name) && value !== undefined) headers[factHeaders[name]] = value;
  }
  return headers;
}

/** The facts that headers carry; null when they carry none. */
export function factsOfHeaders(headers: Iterable<[name: string, values: readonly string[]]>): EventFacts | null {
  let facts: EventFacts | null = null;
  for (const [header, [value]] of headers) {
    const name = factNames.get(header);
    if (name === undefined) continue;
    facts ??= {};
    facts[name] = value;
  }
  return facts;
}
