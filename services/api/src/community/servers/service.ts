import {
  caps,
  conflict,
  createEvent,
  errorTexts,
  forbidden,
  invalidInput,
  isPictureAddress,
  notFound,
  type Server,
  type ServerTemplate,
} from "@parley/contracts";
import type { Database, Queryable, Transaction } from "@parley/database/prisma";
import type { Emit, Outbox } from "@parley/outbox";
import { appendAudit } from "../../access/audit-log/repository.js";
import { lockAccount, requireBelowCap } from "../../access/caps.js";
import { lacksFactor } from "../../access/factor-repository.js";
import type { InServer, MemberAccess } from "../../access/may.js";
import { owner } from "../../access/needs.js";
import { allowedPictureUrl } from "../../platform/files/pictures/unless-set.js";
import { isEmptyChange } from "../../platform/http/empty-change.js";
import type { ChangeTurns } from "../../platform/load/change-turns.js";
import { countingRefusal } from "../../rules/raids/joins.js";
import type { LeaveServer } from "../members/leave-server.js";
import { addMember } from "../members/membership.js";
import { builtInTemplates } from "../server-templates/built-in.js";
import type { DeleteServer } from "./delete-server.js";
import {
  countOwnedServers,
  findJoinable,
  findServer,
  findServersOf,
  insertServer,
  lockOpenness,
  updateServer,
} from "./repository.js";
import { type ServerRow, toRawServer, toServer } from "./resource.js";
import type { CreateServer, UpdateServer } from "./schema.js";

/** The right to change a server. */
export const updateRight = owner(errorTexts.server_update_owner_only);

export function createServerService(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  turns: ChangeTurns;
  leaveServer: LeaveServer;
  deleteServer: DeleteServer;
}) {
  const { database, outbox, turns, leaveServer, deleteServer } = options;

  return {
    /** Servers that the caller belongs to, oldest first. */
    async list(userId: string): Promise<Server[]> {
      return (await findServersOf(database, userId)).map(toServer);
    },

    async get(serverId: string): Promise<Server> {
      const row = await findServer(database, serverId);
      if (row === null) throw notFound(errorTexts.server_not_found);
      return toServer(row);
    },

    async create(userId: string, fields: CreateServer): Promise<Server> {
      const { name, icon_url, is_public, require_invite, hierarchy, template_id } = fields;
      const channels = template_id ? requireTemplate(template_id).channels : [];
      const insert = async (transaction: Transaction, emit: Emit) => {
        await lockAccount(transaction, userId);
        requireBelowCap(caps.ownedServers, await countOwnedServers(transaction, userId));
        const row = {
          name,
          icon_url: icon_url ?? null,
          is_public: is_public ?? false,
          require_invite: require_invite ?? false,
          hierarchy: hierarchy ?? false,
          owner_id: userId,
        };
        const server = await insertServer(transaction, row, channels);
        await addMember(transaction, emit, { serverId: server.id, userId });
        await appendAudit(transaction, {
          serverId: server.id,
          actorId: userId,
          action: "server_create",
          targetId: server.id,
          details: { name },
        });
        // The row was returned before its first member.
        return toServer({ ...server, member_count: 1 });
      };
      return turns.run(userId, () => outbox.transaction([], insert));
    },

    /** @param keep does further work in the transaction of another picture */
    update(
      may: InServer,
      changes: Partial<UpdateServer>,
      keep?: (transaction: Transaction) => Promise<void>,
    ): Promise<Server> {
      const changed = !isEmptyChange(changes);
      return may.change(async ({ transaction, emit, access, audit }) => {
        const { serverId } = access;
        if (changes.require_second_factor === true && (await lacksFactor(transaction, access.userId)))
          throw invalidInput(errorTexts.second_factor_to_demand);
        const pictures = keep === undefined ? await typedPictures(transaction, serverId, changes) : {};
        await keep?.(transaction);
        const updated_at = changed ? new Date() : undefined;
        const server = await updateServer(transaction, serverId, { ...changes, ...pictures, updated_at });
        const { name, icon_url, is_public } = server;
        const { require_second_factor } = changes;
        await audit("server_update", serverId, {
          ...{ name, icon_url, is_public, ...changedFace(changes, server) },
          ...(require_second_factor === undefined ? {} : { require_second_factor }),
        });
        const target = { server_id: serverId };
        if (changed) emit(createEvent("SERVER_UPDATE", target, toRawServer(server)));
        if (server.hierarchy !== access.hierarchy) {
          const part = { ...target, part: "moderation" } as const;
          emit(createEvent("SERVER_SETTINGS_UPDATE", target, part, { readers: "manage_raids" }));
        }
        return toServer(server);
      });
    },

    delete({ serverId, userId }: MemberAccess): Promise<void> {
      return deleteServer(serverId, userId);
    },

    /** Joins a public server that requires no invite. */
    async join(userId: string, serverId: string): Promise<void> {
      const add = async (transaction: Transaction, emit: Emit) => {
        await lockAccount(transaction, userId);
        // The owner may have made it private, or require an invite, while this waited.
        requireOpen(await lockOpenness(transaction, serverId));
        await addMember(transaction, emit, { serverId, userId });
      };
      await countingRefusal(database, { serverId, userId }, async () => {
        await requireJoinable(database, serverId, userId);
        await turns.run(userId, () => outbox.transaction([{ server_id: serverId }], add));
      });
    },

    async leave({ serverId, userId, isOwner }: MemberAccess): Promise<void> {
      if (isOwner) throw invalidInput(errorTexts.owner_cannot_leave);
      await leaveServer({ serverId, userId }, "left");
    },
  };
}

