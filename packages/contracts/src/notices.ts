import { z } from "zod";
import { AutomodSettled } from "./automod-requests.js";
import { uuid } from "./resources/identifiers.js";
import { subjects } from "./subjects.js";

/** Interactions wait for a webhook-dispatcher, which finds them in the database. */
const InteractionsWaiting = z.object({});

/** The answer of a bot by HTTP: the text of the body, null when the body is no answer. */
const InteractionAnswered = z.object({ id: uuid, body: z.string().nullable() });

/** One-way messages between services, without a reply; one process of the receiving service gets each. */
export const notices = {
  automodSettled: { subject: subjects.automodSettled, body: AutomodSettled },
  interactionsWaiting: { subject: subjects.interactionsWaiting, body: InteractionsWaiting },
  interactionAnswered: { subject: subjects.interactionAnswered, body: InteractionAnswered },
} as const;
export type NoticeName = keyof typeof notices;
export type NoticeBody<N extends NoticeName> = z.infer<(typeof notices)[N]["body"]>;
