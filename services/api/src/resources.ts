import { type AccessTokens, jwtSecrets } from "@parley/auth";
import type { Database, Transaction } from "@parley/database/prisma";
import type { NameResolver } from "@parley/egress";
import type { Messaging } from "@parley/messaging";
import { createModeration } from "@parley/moderation";
import type { Outbox } from "@parley/outbox";
import type { PresenceStatuses } from "@parley/presence";
import { createTokenBucket, type RedisConnection } from "@parley/redis";
import type { Closable, Logger, Metrics } from "@parley/service-runtime";
import { createVoiceRights, type Voice } from "@parley/voice";
import type { AccountDeletion } from "./background-work/account-deletion/finish.js";
import { type Config, instanceRetentionDays } from "./config.js";
import { createFileUrls } from "./files/signed-urls.js";
import { createDeleteFiles } from "./files/storage/delete-files.js";
import { folders } from "./files/storage/keys.js";
import type { FileStorage } from "./files/storage/storage.js";
import { listReads } from "./http/limits.js";
import type { Route } from "./http/route.js";
import { BackgroundQueue } from "./load/background-queue.js";
import { createChangeTurns } from "./load/change-turns.js";
import { FairQueue } from "./load/fair-queue.js";
import type { Mailer } from "./mail/send-mail.js";
import { createUnsubscribeTokens } from "./mail/unsubscribe-tokens.js";
import { createNonceTurns } from "./nonces/turns.js";
import { createTellOwner } from "./resources/account-changes/tell-owner.js";
import { accountMailRoutes } from "./resources/account-mails/routes.js";
import { createAccountMails } from "./resources/account-mails/service.js";
import { giveBack } from "./resources/account-recovery/give-back.js";
import { adminLogRoutes } from "./resources/admin-log/routes.js";
import { adminServerRoutes } from "./resources/administration/servers/routes.js";
import { createAdminServerService } from "./resources/administration/servers/service.js";
import { statsRoutes } from "./resources/administration/stats.js";
import { adminUserRoutes } from "./resources/administration/users/routes.js";
import { createAdminUserService } from "./resources/administration/users/service.js";
import { fileRoutes } from "./resources/attachments/file-routes.js";
import { createFileService } from "./resources/attachments/file-service.js";
import { attachmentRoutes } from "./resources/attachments/routes.js";
import { createAttachmentService } from "./resources/attachments/service.js";
import { createRecordAudit } from "./resources/audit-log/record.js";
import { auditLogRoutes } from "./resources/audit-log/routes.js";
import { createAuditLogService } from "./resources/audit-log/service.js";
import { createLoginAttempts } from "./resources/auth/login-attempts.js";
import { createRequirePassword } from "./resources/auth/require-password.js";
import { createAccountSessions } from "./resources/auth/sessions.js";
import { createAutomodGate } from "./resources/automod/gate.js";
import { automodRoutes } from "./resources/automod/routes.js";
import { createAutomodService } from "./resources/automod/service.js";
import { automodRuleRoutes } from "./resources/automod-rules/routes.js";
import { createAutomodRuleService } from "./resources/automod-rules/service.js";
import { banRoutes } from "./resources/bans/routes.js";
import { createBanService } from "./resources/bans/service.js";
import { blockRoutes } from "./resources/blocks/routes.js";
import { createBlockService } from "./resources/blocks/service.js";
import { botRoutes } from "./resources/bots/routes.js";
import { createBotService } from "./resources/bots/service.js";
import { channelRoutes } from "./resources/channels/routes.js";
import { createChannelService } from "./resources/channels/service.js";
import { commandRoutes } from "./resources/commands/routes.js";
import { createCommandService } from "./resources/commands/service.js";
import { directAttachmentRoutes } from "./resources/direct-attachments/routes.js";
import { createDirectAttachments } from "./resources/direct-attachments/service.js";
import { createChangeDirectMessage } from "./resources/direct-messages/change.js";
import { createDirectDetails } from "./resources/direct-messages/details.js";
import { sentDirectMessageRoutes } from "./resources/direct-messages/message-routes.js";
import { createDirectMessages } from "./resources/direct-messages/message-service.js";
import { directMessageRoutes } from "./resources/direct-messages/routes.js";
import { createSendDirect } from "./resources/direct-messages/send.js";
import { createSendDirectForm } from "./resources/direct-messages/send-form.js";
import { createDirectMessageService } from "./resources/direct-messages/service.js";
import { directReactionRoutes } from "./resources/direct-reactions/routes.js";
import { createDirectReactions } from "./resources/direct-reactions/service.js";
import { directSearchRoutes } from "./resources/direct-search/routes.js";
import { createDirectSearch } from "./resources/direct-search/service.js";
import { embedPictureRoutes } from "./resources/embed-pictures/routes.js";
import { createEmbedPictures } from "./resources/embed-pictures/service.js";
import { emojiRoutes } from "./resources/emojis/routes.js";
import { createEmojiService } from "./resources/emojis/service.js";
import { eventChangeRoutes } from "./resources/event-changes/routes.js";
import { createEventChanges } from "./resources/event-changes/service.js";
import { exportRoutes } from "./resources/exports/routes.js";
import { createExportService } from "./resources/exports/service.js";
import { createChangePair } from "./resources/friends/change-pair.js";
import { friendRoutes } from "./resources/friends/routes.js";
import { createFriendService } from "./resources/friends/service.js";
import { gifRoutes } from "./resources/gifs/routes.js";
import { createGifService } from "./resources/gifs/service.js";
import { goLiveRoutes } from "./resources/go-live/routes.js";
import { createGoLiveService } from "./resources/go-live/service.js";
import { createChangeGroup } from "./resources/groups/change.js";
import { groupRoutes } from "./resources/groups/routes.js";
import { createGroupService } from "./resources/groups/service.js";
import { hookRoutes } from "./resources/hooks/routes.js";
import { createRequireHookContext } from "./resources/hooks/send-context.js";
import { createHookService } from "./resources/hooks/service.js";
import { iceServerRoutes } from "./resources/ice-servers/routes.js";
import { createIceServers } from "./resources/ice-servers/service.js";
import { incomingWebhookRoutes } from "./resources/incoming-webhooks/routes.js";
import { createIncomingWebhookService } from "./resources/incoming-webhooks/service.js";
import { instanceSettingsRoutes } from "./resources/instance-settings/routes.js";
import { createInstanceSettingsService } from "./resources/instance-settings/service.js";
import { createAnnounceState } from "./resources/interactions/announce.js";
import { createAnswers } from "./resources/interactions/answers.js";
import { receiveHttpAnswers } from "./resources/interactions/http-answers.js";
import { createInvoke } from "./resources/interactions/invoke.js";
import { answersPerSecondMax, followUpsPerSecondMax } from "./resources/interactions/limits.js";
import { interactionRoutes } from "./resources/interactions/routes.js";
import { createInteractionTokens } from "./resources/interactions/tokens.js";
import { inviteRoutes } from "./resources/invites/routes.js";
import { createInviteService } from "./resources/invites/service.js";
import { linkPreviewRoutes } from "./resources/link-previews/routes.js";
import type { LinkPreviewService } from "./resources/link-previews/service.js";
import { createLoginOutcomes } from "./resources/login/login-outcomes.js";
import { passkeySignInRoutes } from "./resources/login/passkey-routes.js";
import { authRoutes } from "./resources/login/routes.js";
import { createAuthService } from "./resources/login/service.js";
import { mailUnsubscribeRoutes } from "./resources/mail-unsubscribe/routes.js";
import { createMailUnsubscribe } from "./resources/mail-unsubscribe/service.js";
import { memberHistoryRoutes } from "./resources/member-history/routes.js";
import { createMemberHistory } from "./resources/member-history/service.js";
import { memberRoleRoutes } from "./resources/member-roles/routes.js";
import { createMemberRoleService } from "./resources/member-roles/service.js";
import { createMemberCounts } from "./resources/members/counts.js";
import type { LeaveServer } from "./resources/members/leave-server.js";
import { memberRoutes } from "./resources/members/routes.js";
import { createMemberService } from "./resources/members/service.js";
import { createDetailKeys, createMessageDetails } from "./resources/messages/details.js";
import { createReadHistory } from "./resources/messages/history.js";
import { messageRoutes } from "./resources/messages/routes.js";
import { createSendMessage } from "./resources/messages/send.js";
import { createRequireSendContext } from "./resources/messages/send-context.js";
import { createSendForm } from "./resources/messages/send-form.js";
import { sendRoutes } from "./resources/messages/send-routes.js";
import { createMessageService } from "./resources/messages/service.js";
import { createSlowModes } from "./resources/messages/slow-mode.js";
import { moderationRoutes } from "./resources/moderation/routes.js";
import { createModerationService } from "./resources/moderation/service.js";
import { nicknameRoutes } from "./resources/nicknames/routes.js";
import { createNicknameService } from "./resources/nicknames/service.js";
import { createFollowThread } from "./resources/notifications/follow-thread.js";
import { notificationRoutes } from "./resources/notifications/routes.js";
import { createNotificationService } from "./resources/notifications/service.js";
import { createOidc } from "./resources/oidc/create-oidc.js";
import { oidcRoutes } from "./resources/oidc/routes.js";
import { channelOverrideRoutes } from "./resources/overrides/routes.js";
import { createChannelOverrideService } from "./resources/overrides/service.js";
import { ownAccountRoutes } from "./resources/own-account/routes.js";
import { createOwnAccountService } from "./resources/own-account/service.js";
import { createChallenges } from "./resources/passkeys/challenges.js";
import { passkeyRoutes } from "./resources/passkeys/routes.js";
import { createPasskeyService } from "./resources/passkeys/service.js";
import { createPasskeySignIn } from "./resources/passkeys/sign-in.js";
import { passkeySite } from "./resources/passkeys/site.js";
import { passwordResetRoutes } from "./resources/password-reset/routes.js";
import { createPasswordReset } from "./resources/password-reset/service.js";
import { pictureRoutes } from "./resources/pictures/routes.js";
import { createPictures } from "./resources/pictures/service.js";
import { pictureUploadRoutes } from "./resources/pictures/upload-routes.js";
import { pinRoutes } from "./resources/pins/routes.js";
import { createPinService } from "./resources/pins/service.js";
import { pollRoutes } from "./resources/polls/routes.js";
import { createPollService } from "./resources/polls/service.js";
import { previewRemovalRoutes } from "./resources/preview-removal/routes.js";
import { createPreviewRemoval } from "./resources/preview-removal/service.js";
import { pushSubscriptionRoutes } from "./resources/push-subscriptions/routes.js";
import { createPushSubscriptions } from "./resources/push-subscriptions/service.js";
import { raidRoutes } from "./resources/raids/routes.js";
import { createRaidService } from "./resources/raids/service.js";
import { reactionRoutes } from "./resources/reactions/routes.js";
import { createReactionService } from "./resources/reactions/service.js";
import { readStateRoutes } from "./resources/read-states/routes.js";
import { reportRoutes } from "./resources/reports/routes.js";
import { createReportService } from "./resources/reports/service.js";
import { retentionRoutes } from "./resources/retention/routes.js";
import { createRetentionService } from "./resources/retention/service.js";
import { roleRoutes } from "./resources/roles/routes.js";
import { createRoleService } from "./resources/roles/service.js";
import { safetyRoutes } from "./resources/safety/routes.js";
import { createSafetyService } from "./resources/safety/service.js";
import { scheduledEventRoutes } from "./resources/scheduled-events/routes.js";
import { searchQueue } from "./resources/search/limits.js";
import { searchRoutes } from "./resources/search/routes.js";
import { createSearchService } from "./resources/search/service.js";
import { createRequireOwner } from "./resources/second-factor/require-owner.js";
import { secondFactorRoutes } from "./resources/second-factor/routes.js";
import { createSecondFactor } from "./resources/second-factor/service.js";
import { serverBotRoutes } from "./resources/server-bots/routes.js";
import { createServerBots } from "./resources/server-bots/service.js";
import { serverTemplateRoutes } from "./resources/server-templates/routes.js";
import type { DeleteServer } from "./resources/servers/delete-server.js";
import { createHandOver } from "./resources/servers/hand-over.js";
import { serverRoutes } from "./resources/servers/routes.js";
import { createServerService } from "./resources/servers/service.js";
import { sessionRoutes } from "./resources/sessions/routes.js";
import { createSessionService } from "./resources/sessions/service.js";
import { createPasswordSignIn } from "./resources/sign-in/password-sign-in.js";
import { signInRoutes } from "./resources/sign-in/routes.js";
import { threadRoutes } from "./resources/threads/routes.js";
import { createChangeProfile } from "./resources/users/change-profile.js";
import { userRoutes } from "./resources/users/routes.js";
import { createUserService } from "./resources/users/service.js";
import { createEndUnentitledVoice } from "./resources/voice/end-unentitled.js";
import { voiceRoutes } from "./resources/voice/routes.js";
import { createVoiceService } from "./resources/voice/service.js";
import { createWebhookDeliveries } from "./resources/webhooks/deliveries.js";
import { webhookRoutes } from "./resources/webhooks/routes.js";
import { createWebhookService } from "./resources/webhooks/service.js";