/**
 * @throws ServiceError 409 for a member, 404 for a missing and a private server, 403 for a banned user, for one that a
 * raid keeps out, and where an invite is needed
 */
async function requireJoinable(connection: Queryable, serverId: string, userId: string): Promise<void> {
  const server = await findJoinable(connection, serverId, userId);
  // 409 comes first, as a member may see a private server; its bans are not revealed to others (docs/protocol/versions.md#17,
  // 30).
  if (server?.is_member) throw conflict(errorTexts.already_member);
  if (server === undefined || !server.is_public) throw notFound(errorTexts.server_not_found);
  if (server.is_banned) throw forbidden(errorTexts.banned);
  if (server.is_refused) throw forbidden(errorTexts.under_raid);
  requireOpen(server);
}

/** @throws ServiceError 404 for a missing and a private server, 403 where an invite is needed */
function requireOpen(server: Pick<Server, "is_public" | "require_invite"> | undefined): void {
  if (server === undefined || !server.is_public) throw notFound(errorTexts.server_not_found);
  if (server.require_invite) throw forbidden(errorTexts.invite_required);
}

/**
 * The pictures after a request.
 *
 * @throws ServiceError 400 for the address of an uploaded picture that is not the one that is set
 */
async function typedPictures(
  transaction: Transaction,
  serverId: string,
  { icon_url, banner_url }: Partial<UpdateServer>,
): Promise<Pick<UpdateServer, "icon_url" | "banner_url">> {
  const isUploaded = (url: string | null | undefined) => url != null && isPictureAddress(url);
  if (!isUploaded(icon_url) && !isUploaded(banner_url)) return {};
  const before = await findServer(transaction, serverId);
  return {
    icon_url: allowedPictureUrl(icon_url, before?.icon_url ?? null, errorTexts.icon_url_scheme),
    banner_url: allowedPictureUrl(banner_url, before?.banner_url ?? null, errorTexts.banner_url_scheme),
  };
}

/** What an entry of the audit log says of the face: the keys that the request has. */
function changedFace(changes: Partial<UpdateServer>, { description, tags, language, banner_url, timezone }: ServerRow) {
  return {
    ...(changes.description === undefined ? {} : { description }),
    ...(changes.tags === undefined ? {} : { tags: tags.join(", ") }),
    ...(changes.language === undefined ? {} : { language }),
    ...(changes.banner_url === undefined ? {} : { banner_url }),
    ...(changes.timezone === undefined ? {} : { timezone }),
  };
}

/** @throws ServiceError 400 */
function requireTemplate(templateId: string): ServerTemplate {
  const template = builtInTemplates.find(({ id }) => id === templateId);
  if (template === undefined) throw invalidInput(errorTexts.template_unknown);
  return template;
}

export type ServerService = ReturnType<typeof createServerService>;
