import { errorTexts, type InsightChannel, lastDays, notFound, type ServerInsights } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import type { MemberAccess } from "../../access/may.js";
import { findViewableChannels } from "../../access/repository.js";
import { fillDays } from "./days.js";
import { findDays, findSpans } from "./repository.js";

/** The figures of a server over the last days, without channels that the caller may not view. */
export async function readInsights(
  database: Database,
  { serverId, userId }: MemberAccess,
  days: number,
): Promise<ServerInsights> {
  const found = await findSpans(database, serverId);
  if (found === undefined) throw notFound(errorTexts.server_not_found);
  const dates = lastDays(days, { now: new Date(), timeZone: found.timezone }).map(({ date }) => date);
  const [from = "", until = ""] = [dates[0], dates.at(-1)];
  const counted = await findDays(database, { serverId, from, until });
  const span = found.spans[days];
  const byId = new Map(span?.channels.map((channel) => [channel.channel_id, channel]));
  const channels = (await findViewableChannels(database, serverId, userId)).flatMap(
    ({ id, type }): InsightChannel[] => {
      const quiet = type === "voice" ? [] : [{ channel_id: id, messages: 0, writers: 0 }];
      const channel = byId.get(id);
      return channel === undefined ? quiet : [channel];
    },
  );
  return {
    days: fillDays(dates, counted),
    channels: channels.toSorted((one, other) => other.messages - one.messages),
    invites: span?.invites ?? [],
  };
}
