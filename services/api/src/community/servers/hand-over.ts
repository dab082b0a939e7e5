import { caps, createEvent, errorTexts, invalidInput, notFound, type Server, ServiceError } from "@parley/contracts";
import type { Transaction } from "@parley/database/prisma";
import { isMember } from "@parley/moderation";
import { lockAccount, requireBelowCap } from "../../access/caps.js";
import type { InServer, MemberAccess, ServerChange } from "../../access/may.js";
import type { Device } from "../../accounts/auth/device.js";
import type { RequirePassword } from "../../accounts/auth/require-password.js";
import { findBotOwner } from "../../people/users/repository.js";
import type { EndUnentitledVoice } from "../../voice/voice/end-unentitled.js";
import { countOwnedServers, updateServer } from "./repository.js";
import { toRawServer, toServer } from "./resource.js";
import type { HandOverServer } from "./schema.js";

/**
 * Makes another member the owner of a server; the caller stays a member.
 *
 * @throws ServiceError 404 for non-members, 403 for members who do not own it; 400 for a wrong password, 429 after too
 * many; 404 for a new owner without a membership, 400 for a bot and at the new owner's cap
 */
export type HandOver = (may: InServer, request: HandOverServer, device: Device) => Promise<Server>;

/** Creates {@link HandOver}. */
export function createHandOver(options: {
  requirePassword: RequirePassword;
  endUnentitledVoice: EndUnentitledVoice;
}): HandOver {
  const { requirePassword, endUnentitledVoice } = options;

  const change = async ({ transaction, emit, access, audit }: ServerChange<MemberAccess>, to: string) => {
    const { serverId, userId: from } = access;
    await requireNewOwner(transaction, { serverId, from, to });
    const updated_at = from === to ? undefined : new Date();
    const server = await updateServer(transaction, serverId, { owner_id: to, updated_at });
    if (from === to) return toServer(server);
    emit(createEvent("SERVER_OWNER_CHANGED", { server_id: serverId }, { server_id: serverId, user_id: to }));
    emit(createEvent("SERVER_UPDATE", { server_id: serverId }, toRawServer(server)));
    await audit("owner_change", serverId, { from, to });
    return toServer(server);
  };

  return async (may, { user_id: to, password }, device) => {
    const { serverId, userId } = await may.access();
    await requirePassword(userId, password, device).catch((error: unknown) => {
      const isWrong = error instanceof ServiceError && error.message === errorTexts.wrong_password;
      throw isWrong ? invalidInput(errorTexts.wrong_password) : error;
    });
    const server = await may.change(
      (step) => change(step, to),
      (transaction) => lockNewOwner(transaction, to),
    );
    await endUnentitledVoice(serverId);
    return server;
  };
}

interface NewOwner {
  serverId: string;
  from: string;
  to: string;
}

/** An account whose deletion has begun is no member any more. */
async function lockNewOwner(transaction: Transaction, userId: string): Promise<void> {
  await lockAccount(transaction, userId).catch((error: unknown) => {
    throw error instanceof ServiceError ? notFound(errorTexts.member_not_found) : error;
  });
}

async function requireNewOwner(transaction: Transaction, { serverId, from, to }: NewOwner): Promise<void> {
  if (!(await isMember(transaction, { serverId, userId: to }))) throw notFound(errorTexts.member_not_found);
  if (from === to) return;
  if ((await findBotOwner(transaction, to)) !== undefined) throw invalidInput(errorTexts.bots_cannot_own_servers);
  requireBelowCap(caps.ownedServers, await countOwnedServers(transaction, to));
}
