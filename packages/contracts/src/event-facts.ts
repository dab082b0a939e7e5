/**
 * Header with the facts of a payload that gateways need, so that no gateway parses a payload: `name=value`, separated by
 * semicolons. An entry of the registry says which facts its event has; one of them is in every event of that name. They share a
 * header, because each line of headers costs a receiver as much as a small payload that it parses.
 */
export const factsHeader = "Parley-Facts";

/** Facts of one event. No value has a semicolon. */
export interface EventFacts {
  /** The message that the event brings or changes. */
  message?: string | undefined;
  /** The author of a new message. */
  author?: string | undefined;
  /** `everyone`, or the users whom the message mentions by name, comma-separated. */
  mentions?: string | undefined;
  /** The roles that the message mentions, comma-separated. */
  roles?: string | undefined;
  /** `1`: the message mentions the members who are connected. */
  here?: string | undefined;
  /** `1`: the payload has keys that connections without `v=2` do not get ({@link withoutNewerKeys}). */
  newer?: string | undefined;
  /** The thread that a new message is in. */
  thread?: string | undefined;
  /** The member whose roles or names change; the partner in a channel of direct messages that opens. */
  user?: string | undefined;
  /** The server that a user joined or left. */
  server?: string | undefined;
  /** Why the user is no member any more. */
  reason?: string | undefined;
  /** The channel that the user read. */
  channel?: string | undefined;
  /** Up to which time they read it. */
  read_at?: string | undefined;
  /** The threads that the user follows, comma-separated, or `none`. */
  follows?: string | undefined;
  /** The connections that end: `all`, or `connection`, `session` or `before` (a version of the sessions) with a value. */
  ends?: string | undefined;
}

/** The facts as the value of their header; null without any. */
export function writeFacts(facts: EventFacts): string | null {
  const parts = Object.entries(facts).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  return parts.length === 0 ? null : parts.join(";");
}

/** The facts in the value of their header, of a repeated one the last; null without the header. */
export function readFacts(header: string | null): EventFacts | null {
  if (header === null) return null;
  return Object.fromEntries(
    header.split(";").map((part) => {
      const end = part.indexOf("=");
      return [part.slice(0, end), part.slice(end + 1)];
    }),
  );
}