/** What the resources depend on. */
export interface Dependencies {
  /** Starts what a resource does beside requests, until the process stops. */
  start: (name: string, begin: () => Closable) => void;
  config: Config;
  logger: Logger;
  database: Database;
  redis: RedisConnection;
  messaging: Messaging;
  outbox: Outbox<Transaction>;
  storage: FileStorage;
  accessTokens: AccessTokens;
  voice: Voice;
  presence: PresenceStatuses;
  leaveServer: LeaveServer;
  deleteServer: DeleteServer;
  /** Looks up names that users chose. */
  names: NameResolver;
  linkPreviews: LinkPreviewService;
  accountDeletion: AccountDeletion;
  mailer: Mailer | null;
  metrics: Metrics;
}

/** Every resource of the API; removing one means deleting its files and its line here. */
export function createResources(dependencies: Dependencies): Route[] {
  const { config, logger, database, redis, messaging, outbox, storage, accessTokens, voice, presence } = dependencies;
  const urls = createFileUrls({ secret: config.FILE_URL_SECRET, jwtSecret: config.JWT_SECRET });
  const detailKeys = createDetailKeys({ database, urls });
  const details = createMessageDetails({ database, urls, detailKeys });
  const readHistory = createReadHistory({ database, urls, detailKeys });
  const deleteFiles = createDeleteFiles({ storage, logger });
  const turns = createChangeTurns();
  const sessions = createAccountSessions({ database, secret: config.JWT_SECRET });
  const attempts = createLoginAttempts({ database, redis });
  const automod = createAutomodGate({ messaging, verdictTimeoutMs: config.AUTOMOD_TIMEOUT_MS, logger });
  const nonceTurns = createNonceTurns({ redis, verdictTimeoutMs: config.AUTOMOD_TIMEOUT_MS });
  const requireSendContext = createRequireSendContext({ database });
  const reserveSlowMode = createSlowModes({ redis, verdictTimeoutMs: config.AUTOMOD_TIMEOUT_MS });
  const checks = { automod, nonceTurns, requireSendContext, reserveSlowMode };
  const send = createSendMessage({ database, outbox, ...checks, details, urls });
  const messages = createMessageService({ database, outbox, automod, details, urls });
  const sendForm = createSendForm({ requireSendContext, send, storage, deleteFiles });
  const formFiles = { storage, deleteFiles, folder: folders.attachments };
  const hookChecks = { ...checks, requireSendContext: createRequireHookContext({ database }) };
  const sendAsHook = createSendMessage({ database, outbox, ...hookChecks, details, urls });
  const directDetails = createDirectDetails({ database, urls });
  const sendDirect = createSendDirect({ database, outbox, urls, details: directDetails });
  const changeDirect = createChangeDirectMessage({ database, outbox });
  const groups = createGroupService({ database, outbox, turns, change: createChangeGroup({ outbox }) });
  const searches = new FairQueue(searchQueue);
  const moderation = createModeration({ outbox, voice, logger });
  const endUnentitledVoice = createEndUnentitledVoice({ rights: createVoiceRights({ database, voice }), logger });
  const { leaveServer, deleteServer, accountDeletion } = dependencies;
  const mails = createAccountMails({ database, turns, mailer: dependencies.mailer, logger });
  const secondFactor = createSecondFactor({ database, attempts, secrets: jwtSecrets(config) });
  const outcomes = createLoginOutcomes({ registry: dependencies.metrics.registry, logger });
  const requirePassword = createRequirePassword({ database, attempts });
  const requireOwner = createRequireOwner({ requirePassword, secondFactor });
  const tellOwner = createTellOwner({ database, redis, mailer: dependencies.mailer, logger });
  // Who has left the provider is to be out here too.
  const site = config.OIDC_ENFORCED ? null : passkeySite(config.PUBLIC_URL);
  const challenges = createChallenges(redis);
  const passkeySignIn = createPasskeySignIn({ database, challenges, site });
  const auth = createAuthService({
    database,
    sessions,
    accessTokens,
    attempts,
    mails,
    secondFactor,
    passkeys: passkeySignIn,
    outcomes,
  });
  const owner = { requirePassword, requireOwner, tellOwner };
  const oidc = createOidc({ config, database, redis, outbox, sessions, accessTokens, ...owner, logger });
  const passwordSignIn = createPasswordSignIn({ isAllowed: !config.OIDC_ENFORCED });
  const changeProfile = createChangeProfile({ outbox });
  const pictures = createPictures({ database, storage, deleteFiles, registry: dependencies.metrics.registry });
  const users = createUserService({ database, presence, changeProfile });
  const servers = createServerService({ database, outbox, turns, leaveServer, deleteServer });
  const allowPlainHttp = config.WEBHOOK_ALLOW_PRIVATE;
  const bots = createBotService({
    database,
    outbox,
    turns,
    accessTokens,
    changeProfile,
    allowPlainHttp,
  });
  const memberReads = new FairQueue(listReads);
  const memberCounts = createMemberCounts({ database, queue: memberReads });
  const recordAudit = createRecordAudit({ logger });
  const moderations = createModerationService({ database, moderation, recordAudit });
  const changePair = createChangePair({ outbox, turns });
  const interactionTokens = createInteractionTokens(jwtSecrets(config));
  const unsubscribeTokens = createUnsubscribeTokens(jwtSecrets(config));
  const notifications = createNotificationService({ database, outbox, turns });
  const announce = createAnnounceState({ database, messaging, logger });
  const interactions = { database, messaging, urls, logger, tokens: interactionTokens, announce };
  const answers = createAnswers({
    ...interactions,
    send,
    edit: messages.edit,
    followUps: createTokenBucket({
      redis,
      name: "interaction-follow-up",
      ratePerSecond: followUpsPerSecondMax,
      burst: followUpsPerSecondMax,
    }),
  });
  dependencies.start("answers by HTTP", () => receiveHttpAnswers({ ...interactions, answers }));
  return [
    ...authRoutes(auth, passwordSignIn),
    ...passkeyRoutes(createPasskeyService({ database, challenges, turns, site, ...owner })),
    ...passkeySignInRoutes(auth, passkeySignIn),
    ...signInRoutes({
      password: passwordSignIn.isAllowed,
      oidc: oidc === null ? null : { name: config.OIDC_NAME },
      passkeys: site !== null,
    }),
    ...oidcRoutes(oidc, passwordSignIn),
    ...sessionRoutes(createSessionService({ database, outbox })),
    ...ownAccountRoutes(
      createOwnAccountService({ outbox, sessions, accessTokens, requirePassword, accountDeletion, tellOwner }),
      database,
    ),
    ...instanceSettingsRoutes(database, createInstanceSettingsService({ database })),
    ...adminLogRoutes(database),
    ...adminUserRoutes(createAdminUserService({ database, outbox, accountDeletion })),
    ...adminServerRoutes(createAdminServerService({ database, deleteServer })),
    ...statsRoutes({ database, countConnections: presence.connectionCount }),
    ...secondFactorRoutes({ database, secondFactor, requirePassword, tellOwner }),
    ...accountMailRoutes(mails, passwordSignIn),
    ...passwordResetRoutes(createPasswordReset({ database, outbox, giveBack, tellOwner }), passwordSignIn),
    ...userRoutes(users),
    ...friendRoutes(createFriendService({ database, redis, changePair })),
    ...blockRoutes(createBlockService({ database, changePair })),
    ...notificationRoutes(notifications),
    ...mailUnsubscribeRoutes(createMailUnsubscribe({ database, notifications, tokens: unsubscribeTokens })),
    ...pushSubscriptionRoutes(createPushSubscriptions({ database, turns, allowPlainHttp }), database),
    ...serverRoutes(servers, createHandOver({ database, outbox, turns, requirePassword, endUnentitledVoice })),
    ...pictureRoutes(pictures, storage),
    ...pictureUploadRoutes({ pictures, users, servers, bots, groups }),
    ...serverTemplateRoutes(),
    ...exportRoutes(createExportService({ database, pages: new BackgroundQueue(), urls })),
    ...retentionRoutes(
      createRetentionService({ database, outbox, turns, instanceDays: instanceRetentionDays(config) }),
    ),
    ...safetyRoutes(createSafetyService({ database, outbox, turns })),
    ...raidRoutes(createRaidService({ database, outbox, turns, banMany: moderations.banMany })),
    ...memberRoutes(createMemberService({ database, queue: memberReads, counts: memberCounts })),
    ...nicknameRoutes(createNicknameService({ outbox })),
    ...channelRoutes(createChannelService({ database, outbox, turns, voice, logger })),
    ...channelOverrideRoutes(createChannelOverrideService({ database, outbox, endUnentitledVoice })),
    ...roleRoutes(createRoleService({ database, outbox, endUnentitledVoice })),
    ...memberRoleRoutes(createMemberRoleService({ outbox, endUnentitledVoice })),
    ...inviteRoutes(createInviteService({ database, outbox, turns, memberCounts })),
    ...auditLogRoutes(createAuditLogService({ database })),
    ...sendRoutes(send, sendForm),
    ...messageRoutes({ messages, readHistory }),
    ...previewRemovalRoutes(createPreviewRemoval({ database, outbox })),
    ...attachmentRoutes(createAttachmentService({ database, outbox, storage, deleteFiles, urls, automod })),
    ...fileRoutes(createFileService({ database, urls }), urls, storage),
    ...embedPictureRoutes(
      createEmbedPictures({ names: dependencies.names, allowedNetworks: config.LINK_PREVIEW_ALLOWED_NETWORKS }),
      urls,
    ),
    ...emojiRoutes(createEmojiService({ database, outbox, storage, deleteFiles }), storage),
    ...threadRoutes({ database, details, send, sendForm, follow: createFollowThread({ database, outbox, logger }) }),
    ...reactionRoutes(createReactionService({ database, outbox })),
    ...pinRoutes(createPinService({ database, outbox, details })),
    ...pollRoutes(createPollService({ database, outbox })),
    ...scheduledEventRoutes(database),
    ...eventChangeRoutes(createEventChanges({ database, outbox, automod, urls })),
    ...searchRoutes(createSearchService({ database, queue: searches })),
    ...readStateRoutes({ database, outbox }),
    ...directMessageRoutes(
      createDirectMessageService({ database, outbox, turns }),
      groups.create,
      sendDirect.send,
      createSendDirectForm(sendDirect, { storage, deleteFiles }),
    ),
    ...groupRoutes(groups),
    ...sentDirectMessageRoutes(
      createDirectMessages({ database, change: changeDirect, details: directDetails, deleteFiles }),
    ),
    ...directReactionRoutes(createDirectReactions({ database, change: changeDirect })),
    ...directAttachmentRoutes(createDirectAttachments({ database, change: changeDirect, storage, deleteFiles, urls })),
    ...directSearchRoutes(createDirectSearch({ database, queue: searches })),
    ...voiceRoutes(createVoiceService({ database, voice })),
    ...goLiveRoutes(createGoLiveService({ database, voice })),
    ...iceServerRoutes(
      createIceServers({
        database,
        config: { stunUrls: config.STUN_URLS, turnUrls: config.TURN_URLS, turnSecret: config.TURN_SECRET },
      }),
    ),
    ...linkPreviewRoutes(dependencies.linkPreviews),
    ...gifRoutes(createGifService({ apiKey: config.GIPHY_API_KEY, apiUrl: config.GIPHY_API_URL })),
    ...reportRoutes(createReportService({ database, outbox, redis })),
    ...memberHistoryRoutes(createMemberHistory({ database })),
    ...moderationRoutes(moderations),
    ...banRoutes(createBanService({ database, moderation, recordAudit })),
    ...automodRoutes(createAutomodService({ database, outbox, turns })),
    ...automodRuleRoutes(createAutomodRuleService({ database, outbox, messaging, turns })),
    ...botRoutes(bots),
    ...serverBotRoutes(createServerBots({ database, outbox, turns })),
    ...commandRoutes(createCommandService({ database, outbox })),
    ...interactionRoutes({
      invoke: createInvoke(interactions),
      answers,
      tokens: interactionTokens,
      answerBucket: createTokenBucket({
        redis,
        name: "interaction-answer",
        ratePerSecond: answersPerSecondMax,
        burst: answersPerSecondMax,
      }),
    }),
    ...incomingWebhookRoutes(createIncomingWebhookService({ database, outbox, turns })),
    ...hookRoutes(createHookService({ database, redis, send: sendAsHook, files: formFiles })),
    ...webhookRoutes(
      createWebhookService({
        database,
        outbox,
        turns,
        deliveries: createWebhookDeliveries({ database, messaging, logger }),
      }),
    ),
  ];
}
