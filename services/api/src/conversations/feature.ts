import type { FollowThread } from "../notices/notifications/follow-thread.js";
import type { Base, Feature } from "../platform/feature.js";
import type { Route } from "../platform/http/route.js";
import { FairQueue } from "../platform/load/fair-queue.js";
import { createNonceTurns } from "../platform/nonces/turns.js";
import type { AutomodGate } from "../rules/automod/gate.js";
import { fileRoutes } from "./attachments/file-routes.js";
import { createFileService } from "./attachments/file-service.js";
import { attachmentRoutes } from "./attachments/routes.js";
import { createAttachmentService } from "./attachments/service.js";
import type { Found, Kind } from "./core/kind.js";
import { createChangeDirectMessage } from "./direct-messages/change.js";
import { createDirectDetails } from "./direct-messages/details.js";
import { directKind } from "./direct-messages/kind.js";
import { sentDirectMessageRoutes } from "./direct-messages/message-routes.js";
import { createDirectMessages } from "./direct-messages/message-service.js";
import { directMessageRoutes } from "./direct-messages/routes.js";
import { createSendDirect } from "./direct-messages/send.js";
import { createSendDirectForm } from "./direct-messages/send-form.js";
import { createDirectMessageService } from "./direct-messages/service.js";
import { directReactionRoutes } from "./direct-reactions/routes.js";
import { createDirectReactions } from "./direct-reactions/service.js";
import { directSearchRoutes } from "./direct-search/routes.js";
import { createDirectSearch } from "./direct-search/service.js";
import { embedPictureRoutes } from "./embed-pictures/routes.js";
import { createEmbedPictures } from "./embed-pictures/service.js";
import { eventChangeRoutes } from "./event-changes/routes.js";
import { createEventChanges } from "./event-changes/service.js";
import { gifRoutes } from "./gifs/routes.js";
import { createGifService } from "./gifs/service.js";
import { createChangeGroup } from "./groups/change.js";
import { groupRoutes } from "./groups/routes.js";
import { createGroupService, type GroupService } from "./groups/service.js";
import { linkPreviewRoutes } from "./link-previews/routes.js";
import { createLinkPreviewService } from "./link-previews/service.js";
import { startMakingPreviews } from "./message-previews/job.js";
import { duePreviewTasks } from "./message-previews/task-repository.js";
import { createDetailKeys, createMessageDetails } from "./messages/details.js";
import { createReadHistory } from "./messages/history.js";
import { createChannelKind } from "./messages/kind.js";
import { messageRoutes } from "./messages/routes.js";
import { createSendMessage, type SendMessage } from "./messages/send.js";
import { createRequireSendContext, type RequireSendContext } from "./messages/send-context.js";
import { createSendForm } from "./messages/send-form.js";
import { sendRoutes } from "./messages/send-routes.js";
import { createMessageService, type MessageService } from "./messages/service.js";
import { createSlowModes } from "./messages/slow-mode.js";
import { pinRoutes } from "./pins/routes.js";
import { createPinService } from "./pins/service.js";
import { pollRoutes } from "./polls/routes.js";
import { createPollService } from "./polls/service.js";
import { previewRemovalRoutes } from "./preview-removal/routes.js";
import { createPreviewRemoval } from "./preview-removal/service.js";
import { reactionRoutes } from "./reactions/routes.js";
import { createReactionService } from "./reactions/service.js";
import { readStateRoutes } from "./read-states/routes.js";
import { scheduledEventRoutes } from "./scheduled-events/routes.js";
import { searchQueue } from "./search/limits.js";
import { searchRoutes } from "./search/routes.js";
import { createSearchService } from "./search/service.js";
import { threadRoutes } from "./threads/routes.js";

/** What it offers to domains above. */
export interface Conversations extends Feature {
  send: SendMessage;
  /** Sends for callers that other rules admit. */
  createSend(requireSendContext: RequireSendContext): SendMessage;
  editMessage: MessageService["edit"];
  groups: GroupService;
}

/** Messages in channels, direct messages and groups, and what belongs to them. */
export function createConversations(
  base: Base,
  { automod, followThread }: { automod: AutomodGate; followThread: FollowThread },
): Conversations {
  const { config, database, outbox, storage, urls, names } = base;
  const allowedNetworks = config.LINK_PREVIEW_ALLOWED_NETWORKS;
  const linkPreviews = createLinkPreviewService({ ...base, allowedNetworks });
  const detailKeys = createDetailKeys(base);
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
  const sendForm = createSendForm({ ...base, requireSendContext, send });
  const messages = createMessageService({ ...base, automod, details });
  const change = createChangeDirectMessage(base);
  const directDetails = createDirectDetails(base);
  const sendDirect = createSendDirect({ ...base, details: directDetails });
  const groups = createGroupService({ ...base, change: createChangeGroup(base) });
  const queue = new FairQueue(searchQueue);
  return {
    send,
    editMessage: messages.edit,
    groups,
    createSend: (requireSendContext) => createSendMessage({ ...sending, requireSendContext }),
    routes: [
      ...sendRoutes(send, sendForm),
      ...messageRoutes({ messages, readHistory: createReadHistory({ ...base, detailKeys }) }),
      ...previewRemovalRoutes(createPreviewRemoval(base)),
      ...routesOf(createChannelKind({ database, automod }), base),
      ...routesOf(directKind, base),
      ...fileRoutes(createFileService(base), urls, storage),
      ...embedPictureRoutes(createEmbedPictures({ names, allowedNetworks }), urls),
      ...threadRoutes({ database, details, send, sendForm, follow: followThread }),
      ...reactionRoutes(createReactionService(base)),
      ...pinRoutes(createPinService({ ...base, details })),
      ...pollRoutes(createPollService(base)),
      ...scheduledEventRoutes(database),
      ...eventChangeRoutes(createEventChanges({ ...base, automod })),
      ...searchRoutes(createSearchService({ database, queue })),
      ...readStateRoutes({ database, outbox }),
      ...directMessageRoutes(
        createDirectMessageService(base),
        groups.create,
        sendDirect.send,
        createSendDirectForm(sendDirect, base),
      ),
      ...groupRoutes(groups),
      ...sentDirectMessageRoutes(createDirectMessages({ ...base, change, details: directDetails })),
      ...directReactionRoutes(createDirectReactions({ database, change })),
      ...directSearchRoutes(createDirectSearch({ database, queue })),
      ...linkPreviewRoutes(linkPreviews),
      ...gifRoutes(createGifService({ apiKey: config.GIPHY_API_KEY, apiUrl: config.GIPHY_API_URL })),
    ],
    jobs: [
      {
        name: "link cards",
        causes: ["MESSAGE_PREVIEWS"],
        due: duePreviewTasks,
        start: (due) => startMakingPreviews({ ...base, linkPreviews, due }),
      },
    ],
  };
}

/** What can be done with messages of either kind. */
function routesOf<F extends Found>(kind: Kind<F>, base: Base): Route[] {
  return [...attachmentRoutes(kind, createAttachmentService(kind, base))];
}
