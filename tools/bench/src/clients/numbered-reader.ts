import { clockMs } from "../clock.js";
import { NumberedClient } from "./numbered-client.js";
import { type NumberedAnswers, NumberedCommand } from "./numbered-protocol.js";

type Command<C extends NumberedCommand["command"]> = Extract<NumberedCommand, { command: C }>;

/** One process of numbered clients: it remembers which of them got which event, and when. */
class NumberedReader {
  #clients: { number: number; client: NumberedClient }[] = [];
  readonly #arrivals: { clients: number[]; events: number[]; at: number[] } = { clients: [], events: [], at: [] };
  #onArrival: () => void = () => undefined;

  async connect({ port, clients, inFlightMax }: Command<"connect">): Promise<NumberedAnswers["connect"]> {
    const created = clients.map(({ number, path }) => ({
      number,
      client: new NumberedClient(path, (event) => this.#record(number, event)),
    }));
    this.#clients.push(...created);
    let next = 0;
    let failed = 0;
    const lane = async () => {
      for (let one = created[next++]; one !== undefined; one = created[next++]) {
        if (!(await one.client.connect(port))) failed += 1;
      }
    };
    await Promise.all(Array.from({ length: inFlightMax }, lane));
    return { failed };
  }

  async continue({ port }: Command<"continue">): Promise<NumberedAnswers["continue"]> {
    await Promise.all(this.#clients.map(({ client }) => client.closed()));
    const startedAt = clockMs();
    const answeredAt: number[] = [];
    const answers: Record<string, number> = {};
    const begunAnew: number[] = [];
    let cut = 0;
    const continueOne = async ({ number, client }: { number: number; client: NumberedClient }) => {
      cut += await client.continue(port);
      if (client.answer !== "RESUMED") begunAnew.push(number);
      if (client.answer === null) return;
      answeredAt.push(clockMs());
      answers[client.answer] = (answers[client.answer] ?? 0) + 1;
    };
    await Promise.all(this.#clients.map(continueOne));
    const failed = this.#clients.length - answeredAt.length;
    return { startedAt, answeredAt: Float64Array.from(answeredAt), answers, cut, failed, begunAnew };
  }

  async collect({ events, quietMs }: Command<"collect">): Promise<NumberedAnswers["collect"]> {
    if (this.#arrivals.at.length < events) {
      await new Promise<void>((resolve) => {
        const timeout = setTimeout(resolve, quietMs);
        this.#onArrival = () => {
          timeout.refresh();
          if (this.#arrivals.at.length < events) return;
          clearTimeout(timeout);
          resolve();
        };
      });
    }
    return {
      clients: Uint32Array.from(this.#arrivals.clients),
      events: Uint32Array.from(this.#arrivals.events),
      arrivedAt: Float64Array.from(this.#arrivals.at),
    };
  }

  #record(client: number, event: number): void {
    this.#arrivals.clients.push(client);
    this.#arrivals.events.push(event);
    this.#arrivals.at.push(clockMs());
    this.#onArrival();
  }
}

const reader = new NumberedReader();

function obey(command: NumberedCommand): Promise<object> {
  switch (command.command) {
    case "connect":
      return reader.connect(command);
    case "continue":
      return reader.continue(command);
    case "collect":
      return reader.collect(command);
  }
}

process.on("message", async (message) => process.send?.(await obey(NumberedCommand.parse(message))));
// The benchmark is over, however it ended.
process.on("disconnect", () => process.exit());
