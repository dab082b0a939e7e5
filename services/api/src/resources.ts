import { type AccessTokens, jwtSecrets } from "@parley/auth";
import type { Database } from "@parley/database";
import { createAddressTest } from "@parley/egress";
import type { Messaging } from "@parley/messaging";
import { createModeration } from "@parley/moderation";
import type { Outbox } from "@parley/outbox";
import type { PresenceStatuses } from "@parley/presence";
import type { RedisConnection } from "@parley/redis";
import type { Logger } from "@parley/service-runtime";
import { createVoiceRights, type Voice } from "@parley/voice";
import type { AccountDeletion } from "./account-deletion/finish.js";
import { adminLogRoutes } from "./admin-log/routes.js";
import { adminServerRoutes } from "./administration/server-routes.js";
import { createAdminServerService } from "./administration/server-service.js";
import { statsRoutes } from "./administration/stats.js";
import { adminUserRoutes } from "./administration/user-routes.js";
import { createAdminUserService } from "./administration/user-service.js";
import { attachmentRoutes } from "./attachments/routes.js";
import { createAttachmentService } from "./attachments/service.js";
import { createRecordAudit } from "./audit-log/record.js";
import { auditLogRoutes } from "./audit-log/routes.js";
import { createAuditLogService } from "./audit-log/service.js";
import { accountMailRoutes } from "./auth/account-mail-routes.js";
import { createAccountMails } from "./auth/account-mails.js";
import { createLoginAttempts } from "./auth/login-attempts.js";
import { createPasswordReset } from "./auth/password-reset.js";
import { passwordResetRoutes } from "./auth/password-reset-routes.js";
import { createRequirePassword } from "./auth/require-password.js";
import { authRoutes } from "./auth/routes.js";
import { createSecondFactor } from "./auth/second-factor.js";
import { secondFactorRoutes } from "./auth/second-factor-routes.js";
import { createAuthService } from "./auth/service.js";
import { sessionRoutes } from "./auth/session-routes.js";
import { createSessionService } from "./auth/session-service.js";
import { createAccountSessions } from "./auth/sessions.js";
import { createAutomodGate } from "./automod/gate.js";
import { automodRoutes } from "./automod/routes.js";
import { createAutomodService } from "./automod/service.js";
import { botRoutes } from "./bots/routes.js";
import { createBotService } from "./bots/service.js";
import { channelOverrideRoutes } from "./channels/override-routes.js";
import { createChannelOverrideService } from "./channels/override-service.js";
import { readStateRoutes } from "./channels/read-state-routes.js";
import { createReadStateService } from "./channels/read-state-service.js";
import { channelRoutes } from "./channels/routes.js";
import { createChannelService } from "./channels/service.js";
import { type Config, instanceRetentionDays } from "./config.js";
import { directMessageRoutes } from "./direct-messages/routes.js";
import { createDirectMessageService } from "./direct-messages/service.js";
import { emojiRoutes } from "./emojis/routes.js";
import { createEmojiService } from "./emojis/service.js";
import { exportRoutes } from "./exports/routes.js";
import { createExportService } from "./exports/service.js";
import { fileRoutes } from "./files/routes.js";
import { createFileService } from "./files/service.js";
import { createFileUrls } from "./files/signed-urls.js";
import { gifRoutes } from "./gifs/routes.js";
import { createGifService } from "./gifs/service.js";
import type { Route } from "./http/route.js";
import { iceServerRoutes } from "./ice-servers/routes.js";
import { createIceServers } from "./ice-servers/service.js";
import { instanceSettingsRoutes } from "./instance-settings/routes.js";
import { createInstanceSettingsService } from "./instance-settings/service.js";
import { inviteRoutes } from "./invites/routes.js";
import { createInviteService } from "./invites/service.js";
import { createFetchPage } from "./link-previews/fetch-page.js";
import { linkPreviewRoutes } from "./link-previews/routes.js";
import { createLinkPreviewService } from "./link-previews/service.js";
import { BackgroundQueue } from "./load/background-queue.js";
import { createChangeTurns } from "./load/change-turns.js";
import type { Mailer } from "./mail/send-mail.js";
import type { LeaveServer } from "./members/leave-server.js";
import { memberRoutes } from "./members/routes.js";
import { createMemberService } from "./members/service.js";
import { createMessageDetails } from "./messages/details.js";
import { messageRoutes } from "./messages/routes.js";
import { createSendMessage } from "./messages/send.js";
import { sendRoutes } from "./messages/send-routes.js";
import { createMessageService } from "./messages/service.js";
import { banRoutes } from "./moderation/ban-routes.js";
import { createBanService } from "./moderation/ban-service.js";
import { moderationRoutes } from "./moderation/routes.js";
import { createModerationService } from "./moderation/service.js";
import { createNonceTurns } from "./nonces/turns.js";
import { ownAccountRoutes } from "./own-account/routes.js";
import { createOwnAccountService } from "./own-account/service.js";
import { pinRoutes } from "./pins/routes.js";
import { createPinService } from "./pins/service.js";
import { pollRoutes } from "./polls/routes.js";
import { createPollService } from "./polls/service.js";
import { reactionRoutes } from "./reactions/routes.js";
import { createReactionService } from "./reactions/service.js";
import { retentionRoutes } from "./retention/routes.js";
import { createRetentionService } from "./retention/service.js";
import { memberRoleRoutes } from "./roles/member-role-routes.js";
import { createMemberRoleService } from "./roles/member-role-service.js";
import { roleRoutes } from "./roles/routes.js";
import { createRoleService } from "./roles/service.js";
import { scheduledEventRoutes } from "./scheduled-events/routes.js";
import { createScheduledEventService } from "./scheduled-events/service.js";
import { searchRoutes } from "./search/routes.js";
import { createSearchService } from "./search/service.js";
import { serverTemplateRoutes } from "./server-templates/routes.js";
import type { DeleteServer } from "./servers/delete-server.js";
import { serverRoutes } from "./servers/routes.js";
import { createServerService } from "./servers/service.js";
import { createDiscard } from "./storage/discard.js";
import type { FileStorage } from "./storage/storage.js";
import { threadRoutes } from "./threads/routes.js";
import { createThreadService } from "./threads/service.js";
import { userRoutes } from "./users/routes.js";
import { createUserService } from "./users/service.js";
import { createEndUnentitledVoice } from "./voice/end-unentitled.js";
import { goLiveRoutes } from "./voice/go-live-routes.js";
import { createGoLiveService } from "./voice/go-live-service.js";
import { voiceRoutes } from "./voice/routes.js";
import { createVoiceService } from "./voice/service.js";
import { createWebhookDeliveries } from "./webhooks/deliveries.js";
import { webhookRoutes } from "./webhooks/routes.js";
import { createWebhookService } from "./webhooks/service.js";

