import type { FileUrls } from "@parley/auth";
import { createEvent } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import {
  claimUnannounced,
  dueInteractions,
  failOverdue,
  findHolders,
  findWaitingBots,
  type InteractionRow,
  releaseGateway,
} from "@parley/interactions";
import { isGatewayGone, type Messaging, notify, publishLive } from "@parley/messaging";
import type { Logger } from "@parley/service-runtime";
import { type Job, wholeRound } from "../../platform/jobs/job.js";
import { createAnnounceState, toState } from "./announce.js";
import { gatewayAnswerMs } from "./limits.js";

/**
 * Ends interactions without an answer in time, announces states whose process died before it could, and finds other
 * connections for the interactions of a dead gateway (docs/processes/interactions.md#interactions). Every process does so: the
 * rows decide which process does what.
 */
export function sweepInteractions(options: {
  database: Database;
  messaging: Messaging;
  urls: FileUrls;
  logger: Logger;
}): Job {
  const { database, messaging, urls, logger } = options;
  const announceState = createAnnounceState({ database, messaging, logger });
  const suspects = new Set<string>();

  const announce = async (rows: readonly InteractionRow[]) => {
    for (const row of rows) announceState(row, await toState(database, row, urls));
    return rows.length;
  };
  const notifyGateways = (botUserIds: Iterable<string>) => {
    for (const user_id of botUserIds) publishLive(messaging, createEvent("INTERACTION_PENDING", { user_id }, {}));
  };

  /** While NATS comes back, a living gateway seems gone, so the job asks each gateway twice. */
  const releaseGone = async () => {
    const holders = await findHolders(database);
    const gone = await Promise.all(holders.map((id) => isGatewayGone(messaging, id, gatewayAnswerMs)));
    const missing = holders.filter((_, index) => gone[index]);
    for (const id of missing.filter((each) => suspects.has(each))) notifyGateways(await releaseGateway(database, id));
    suspects.clear();
    for (const id of missing) suspects.add(id);
  };

  return {
    name: "interactions",
    causes: ["INTERACTION_CREATE", "INTERACTION_UPDATE"],
    when: { due: dueInteractions },
    async batch() {
      const failed = await announce(await failOverdue(database));
      const announced = await announce(await claimUnannounced(database));
      const waiting = await findWaitingBots(database);
      notifyGateways(waiting.filter(({ by_http }) => !by_http).map(({ bot_user_id }) => bot_user_id));
      if (waiting.some(({ by_http }) => by_http)) notify(messaging, "interactionsWaiting", {});
      await releaseGone();
      return wholeRound(failed + announced);
    },
  };
}
