import type { FollowThread } from "../notices/notifications/follow-thread.js";
import type { Base, Feature } from "../platform/feature.js";
import type { Route } from "../platform/http/route.js";
import { FairQueue } from "../platform/load/fair-queue.js";
import { expiredNonces } from "../platform/nonces/repository.js";
import { createNonceTurns } from "../platform/nonces/turns.js";
import type { AutomodGate } from "../rules/automod/gate.js";
import { createFindAnyMessages } from "./any-message/find.js";
import { fileRoutes } from "./attachments/file-routes.js";
import { createFileService } from "./attachments/file-service.js";
import { attachmentRoutes } from "./attachments/routes.js";
import { createAttachmentService } from "./attachments/service.js";
import { calendarRoutes } from "./calendars/routes.js";
import { createCalendars } from "./calendars/service.js";
import { createDetailKeys } from "./core/details.js";
import type { AnyMessageRow, Kind, MessageAccess } from "./core/kind.js";
import { messageRoutes } from "./core/routes.js";
import type { MessageKind } from "./core/service.js";
import { directKind } from "./direct-messages/kind.js";
import { createDirectMessages } from "./direct-messages/message-service.js";
import { directMessageRoutes } from "./direct-messages/routes.js";
import { createMaySendDirect } from "./direct-messages/send.js";
import { createDirectChannels } from "./direct-messages/service.js";
import { deletedDrafts } from "./drafts/repository.js";
import { draftRoutes } from "./drafts/routes.js";
import { announceDrafts, createDrafts } from "./drafts/service.js";
import { embedPictureRoutes } from "./embed-pictures/routes.js";
import { createEmbedPictures } from "./embed-pictures/service.js";
import { eventChangeRoutes } from "./event-changes/routes.js";
import { createEventChanges } from "./event-changes/service.js";
import { eventInterestRoutes } from "./event-interests/routes.js";
import { noticeEvents } from "./event-interests/service.js";
import { forwardRoutes } from "./forwards/routes.js";
import { createForwards } from "./forwards/service.js";
import { gifRoutes } from "./gifs/routes.js";
import { createGifService } from "./gifs/service.js";
import { groupRoutes } from "./groups/routes.js";
import { createGroupService, type GroupService } from "./groups/service.js";
import { expiredInboxItems } from "./inbox/repository.js";
import { inboxRoutes } from "./inbox/routes.js";
import { announceInboxes, createInbox } from "./inbox/service.js";
import { linkPreviewRoutes } from "./link-previews/routes.js";
import { createLinkPreviewService } from "./link-previews/service.js";
import { makePreviews } from "./message-previews/job.js";
import { createMessageDetails } from "./messages/details.js";
import { createMayReadHistory } from "./messages/history.js";
import { createChannelKind } from "./messages/kind.js";
import { type DescribedMessage, findDetails } from "./messages/repository.js";
import type { FoundMessage } from "./messages/require-message.js";
import { bulkDeletionRoutes } from "./messages/routes.js";
import { createSendMessage, type SendMessage } from "./messages/send.js";
import { createRequireSendContext, type RequireSendContext } from "./messages/send-context.js";
import { createSendForm } from "./messages/send-form.js";
import { createMaySend, sendRoutes } from "./messages/send-routes.js";
import { createMessageService, type MessageService } from "./messages/service.js";
import { createSlowModes } from "./messages/slow-mode.js";
import { pinRoutes } from "./pins/routes.js";
import { createPinService } from "./pins/service.js";
import { sendPlanned } from "./planned/job.js";
import { plannedRoutes } from "./planned/routes.js";
import { createPlannedMessages } from "./planned/service.js";
import { pollRoutes } from "./polls/routes.js";
import { createPollService, endPolls } from "./polls/service.js";
import { previewRemovalRoutes } from "./preview-removal/routes.js";
import { othersReactionRoutes } from "./reactions/others-routes.js";
import { reactionRoutes } from "./reactions/routes.js";
import { createReactionService } from "./reactions/service.js";
import { readStateRoutes } from "./read-states/routes.js";
import { reminderRoutes } from "./reminders/routes.js";
import { createReminders, remind } from "./reminders/service.js";
import { savedRoutes } from "./saved/routes.js";
import { createSavedMessages } from "./saved/service.js";
import { scheduledEventRoutes } from "./scheduled-events/routes.js";
import { createSearchEverywhere } from "./search/everywhere.js";
import { searchQueue } from "./search/limits.js";
import { reindexSearch } from "./search/reindex-job.js";
import { reindexingRoutes } from "./search/reindexing-routes.js";
import { searchRoutes } from "./search/routes.js";
import { createSearchService } from "./search/service.js";
import { serverFileRoutes } from "./server-files/routes.js";
import { threadRoutes } from "./threads/routes.js";
import { threadStateRoutes } from "./threads/state-routes.js";
import { createThreads } from "./threads/state-service.js";
import { makeThumbnails } from "./thumbnails/job.js";

/** Services for domains above. */
export interface Conversations extends Feature {
  send: SendMessage;
  /** Sends for callers that other rules admit. */
  createSend(requireSendContext: RequireSendContext): SendMessage;
  messages: Pick<MessageService, "edit" | "editing" | "details">;
  channelKind: Kind<FoundMessage>;
  groups: GroupService;
}

