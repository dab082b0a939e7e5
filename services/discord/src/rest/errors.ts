/** A tree of faults of a body, as Discord's error 50035 carries it. */
export interface FaultTree {
  _errors?: { code: string; message: string }[];
  [key: string]: FaultTree | FaultTree["_errors"];
}

/** An answer other than success (docs/discord.md#rest). */
export class DiscordError extends Error {
  override name = "DiscordError";
  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
    readonly errors?: FaultTree,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }

  get body(): object {
    return { message: this.message, code: this.code, ...(this.errors === undefined ? {} : { errors: this.errors }) };
  }
}

/** The codes of Discord's documentation that this service answers: status and text of each. */
const codes = {
  0: [404, "404: Not Found"],
  10003: [404, "Unknown Channel"],
  10004: [404, "Unknown Guild"],
  10006: [404, "Unknown Invite"],
  10007: [404, "Unknown Member"],
  10008: [404, "Unknown Message"],
  10009: [404, "Unknown Overwrite"],
  10011: [404, "Unknown Role"],
  10013: [404, "Unknown User"],
  10014: [404, "Unknown Emoji"],
  10015: [404, "Unknown Webhook"],
  10026: [404, "Unknown Ban"],
  10057: [404, "Unknown Guild template"],
  10060: [404, "Unknown sticker"],
  10061: [404, "Unknown Sticker Pack"],
  10062: [404, "Unknown interaction"],
  10063: [404, "Unknown application command"],
  10065: [404, "Unknown Voice State"],
  10067: [404, "Unknown Stage Instance"],
  10070: [404, "Unknown Guild Scheduled Event"],
  10097: [404, "Unknown sound"],
  20012: [403, "You are not authorized to perform this action on this application"],
  20016: [429, "This action cannot be performed due to slowmode rate limit"],
  30005: [400, "Maximum number of guild roles reached"],
  30007: [400, "Maximum number of webhooks reached"],
  30008: [400, "Maximum number of emojis reached"],
  30013: [400, "Maximum number of guild channels reached"],
  30016: [400, "Maximum number of invites reached"],
  30032: [400, "Maximum number of application commands reached"],
  40005: [413, "Request entity too large"],
  40032: [400, "Target user is not connected to voice."],
  40060: [400, "Interaction has already been acknowledged."],
  50001: [403, "Missing Access"],
  50004: [404, "Guild widget disabled"],
  50005: [403, "Cannot edit a message authored by another user"],
  50006: [400, "Cannot send an empty message"],
  50007: [403, "Cannot send messages to this user"],
  50013: [403, "Missing Permissions"],
  50016: [
    400,
    "Provided too few or too many messages to delete. Must provide at least 2 and fewer than or equal to 100 messages to delete",
  ],
  50024: [400, "Cannot execute action on this channel type"],
  50027: [401, "Invalid Webhook Token"],
  50028: [400, "Invalid role"],
  50033: [400, "Invalid Recipient(s)"],
  50034: [400, "A message provided was too old to bulk delete"],
  50083: [400, "Thread is archived"],
  50109: [400, "The request body contains invalid JSON."],
  160004: [400, "A thread has already been created for this message"],
  500000: [400, "Failed to ban users"],
} as const satisfies Record<number, readonly [status: number, text: string]>;
export type DiscordCode = keyof typeof codes;

/** The error with one of Discord's codes. */
export function discordError(code: DiscordCode): DiscordError {
  const [status, text] = codes[code];
  return new DiscordError(status, code, text);
}

/** 401 of a wrong token. */
export const unauthorized = () => new DiscordError(401, 0, "401: Unauthorized");

/** Where a fault is in a body. */
export type FaultPath = readonly (string | number)[];

/** One fault of a body: where it is, Discord's name for the rule, and a sentence. */
export interface Fault {
  readonly path: FaultPath;
  readonly code: string;
  readonly message: string;
}

/** Error 50035, whose `errors` is a tree of the keys of the body. */
export function invalidForm(faults: readonly Fault[]): DiscordError {
  const tree: FaultTree = {};
  for (const { path, code, message } of faults) {
    let node = tree;
    for (const key of path) {
      node[key] ??= {};
      node = node[key] as FaultTree;
    }
    node._errors = [...(node._errors ?? []), { code, message }];
  }
  return new DiscordError(400, 50035, "Invalid Form Body", tree);
}

/**
 * An error of the api whose faults are named by the bot's body, which has another form than the api's. Any other error
 * stays.
 *
 * @param move the place in the bot's body of one in the api's
 */
export function movedFaults(error: unknown, move: (path: FaultPath) => FaultPath): unknown {
  if (!(error instanceof DiscordError) || error.errors === undefined) return error;
  return invalidForm(faultsOf(error.errors, []).map((fault) => ({ ...fault, path: move(fault.path) })));
}

function faultsOf({ _errors = [], ...inner }: FaultTree, path: FaultPath): Fault[] {
  const deeper = Object.entries(inner).flatMap(([key, tree]) =>
    faultsOf(tree as FaultTree, [...path, /^\d+$/.test(key) ? Number(key) : key]),
  );
  return [..._errors.map((fault) => ({ ...fault, path })), ...deeper];
}

/** Error 50035 for a part of Discord's API that this service has not. */
export const unsupported = (path: readonly (string | number)[], what: string) =>
  invalidForm([{ path, code: "UNSUPPORTED", message: `${what} is not supported.` }]);
