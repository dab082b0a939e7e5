// Requests and notices between services.

// Commands: contexts, types of options, bounds.
export {
  type CommandContext,
  commandContexts,
  commandLimits,
  type InteractionType,
  interactionTypes,
  modalFieldStyles,
  modalLimits,
  type OptionType,
  optionTypes,
} from "./app-kinds.js";
// Files of messages.
export { attachmentBytesMax, attachmentsMax, attachmentTypes } from "./attachments.js";
export {
  AutomodCheck,
  AutomodEvidence,
  AutomodJudgedBy,
  AutomodOutcome,
  AutomodRuleTest,
  type AutomodServerRules,
  AutomodSettled,
  AutomodStored,
  type AutomodSubmission,
  AutomodVerdict,
  duplicateWindowMs,
  formatPendingJudgement,
  type PendingJudgement,
  parsePendingJudgement,
  type RequestBody,
  type RequestName,
  type RequestReply,
  requests,
} from "./automod-requests.js";
// Lists and maps that strangers send.
export { checksWithin, listOf, mapOf } from "./bounded.js";
// Caps of one tenant.
export {
  type Cap,
  caps,
  incomingWebhooksPerChannelMax,
  listedReactionsMax,
  pushSubscriptionsMax,
  webhooksPerServerMax,
} from "./caps.js";
// Bodies with embeds and components, which several endpoints take.
export { ComponentRowsInput, componentList, componentsInput } from "./component-input.js";
// The query of the upgrade request.
export { ConnectQuery, versionToName } from "./connect-query.js";
// Webhook deliveries: their jobs and bodies.
export {
  type DeliveryEvent,
  type DeliveryJob,
  deliveryBody,
  deliveryHeaders,
  deliveryOfEvent,
  pingEvent,
  queueFullText,
} from "./deliveries.js";
export { EmbedInput, embedList, embedsInput } from "./embed-input.js";
// Errors that reach a caller: their texts, by their codes.
export { errorTexts } from "./error-texts.js";
export {
  conflict,
  ErrorBody,
  type ErrorCode,
  type ErrorDetails,
  type ErrorKind,
  errorBody,
  errorCodeOf,
  errorCodes,
  forbidden,
  invalidInput,
  type LimitName,
  notFound,
  rateLimited,
  ServiceError,
  type StorageDetails,
} from "./errors.js";
// The facts of payloads that gateways need.
export { type EventFacts, factsHeader, readFacts, writeFacts } from "./event-facts.js";
// Events: their payloads and recipients.
export {
  type Audience,
  type ClientEventName,
  clientEventNames,
  type EventDefinition,
  type EventName,
  type EventPayload,
  events,
  findEvent,
  isEventName,
  LeaveReason,
} from "./events.js";
// Gateway envelope, client ops, close codes.
export {
  ChannelActivity,
  ClientEnvelope,
  type ClientOp,
  clientMessagesPerSecondMax,
  clientOps,
  closeCodes,
  cursor,
  gatewayPaths,
  heartbeatAckFrame,
  presenceModes,
  presenceSubscriptionsMax,
  Ready,
  Resumed,
  type ResyncReason,
  resyncReasons,
  statusTextLengthMax,
  ViewAck,
  viewedChannelsMax,
} from "./gateway.js";
// Bounds of groups, without schemas.
export { groupNameLengthMax, groupPeopleMax } from "./group-limits.js";
export { type InsightMeasure, type InsightSpan, insightMeasures, insightSpans, insightsCsv } from "./insights.js";
// Kinds and bounds of moderation that are shown without schemas.
export { located, pathText } from "./located.js";
export {
  automodTriggerTypes,
  countMentions,
  linkModes,
  type ReportCategory,
  type ReportStatus,
  reportCategories,
  reportStatuses,
  ruleLimits,
  rulePatternSizePerServerMax,
  rulesPerServerMax,
  ruleWordsPerServerMax,
  wordMatches,
} from "./moderation-kinds.js";
// Names that people see in lists.
export { clearableName, nameText, visibleName } from "./name-text.js";
// Keys for connections with `v=2`.
export { hasNewerKeys, inEvent, withoutNewerKeys } from "./newer-keys.js";
export { type NoticeBody, type NoticeName, notices } from "./notices.js";
export { onboardingLimits } from "./onboarding-limits.js";
// Building an event and addressing it.
export {
  createEvent,
  dispatchFrame,
  type EventReaders,
  type EventTarget,
  factsOf,
  type OutboxRow,
  type OutgoingEvent,
  parseRecipientLimits,
  payloadOfFrame,
  type RecipientLimits,
  type Routing,
  routingHeaders,
} from "./outgoing-event.js";
// Permission bits.
export { allPermissionBits, type PermissionName, permissionBits } from "./permission-bits.js";
// Uploaded pictures: their types, sizes and addresses.
export {
  isPictureAddress,
  type PictureShape,
  type PictureSize,
  pictureAddress,
  pictureBytesMax,
  pictureHashPattern,
  pictureShapes,
  pictureSizes,
  pictureTypes,
} from "./pictures.js";
// Notices between services.
// Emoji of Unicode.
export { qualifiedEmoji } from "./qualified-emoji.js";
export { quotaDefaults } from "./quota-defaults.js";
// Resources: the objects of docs/protocol/objects.md#4.
export { Attachment } from "./resources/attachment.js";
export {
  AutomodAction,
  AutomodConfig,
  AutomodLogEntry,
  AutomodRuleType,
  AutomodWord,
  automodActions,
  automodRuleTypes,
  filteredWordLengthMax,
} from "./resources/automod.js";
export {
  AutomodRule,
  AutomodRuleAction,
  AutomodRuleMatches,
  AutomodTrigger,
  AutomodTriggerType,
  editTriggerTypes,
} from "./resources/automod-rules.js";
export { Bot, BotLogEntry, BotProfile } from "./resources/bot.js";
export { Channel, ChannelOverride, channelTypes } from "./resources/channel.js";
export {
  BotCommands,
  ChannelCommands,
  Command,
  CommandChoice,
  CommandOption,
  OwnCommand,
} from "./resources/command.js";
export {
  ButtonComponent,
  buttonStyles,
  type ComponentRows,
  componentLimits,
  componentRows,
  SelectComponent,
  selectKinds,
  textsOfComponents,
} from "./resources/component.js";
export {
  AnyDmChannel,
  AnySentMessage,
  DmChannel,
  DmMessage,
  EditedDmMessage,
  GroupChannel,
  NewDmMessage,
  SentDmMessage,
} from "./resources/direct-message.js";
export { Draft, DraftList } from "./resources/draft.js";
export { Embed, embedLimits, MessageWebhook, StoredEmbed, textsOfEmbeds } from "./resources/embed.js";
export { CustomEmoji } from "./resources/emoji.js";
export { Gif } from "./resources/gif.js";
export { isUuid, timestamp, uuid, uuidInput } from "./resources/identifiers.js";
export {
  InboxActor,
  InboxItem,
  type InboxKind,
  InboxPage,
  InboxReminder,
  InboxUnread,
  inboxKinds,
} from "./resources/inbox.js";
export { IncomingWebhook, IncomingWebhookWithToken } from "./resources/incoming-webhook.js";
export {
  InsightChannel,
  InsightDay,
  InsightInvite,
  insightInvitesMax,
  ServerInsights,
} from "./resources/insights.js";
export {
  InteractionData,
  InteractionMessage,
  InteractionState,
  Modal,
  NewInteraction,
} from "./resources/interaction.js";
export {
  Invite,
  InvitePreview,
  inviteCodePattern,
  inviteRolesMax,
  PublicInvitePreview,
  vanityCodePattern,
} from "./resources/invite.js";
export { LinkPreview } from "./resources/link-preview.js";
export {
  Calendar,
  DeletedMessage,
  DetailedMessage,
  EditedMessage,
  ForwardedMessage,
  isReactionEmoji,
  ListedEvent,
  Message,
  MessageAuthor,
  MessageInteraction,
  messagePreviewsMax,
  NewMessage,
  nonceLengthMax,
  Poll,
  ReactionCount,
  Reactor,
  ScheduledEvent,
  SearchPage,
  SentMessage,
} from "./resources/message.js";
export {
  type AdminAction,
  type AuditAction,
  AuditLogEntry,
  adminActions,
  auditActions,
  Ban,
  BulkBan,
  Timeout,
} from "./resources/moderation.js";
export {
  type NotificationLevel,
  NotificationSettings,
  notificationLevels,
  notificationMails,
} from "./resources/notifications.js";
export { Onboarding, OnboardingOption, OnboardingQuestion } from "./resources/onboarding.js";
export { type MessagePush, PushKey, PushSubscription, PushSubscriptionList, type ReadPush } from "./resources/push.js";
export { BlockChange, BlockList, FriendChange, FriendList, FriendState } from "./resources/relation.js";
export { Reminder, ReminderList, reminderTextLengthMax } from "./resources/reminder.js";
export {
  HistoryEntry,
  InstanceReport,
  Report,
  shownReportersMax,
} from "./resources/report.js";
export { defaultRoleColor, permissionFieldText, Role } from "./resources/role.js";
export { Raid, RaidEnd, rulesLengthMax, Safety, ServerRules, safetyBounds } from "./resources/safety.js";
export { AnyMessage, SavedChange, SavedPage, saveNoteLengthMax } from "./resources/saved.js";
export { PlannedMessage, ScheduledMessage, ScheduledMessageList } from "./resources/scheduled-message.js";
export { FoundPage } from "./resources/search.js";
export {
  FoundServer,
  FoundServers,
  JoinedServer,
  Member,
  RawServer,
  Retention,
  Server,
  ServerTemplate,
  serverDescriptionMax,
  serverTagPattern,
  serverTagsMax,
} from "./resources/server.js";
export { type FileKind, FilePage, fileKinds, StorageUse } from "./resources/storage.js";
export { Thread, ThreadChange, ThreadPage, threadParticipantsMax, threadTitleLengthMax } from "./resources/thread.js";
export {
  AuthResponse,
  DmsFrom,
  displayNameLengthMax,
  dmsFrom,
  OtherUser,
  PresenceStatus,
  PublicProfile,
  presenceStatuses,
  User,
  usernamePattern,
} from "./resources/user.js";
export { GoLiveSession, goLiveQualities, IceServers, signalTypes, VoiceState } from "./resources/voice.js";
export {
  deliveryStatuses,
  Webhook,
  WebhookDelivery,
  type WebhookEventType,
  webhookEventTypes,
} from "./resources/webhook.js";
// Rights beside the permission bits.
export { allRights, type RightName, rightBits, rightNames, rightNamesOf, rightsOf } from "./rights.js";
// Queries of searches as people write them.
export { type DateSpan, dateSpan, isTimeZone, type LocalDay, lastDays } from "./search/dates.js";
export {
  type ParsedQuery,
  parseSearchQuery,
  printSearchFilter,
  printSearchQuery,
  type SearchFilter,
  type SearchFilterName,
  type SearchTerm,
  searchFilterNames,
  searchHas,
  searchIs,
} from "./search/query.js";
// Identifiers and tokens as Discord's API has them.
export { discordToken, snowflakeEpochMs, toSnowflake } from "./snowflake.js";
// Subjects and streams.
export {
  deliveriesStream,
  eventsStream,
  liveSubjectOf,
  type ParsedSubject,
  parseSubject,
  type SubjectScope,
  subjects,
  webhookOfDelivery,
} from "./subjects.js";
// Texts as the contract counts and cleans them.
export {
  clearableHttpUrl,
  clearablePictureUrl,
  clearableText,
  codePointLength,
  isBlank,
  isHttpUrl,
  isStorableText,
  text,
  trimmedText,
  trimWhiteSpace,
  urlLengthMax,
} from "./text.js";
