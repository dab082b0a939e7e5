import { Retention } from "@parley/contracts";
import type { UserClient } from "@parley/testing";

/** Where a server's retention is read and set. */
export const retentionPath = (serverId: string) => `/servers/${serverId}/retention`;

/** Sets after how many days a server's messages are removed; null for never. */
export const keepFor = async (owner: UserClient, serverId: string, retention_days: number | null) =>
  (await owner.put(retentionPath(serverId), { retention_days })).expect(200, Retention.strict());
