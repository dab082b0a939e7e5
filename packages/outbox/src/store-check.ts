import { randomUUID } from "node:crypto";
import { subjects } from "@parley/contracts";
import { type Messaging, publishStored } from "@parley/messaging";
import { Gauge, type Registry } from "prom-client";
import { storeCheckIntervalMs, storeCheckRetryMs, storeCheckTimeoutMs } from "./limits.js";

/**
 * Checks whether the stream EVENTS stores events. Stores a heartbeat now, after each reconnect and every {@link
 * storeCheckIntervalMs}: a NATS server whose disk was full answers pings and stores nothing until it is restarted. The
 * gauge `stream_writable` has the latest outcome.
 */
export function checkStore({ messaging, registry }: { messaging: Messaging; registry: Registry }) {
  const gauge = new Gauge({
    name: "stream_writable",
    help: "1 when the stream of events stored the latest heartbeat of this process, otherwise 0",
    registers: [registry],
  });
  let failure: unknown = null;
  const store = async () => {
    const heartbeat = { id: randomUUID(), subject: subjects.storedHeartbeat, body: "", headers: {} };
    try {
      await messaging.whileConnected(publishStored(messaging, heartbeat, storeCheckTimeoutMs));
      failure = null;
    } catch (error) {
      failure = error;
    }
    gauge.set(failure === null ? 1 : 0);
  };
  let timer: NodeJS.Timeout;
  let latest = Promise.resolve();
  const storeNow = () => {
    clearTimeout(timer);
    latest = store().finally(() => {
      timer = setTimeout(storeNow, failure === null ? storeCheckIntervalMs : storeCheckRetryMs);
    });
  };
  const removeListener = messaging.onConnectionChange(storeNow);
  storeNow();
  return {
    /**
     * Resolves when NATS answers now and stored the latest heartbeat of this process.
     *
     * @throws the error
     */
    async check(timeoutMs: number): Promise<void> {
      await messaging.ping(timeoutMs);
      await latest;
      if (failure !== null) throw failure;
    },
    async close(): Promise<void> {
      removeListener();
      await latest;
      clearTimeout(timer);
    },
  };
}
