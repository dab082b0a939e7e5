import type { ParleyClient } from "./client.js";
import type { Member, NewInteraction, PublicProfile } from "./generated/index.js";

/**
 * A request to a bot, and the user who sent it. Its functions can be taken out of it: `({ reply }) => reply("Hello")`.
 */
export interface Interaction {
  /** For requests in the name of the bot. */
  readonly client: ParleyClient;
  /** As the server sent it. */
  readonly raw: NewInteraction;
  /** The server where it was asked. */
  readonly serverId: string;
  /** The channel where it was asked. */
  readonly channelId: string;
  /** The user who sent it. */
  readonly user: PublicProfile;
  /** Their membership in the server. */
  readonly member: Member;
  /** Bits of `Permission` that they have in the channel. */
  readonly permissions: number;
  /** The language that they read, such as `de`; null when it is not known. */
  readonly locale: string | null;
}

/** A command whose option is being typed. */
export interface Autocompletion extends Interaction {
  /** Name of the command. */
  readonly name: string;
  /** The values so far, all unchecked. */
  readonly options: Readonly<Record<string, string | number | boolean>>;
}
