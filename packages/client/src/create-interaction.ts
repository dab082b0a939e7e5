import type { Interaction } from "./autocompletion.js";
import type { ParleyClient } from "./client.js";
import type { NewInteraction } from "./generated/index.js";
import type {
  AnswerableInteraction,
  Form,
  FormInteraction,
  InteractionReply,
  ModalInteraction,
  PressCollector,
  PressOptions,
  SentReply,
} from "./interaction.js";
import type { InteractionAnswers } from "./interaction-answers.js";

/** The parts of interactions. */
export interface InteractionParts {
  /** For requests. */
  readonly client: ParleyClient;
  /** As the server sent it. */
  readonly raw: NewInteraction;
  /** Sends its answers. */
  readonly answers: InteractionAnswers;
  /** Collects presses. */
  readonly collect: (isAbout: (press: NewInteraction) => boolean, options: PressOptions) => PressCollector;
  /** Waits for a form with that id; null when it is not handed in within the time. Rejects when it cannot be shown. */
  readonly awaitForm: (modalId: string, timeMs: number, shown: Promise<unknown>) => Promise<ModalInteraction | null>;
}

const formMs = 15 * 60_000;

/** The keys of all interactions. */
export const createBare = ({ client, raw }: Pick<InteractionParts, "client" | "raw">): Interaction => ({
  client,
  raw,
  serverId: raw.server_id,
  channelId: raw.channel_id,
  user: raw.user,
  member: raw.member,
  permissions: raw.permissions,
  locale: raw.locale,
});

/** An interaction that takes messages. */
export function createAnswerable(parts: InteractionParts): AnswerableInteraction {
  const { raw, answers, collect } = parts;
  const send = async (message: string | InteractionReply, isFollowUp: boolean): Promise<SentReply> => {
    const data = typeof message === "string" ? { content: message } : message;
    const id = await answers.send({ type: "message", data, follow_up: isFollowUp });
    // An ephemeral message is known by its interaction: a later answer to that takes its place.
    const isAbout = ({ message: pressed }: NewInteraction) =>
      id === null ? pressed?.ephemeral === true && pressed.interaction?.id === raw.id : pressed?.id === id;
    return sentReply(id, (options) => collect(isAbout, options));
  };
  return {
    ...createBare(parts),
    reply: (message) => send(message, false),
    followUp: (message) => send(message, true),
    async defer(options = {}) {
      await answers.send({ type: "deferred", data: options });
    },
  };
}

/** A message whose presses can be collected. */
export const sentReply = (id: string | null, collect: SentReply["collect"]): SentReply => ({
  id,
  collect,
  async nextPress(options) {
    const result = await collect({ ...options, max: 1 }).next();
    return result.done === true ? null : result.value;
  },
});

/** An interaction that may be answered by a form. */
export function createFormInteraction(parts: InteractionParts): FormInteraction {
  const { answers, awaitForm } = parts;
  function modal(form: Form & { readonly id: string }): Promise<undefined>;
  function modal<const Given extends Form>(
    form: Given,
    options?: { readonly timeMs?: number },
  ): Promise<ModalInteraction<keyof Given["fields"] & string> | null>;
  async function modal(
    { id, title, fields }: Form & { readonly id?: string },
    { timeMs = formMs }: { readonly timeMs?: number } = {},
  ): Promise<ModalInteraction | null | undefined> {
    const modal_id = id ?? `form:${crypto.randomUUID()}`;
    const data = { modal_id, title, fields: Object.entries(fields).map(fieldBody) };
    const shown = answers.send({ type: "modal", data });
    if (id === undefined) return awaitForm(modal_id, timeMs, shown);
    await shown;
    return undefined;
  }
  return { ...createAnswerable(parts), modal };
}

const fieldBody = ([id, field]: [string, Form["fields"][string]]) => ({
  id,
  label: field.label,
  style: field.style ?? "short",
  required: field.required ?? true,
  min_length: field.min ?? null,
  max_length: field.max ?? null,
  value: field.value ?? null,
  placeholder: field.placeholder ?? null,
});
