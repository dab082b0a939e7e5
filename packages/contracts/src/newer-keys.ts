/** Keys of messages that connections without `v=2` and webhooks do not get (docs/protocol/messages.md#33.3). */
const messageKeys = ["mention_role_ids", "mention_here", "forwarded"] as const;
type MessageKey = (typeof messageKeys)[number];
/**
 * The same, that of removed reactions (docs/protocol/messages.md#28.7), and those of accounts, wherever an account stands in a payload.
 */
const newerKeys: ReadonlySet<string> = new Set([
  ...messageKeys,
  "cleared",
  "display_name",
  "status_expires_at",
  // That of voice states.
  "suppressed",
  // Those of invites.
  "role_ids",
  "vanity",
  // Those of servers.
  "require_second_factor",
]);
const marks = [...newerKeys].map((key) => `"${key}":`);

/**
 * Whether a payload has one of the keys that connections without `v=2` do not get.
 *
 * @param json as JSON.stringify writes it: in the text of a value, a backslash would precede the quotation marks
 */
export const hasNewerKeys = (json: string): boolean => marks.some((mark) => json.includes(mark));

/**
 * A message as the payload of its event: the newer keys stand behind those of the event, so that deliveries to webhooks, which
 * end before these, do not have them.
 */
export function inEvent<Message extends { [Key in MessageKey]?: unknown }, Fields extends object>(
  message: Message,
  fields: Fields,
): Message & Fields {
  const older: Partial<Message> = { ...message };
  const newer: Partial<Message> = {};
  for (const key of messageKeys) {
    delete older[key];
    if (message[key] !== undefined) newer[key] = message[key];
  }
  return { ...older, ...fields, ...newer } as Message & Fields;
}

/**
 * The text of an event for connections without `v=2`, whose facts say `newer`.
 *
 * @param frame a DISPATCH frame
 */
export function withoutNewerKeys(frame: string): string {
  return JSON.stringify(JSON.parse(frame, (key, value) => (newerKeys.has(key) ? undefined : value)));
}
