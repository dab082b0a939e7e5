import type { ParleyClient } from "./client.js";
import { ParleyError } from "./error.js";
import type { InteractionsAnswerBody, NewInteraction } from "./generated/index.js";

/** How an interaction stands, as far as this program has answered it. */
type Stand = "open" | "deferred" | "answered";

/** Errors of answers to interactions that another connection of the bot had answered before. */
const handOvers = new WeakSet<object>();

/**
 * Whether an error says that an interaction was answered already when it was handed to this connection: the connection
 * that had it before was lost after its answer. The handler ends with that error, so that nothing which follows the
 * answer happens twice; it is no failure.
 */
export const isHandOver = (error: unknown): boolean =>
  typeof error === "object" && error !== null && handOvers.has(error);

/** Sends the answers to one interaction, one after another. */
export class InteractionAnswers {
  readonly #client: ParleyClient;
  readonly #raw: NewInteraction;
  #stand: Stand = "open";
  #last: Promise<unknown> = Promise.resolve();

  /** For an interaction that was not answered. */
  constructor(client: ParleyClient, raw: NewInteraction) {
    this.#client = client;
    this.#raw = raw;
  }

  /** Resolves once everything that was to be sent is sent; with whether the interaction still waits for an answer. */
  async settled(): Promise<boolean> {
    await this.#last;
    return this.#stand !== "answered";
  }

  /**
   * Sends an answer; with `follow_up` one that comes after the first.
   *
   * @returns the id of the message that was sent or replaced, null when it is none of the channel
   * @throws Error when the interaction is answered otherwise; ParleyError as every request
   */
  send(body: InteractionsAnswerBody): Promise<string | null> {
    const sent = this.#last.then(() => this.#send(body));
    this.#last = sent.catch(() => undefined);
    return sent;
  }

  /** Ends an interaction whose handler has failed. */
  async fail(text: string): Promise<void> {
    if (!(await this.settled())) return;
    const answer: InteractionsAnswerBody =
      this.#raw.type === "autocomplete"
        ? { type: "choices", data: [] }
        : { type: "message", data: { content: text, ephemeral: true } };
    // The answer fails for the reason of the handler's failure, or because the interaction has expired; both are
    // reported already.
    await this.send(answer).catch(() => undefined);
  }

  async #send(body: InteractionsAnswerBody): Promise<string | null> {
    const before = this.#stand;
    if (body.follow_up === true) {
      if (before !== "answered") throw new Error("A follow-up comes after a first answer: reply is the first.");
    } else if (before === "answered") {
      throw new Error("This interaction is answered already: followUp sends more.");
    } else if (before === "deferred" && body.type !== "message") {
      throw new Error("What was deferred is completed by reply.");
    }
    this.#stand = body.type === "deferred" ? "deferred" : "answered";
    try {
      return (await this.#client.interactions.answer(this.#raw.id, this.#raw.token, body)).message_id;
    } catch (error) {
      if (before === "open" && error instanceof ParleyError && error.code === "already_answered") handOvers.add(error);
      else this.#stand = before;
      throw error;
    }
  }
}