/** What the resources depend on. */
export interface Foundations {
  config: Config;
  logger: Logger;
  database: Database;
  redis: RedisConnection;
  messaging: Messaging;
  outbox: Outbox;
  storage: FileStorage;
  accessTokens: AccessTokens;
  voice: Voice;
  presence: PresenceStatuses;
  leaveServer: LeaveServer;
  deleteServer: DeleteServer;
  accountDeletion: AccountDeletion;
  mailer: Mailer | null;
}

/** Every resource of the API; removing one means deleting its files and its line here. */
export function createResources(foundations: Foundations): Route[] {
  const { config, logger, database, redis, messaging, outbox, storage, accessTokens, voice, presence } = foundations;
  const urls = createFileUrls({ secret: config.FILE_URL_SECRET, jwtSecret: config.JWT_SECRET });
  const details = createMessageDetails({ database, urls });
  const discard = createDiscard({ storage, logger });
  const turns = createChangeTurns();
  const sessions = createAccountSessions({ database, secret: config.JWT_SECRET });
  const attempts = createLoginAttempts({ database, redis });
  const automod = createAutomodGate({ messaging, verdictTimeoutMs: config.AUTOMOD_TIMEOUT_MS, logger });
  const nonceTurns = createNonceTurns({ redis, verdictTimeoutMs: config.AUTOMOD_TIMEOUT_MS });
  const send = createSendMessage({ database, outbox, automod, nonceTurns });
  const moderation = createModeration({ outbox, voice, logger });
  const endUnentitledVoice = createEndUnentitledVoice({ rights: createVoiceRights({ database, voice }), logger });
  const { leaveServer, deleteServer, accountDeletion } = foundations;
  const mails = createAccountMails({ database, turns, mailer: foundations.mailer, logger });
  const secondFactor = createSecondFactor({ database, secrets: jwtSecrets(config) });
  const requirePassword = createRequirePassword({ database, attempts });
  const recordAudit = createRecordAudit({ logger });
  const allows = createAddressTest({ allowPrivate: false, allowedNetworks: config.LINK_PREVIEW_ALLOWED_NETWORKS });
  return [
    ...authRoutes(createAuthService({ database, sessions, accessTokens, attempts, mails, secondFactor })),
    ...sessionRoutes(createSessionService({ database, outbox })),
    ...ownAccountRoutes(createOwnAccountService({ outbox, sessions, accessTokens, requirePassword, accountDeletion })),
    ...instanceSettingsRoutes(createInstanceSettingsService({ database })),
    ...adminLogRoutes(database),
    ...adminUserRoutes(createAdminUserService({ database, outbox, accountDeletion })),
    ...adminServerRoutes(createAdminServerService({ database, deleteServer })),
    ...statsRoutes({ database, countConnections: presence.connectionCount }),
    ...secondFactorRoutes(secondFactor, requirePassword),
    ...accountMailRoutes(mails),
    ...passwordResetRoutes(createPasswordReset({ database, outbox })),
    ...userRoutes(createUserService({ database, presence }), database),
    ...serverRoutes(createServerService({ database, outbox, turns, leaveServer, deleteServer })),
    ...serverTemplateRoutes(),
    ...exportRoutes(createExportService({ database, pages: new BackgroundQueue() })),
    ...retentionRoutes(createRetentionService({ database, turns, instanceDays: instanceRetentionDays(config) })),
    ...memberRoutes(createMemberService({ database })),
    ...channelRoutes(createChannelService({ database, turns, voice, logger })),
    ...channelOverrideRoutes(createChannelOverrideService({ database, outbox, endUnentitledVoice })),
    ...roleRoutes(createRoleService({ database, outbox, endUnentitledVoice })),
    ...memberRoleRoutes(createMemberRoleService({ outbox, endUnentitledVoice })),
    ...inviteRoutes(createInviteService({ database, outbox, turns })),
    ...auditLogRoutes(createAuditLogService({ database })),
    ...sendRoutes(send),
    ...messageRoutes(createMessageService({ database, outbox, automod, details })),
    ...attachmentRoutes(createAttachmentService({ database, storage, discard, urls })),
    ...fileRoutes(createFileService({ database, urls }), urls, storage),
    ...emojiRoutes(createEmojiService({ database, outbox, storage, discard }), storage),
    ...threadRoutes(createThreadService({ database, details }), send),
    ...reactionRoutes(createReactionService({ database, outbox })),
    ...pinRoutes(createPinService({ database, outbox, details })),
    ...pollRoutes(createPollService({ database, outbox })),
    ...scheduledEventRoutes(createScheduledEventService({ database })),
    ...searchRoutes(createSearchService({ database })),
    ...readStateRoutes(createReadStateService({ database })),
    ...directMessageRoutes(createDirectMessageService({ database, outbox, turns })),
    ...voiceRoutes(createVoiceService({ database, voice })),
    ...goLiveRoutes(createGoLiveService({ database, voice })),
    ...iceServerRoutes(
      createIceServers({
        database,
        config: { stunUrls: config.STUN_URLS, turnUrls: config.TURN_URLS, turnSecret: config.TURN_SECRET },
      }),
    ),
    ...linkPreviewRoutes(createLinkPreviewService({ redis, fetchPage: createFetchPage({ allows }) })),
    ...gifRoutes(createGifService({ apiKey: config.GIPHY_API_KEY, apiUrl: config.GIPHY_API_URL })),
    ...moderationRoutes(createModerationService({ database, moderation, recordAudit })),
    ...banRoutes(createBanService({ database, moderation, recordAudit })),
    ...automodRoutes(createAutomodService({ database, turns })),
    ...botRoutes(createBotService({ database, outbox, turns, accessTokens })),
    ...webhookRoutes(
      createWebhookService({ database, turns, deliveries: createWebhookDeliveries({ database, messaging, logger }) }),
    ),
  ];
}
