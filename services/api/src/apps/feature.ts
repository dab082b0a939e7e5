import { createInteractionTokens, jwtSecrets } from "@parley/auth";
import { createTokenBucket } from "@parley/redis";
import type { Conversations } from "../conversations/feature.js";
import type { ChangeProfile } from "../people/users/change-profile.js";
import type { Base, Feature } from "../platform/feature.js";
import { folders } from "../platform/files/storage/keys.js";
import { botRoutes } from "./bots/routes.js";
import { type BotService, createBotService } from "./bots/service.js";
import { commandRoutes } from "./commands/routes.js";
import { createCommandService } from "./commands/service.js";
import { createHookMessages } from "./hooks/messages.js";
import { hookRoutes } from "./hooks/routes.js";
import { createRequireHookContext } from "./hooks/send-context.js";
import { createHookService } from "./hooks/service.js";
import { expiredWebhookAccounts } from "./incoming-webhooks/repository.js";
import { incomingWebhookRoutes } from "./incoming-webhooks/routes.js";
import { createIncomingWebhookService } from "./incoming-webhooks/service.js";
import { createAnnounceState } from "./interactions/announce.js";
import { createAnswers } from "./interactions/answers.js";
import { receiveHttpAnswers } from "./interactions/http-answers.js";
import { createInvoke } from "./interactions/invoke.js";
import { sweepInteractions } from "./interactions/job.js";
import { answersPerSecondMax, followUpsPerSecondMax } from "./interactions/limits.js";
import { expiredInteractions } from "./interactions/repository.js";
import { answerCauses, interactionRoutes } from "./interactions/routes.js";
import { serverBotRoutes } from "./server-bots/routes.js";
import { createServerBots } from "./server-bots/service.js";
import { createWebhookDeliveries } from "./webhooks/deliveries.js";
import { webhookRoutes } from "./webhooks/routes.js";
import { createWebhookService } from "./webhooks/service.js";

/** Programs: bots with their commands and interactions, webhooks, and hooks of other services. */
export function createApps(
  base: Base,
  { changeProfile, conversations }: { changeProfile: ChangeProfile; conversations: Conversations },
): Feature & { bots: BotService } {
  const { config, database, redis, storage, deleteFiles } = base;
  const { send, messages, channelKind, createSend } = conversations;
  const bots = createBotService({ ...base, changeProfile, allowPlainHttp: config.WEBHOOK_ALLOW_PRIVATE });
  const tokens = createInteractionTokens(jwtSecrets(config));
  const interactions = { ...base, tokens, announce: createAnnounceState(base) };
  const bucket = (name: string, perSecond: number) =>
    createTokenBucket({ redis, name, ratePerSecond: perSecond, burst: perSecond });
  const followUps = bucket("interaction-follow-up", followUpsPerSecondMax);
  const answers = createAnswers({ ...interactions, send, messages, followUps });
  const sendAsHook = createSend(createRequireHookContext(base));
  const incomingWebhooks = createIncomingWebhookService(base);
  return {
    bots,
    routes: [
      ...botRoutes(bots, base),
      ...serverBotRoutes(createServerBots(base)),
      ...commandRoutes(createCommandService(base)),
      ...interactionRoutes({
        invoke: createInvoke(interactions),
        answers,
        tokens,
        answerBucket: bucket("interaction-answer", answersPerSecondMax),
      }),
      ...incomingWebhookRoutes(incomingWebhooks),
      ...hookRoutes(
        createHookService({
          database,
          redis,
          send: sendAsHook,
          files: { storage, deleteFiles, reservations: base.reservations, folder: folders.attachments },
        }),
        createHookMessages({ ...base, channelKind, messages }),
        incomingWebhooks,
      ),
      ...webhookRoutes(createWebhookService(base), createWebhookDeliveries(base)),
    ],
    jobs: [
      sweepInteractions(base),
      {
        name: "answers by HTTP",
        causes: answerCauses,
        start: () => receiveHttpAnswers({ ...interactions, answers }),
      },
    ],
    expiries: [expiredInteractions, expiredWebhookAccounts],
  };
}