/** Messages in channels, direct messages and groups, with their parts. */
export function createConversations(
  base: Base,
  { automod, followThread }: { automod: AutomodGate; followThread: FollowThread },
): Conversations {
  const { config, database, storage, urls, names } = base;
  const allowedNetworks = config.LINK_PREVIEW_ALLOWED_NETWORKS;
  const linkPreviews = createLinkPreviewService({ ...base, allowedNetworks });
  const detailKeys = createDetailKeys<DescribedMessage>(urls, (messages, wanted) =>
    findDetails(database, messages, wanted),
  );
  const details = createMessageDetails({ ...base, detailKeys });
  const verdictTimeoutMs = config.AUTOMOD_TIMEOUT_MS;
  const sending = {
    ...base,
    automod,
    details,
    nonceTurns: createNonceTurns({ ...base, verdictTimeoutMs }),
    reserveSlowMode: createSlowModes({ ...base, verdictTimeoutMs }),
  };
  const requireSendContext = createRequireSendContext(base);
  const send = createSendMessage({ ...sending, requireSendContext });
  const maySend = createMaySend({
    send,
    requireSendContext,
    sendForm: createSendForm({ ...base, requireSendContext, send }),
  });
  const channelKind = createChannelKind({ database, automod });
  const messages = createMessageService({
    ...base,
    kind: channelKind,
    automod,
    details,
    mayReadHistory: createMayReadHistory({ ...base, detailKeys }),
  });
  const directMessages = createDirectMessages(base);
  const findMessages = createFindAnyMessages({ database, channel: details, direct: directMessages.details });
  const maySendDirect = createMaySendDirect({ ...base, details: directMessages.details });
  const planned = createPlannedMessages(base);
  const forwards = createForwards({ ...base, stores: base, findMessages, maySend, maySendDirect });
  const searches = new FairQueue(searchQueue);
  const mayNotSend = maySend.errors.forbidden ?? [];
  const groups = createGroupService(base);
  return {
    send,
    messages,
    channelKind,
    groups,
    createSend: (requireSendContext) => createSendMessage({ ...sending, requireSendContext }),
    routes: [
      ...sendRoutes(maySend, planned.sendOrPlan),
      ...plannedRoutes(planned),
      ...bulkDeletionRoutes(),
      ...previewRemovalRoutes(),
      ...routesOf(channelKind, messages, base),
      ...routesOf(directKind, directMessages, base),
      ...forwardRoutes(channelKind, forwards, mayNotSend),
      ...forwardRoutes(directKind, forwards, mayNotSend),
      ...serverFileRoutes(base),
      ...fileRoutes(createFileService(base), urls, storage),
      ...embedPictureRoutes(createEmbedPictures({ names, allowedNetworks }), urls),
      ...threadRoutes({ database, details, maySend, follow: followThread, sendOrPlan: planned.sendOrPlan }),
      ...threadStateRoutes(createThreads({ ...base, details })),
      ...othersReactionRoutes(database),
      ...pinRoutes(createPinService({ ...base, details })),
      ...pollRoutes(createPollService(base)),
      ...draftRoutes(createDrafts(base)),
      ...reminderRoutes(createReminders({ ...base, findMessages })),
      ...savedRoutes(createSavedMessages({ ...base, findMessages })),
      ...inboxRoutes(createInbox({ ...base, findMessages })),
      ...scheduledEventRoutes(database),
      ...eventInterestRoutes(),
      ...calendarRoutes(createCalendars({ database, publicUrl: config.PUBLIC_URL })),
      ...eventChangeRoutes(createEventChanges({ ...base, automod }), database, maySend),
      ...searchRoutes(
        createSearchService({ database, queue: searches }),
        createSearchEverywhere({ database, queue: searches, findMessages }),
      ),
      ...reindexingRoutes(database),
      ...directMessageRoutes(createDirectChannels(base), groups.create, maySendDirect, planned.sendOrPlan),
      ...groupRoutes(groups),
      ...linkPreviewRoutes(linkPreviews),
      ...gifRoutes(createGifService({ apiKey: config.GIPHY_API_KEY, apiUrl: config.GIPHY_API_URL })),
    ],
    jobs: [
      makePreviews({ ...base, linkPreviews }),
      announceDrafts(base),
      announceInboxes(base),
      remind(base),
      reindexSearch({ database, registry: base.metrics.registry }),
      endPolls(base),
      noticeEvents(base),
      makeThumbnails(base),
      sendPlanned(base, { maySend, maySendDirect, follow: followThread }),
    ],
    expiries: [expiredNonces, deletedDrafts, expiredInboxItems],
  };
}

/** The routes that messages of either kind have. */
function routesOf<F extends MessageAccess, Row extends AnyMessageRow, Item, Answer, Changes>(
  kind: Kind<F>,
  own: MessageKind<F, Row, Item, Answer, Changes>,
  base: Base,
): Route[] {
  return [
    ...messageRoutes(kind, own, base),
    ...readStateRoutes(kind, base),
    ...attachmentRoutes(kind, createAttachmentService(kind, base)),
    ...reactionRoutes(kind, createReactionService(kind, base)),
  ];
}
