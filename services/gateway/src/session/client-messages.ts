import { isUtf8 } from "node:buffer";
import { ClientEnvelope, type ClientEventName, type ClientOp } from "@parley/contracts";
import { runOperation } from "@parley/messaging";
import type { Logger } from "@parley/service-runtime";
import type { Connection } from "../connection/connection.js";
import { pendingOpsMax } from "../limits.js";
import type { GatewayMetrics } from "../metrics.js";
import { SerialQueue } from "../scheduling/serial-queue.js";

/** Handles one op of a client; `d` is not validated yet. Invalid ops are dropped without an answer. */
export type OpHandler = (connection: Connection, d: unknown) => void | Promise<void>;

/** Every event that an op may cause, as an endpoint declares them. */
const causes: Readonly<Record<ClientOp, readonly ClientEventName[]>> = {
  HEARTBEAT: [],
  PRESENCE_UPDATE: ["PRESENCE_UPDATE"],
  TYPING_START: ["TYPING_START"],
  VOICE_SIGNAL: ["VOICE_SIGNAL"],
  PRESENCE_SUBSCRIBE: ["PRESENCE_UPDATE"],
  VIEW: [],
};

/** The ops that bots may send; others of theirs are ignored (docs/protocol/apps.md#12). */
const opsOfBots: readonly ClientOp[] = ["HEARTBEAT", "PRESENCE_SUBSCRIBE", "VIEW"];

/** The messages of clients; the ops of one connection are handled one at a time, in order. */
export class ClientMessages {
  constructor(
    private readonly options: { ops: Readonly<Record<ClientOp, OpHandler>>; metrics: GatewayMetrics; logger: Logger },
  ) {}

  /**
   * Takes one message of a client, within its rate. An invalid message is dropped and the connection stays open
   * (docs/protocol/connecting.md#14.2).
   */
  receive(connection: Connection, data: Uint8Array, isBinary: boolean): void {
    const envelope = isBinary ? null : readEnvelope(data);
    if (envelope === null) return;
    const { op, d } = envelope;
    if (connection.isBot && !opsOfBots.includes(op)) return;
    connection.ops ??= this.#createQueue();
    connection.ops.add(() => {
      if (connection.state === "closed") return;
      const work = runOperation({ name: op, causes: causes[op] }, () => this.options.ops[op](connection, d));
      return work === undefined ? undefined : this.#finish(work, op);
    });
  }

  #createQueue(): SerialQueue {
    const { metrics, logger } = this.options;
    const drop = () => {
      metrics.messagesDropped += 1;
    };
    return new SerialQueue(pendingOpsMax, drop, (err) => logger.error({ err }, "an op failed"));
  }

  async #finish(work: Promise<void>, op: ClientOp): Promise<void> {
    try {
      await work;
    } catch (err) {
      // Ops have no answer, and an outdated repetition would be worse than the loss.
      this.options.logger.warn({ err, op }, "an op was dropped");
    }
  }
}

function readEnvelope(data: Uint8Array): { op: ClientOp; d: unknown } | null {
  // ws is configured not to check: invalid UTF-8 is handled as malformed JSON, which does not close the connection.
  if (!isUtf8(data)) return null;
  try {
    const parsed = ClientEnvelope.safeParse(JSON.parse(Buffer.from(data).toString()));
    return parsed.success ? { op: parsed.data.op, d: parsed.data.d } : null;
  } catch {
    return null;
  }
}
