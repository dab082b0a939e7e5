import { createEvent } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { isGatewayGone, type Messaging, notify, publishLive } from "@parley/messaging";
import type { Closable, Logger } from "@parley/service-runtime";
import type { FileUrls } from "../../platform/files/signed-urls.js";
import { type DueRows, runBatches, startRepeating } from "../../platform/load/start-repeating.js";
import { createAnnounceState, toState } from "./announce.js";
import type { InteractionRow } from "./answer-repository.js";
import { gatewayAnswerMs } from "./limits.js";
import {
  claimUnannounced,
  expireInteractions,
  failOverdue,
  findHolders,
  findWaitingBots,
  releaseGateway,
} from "./sweep-repository.js";

/** How often each process deletes interactions whose time is over, and how many with one statement. */
const expireIntervalMs = 10_000;
const expireBatchMax = 1_000;

interface Options {
  database: Database;
  messaging: Messaging;
  urls: FileUrls;
  logger: Logger;
  due: DueRows;
}

/**
 * Ends interactions that were not answered in time, announces states whose process died before it could, and finds other connections
 * for what a dead gateway had (docs/architecture.md#interactions). Every process does so: the rows decide who does what.
 */
export function startSweepingInteractions({ database, messaging, urls, logger, due }: Options): Closable {
  const announceState = createAnnounceState({ database, messaging, logger });
  const suspects = new Set<string>();

  const announce = async (rows: readonly InteractionRow[]) => {
    for (const row of rows) announceState(row, await toState(database, row, urls));
  };
  const tellGateways = (botUserIds: Iterable<string>) => {
    for (const user_id of botUserIds) publishLive(messaging, createEvent("INTERACTION_PENDING", { user_id }, {}));
  };

  /** A gateway that is asked while NATS comes back seems to be gone, so it is asked twice. */
  const releaseGone = async () => {
    const holders = await findHolders(database);
    const gone = await Promise.all(holders.map((id) => isGatewayGone(messaging, id, gatewayAnswerMs)));
    const missing = holders.filter((_, index) => gone[index]);
    for (const id of missing.filter((each) => suspects.has(each))) tellGateways(await releaseGateway(database, id));
    suspects.clear();
    for (const id of missing) suspects.add(id);
  };

  const sweep = async () => {
    await announce(await failOverdue(database));
    await announce(await claimUnannounced(database));
    const waiting = await findWaitingBots(database);
    tellGateways(waiting.filter(({ by_http }) => !by_http).map(({ bot_user_id }) => bot_user_id));
    if (waiting.some(({ by_http }) => by_http)) notify(messaging, "interactionsWaiting", {});
    await releaseGone();
  };
  return startRepeating({
    work: sweep,
    due,
    onFailure: (err) => logger.warn({ err }, "interactions could not be looked after"),
  });
}

/** Deletes interactions 15 minutes after they began, with what was answered to the invoker alone. */
export function startExpiringInteractions({ database, logger }: Pick<Options, "database" | "logger">): Closable {
  return startRepeating({
    work: (signal) => runBatches(() => expireInteractions(database, expireBatchMax), signal),
    intervalMs: expireIntervalMs,
    onFailure: (err) => logger.warn({ err }, "interactions could not be deleted"),
  });
}
