import type { ReceivedEvent } from "@parley/messaging";

/** Whether an event is sent wherever a user is: it brings a message that mentions everyone, or all who are connected. */
export const concernsEveryone = (event: ReceivedEvent): boolean =>
  bringsMessage(event) && (event.facts.mentions === "everyone" || event.facts.here !== undefined);

/** The roles whose holders an event concerns, as its message mentions them. */
export const concernedRoles = (event: ReceivedEvent): string[] =>
  bringsMessage(event) ? (event.facts.roles?.split(",") ?? []) : [];

/** The users whom an event's message mentions by name. */
export function mentionedUsers({ facts: { mentions } }: ReceivedEvent): string[] {
  return mentions === undefined || mentions === "everyone" ? [] : mentions.split(",");
}

/**
 * The users whom an event of a channel concerns by name: the users whom a message mentions, the author whom it answers,
 * and its own author (docs/protocol/passive-servers.md#27). The caller adds the followers of its thread.
 */
export function concernedUsers(event: ReceivedEvent): string[] {
  if (!bringsMessage(event)) return [];
  const others = [event.facts.author, event.answers].filter((id) => typeof id === "string");
  return [...new Set([...mentionedUsers(event), ...others])];
}

/** An edit mentions users, too, and concerns nobody by name. */
const bringsMessage = ({ address: { event } }: ReceivedEvent): boolean =>
  event === "MESSAGE_CREATE" || event === "THREAD_MESSAGE_CREATE";
