import type { ServerRecord } from "@parley/archives";
import { Onboarding } from "@parley/contracts";
import { findOnboarding, putOnboarding } from "../../../community/onboarding/repository.js";
import { onboardingBody } from "../../../community/onboarding/schema.js";
import { type MadeChannel, type Servers, type Structure, step, type Writing } from "./writing.js";

interface Made extends Pick<Structure, "roles"> {
  /** Undefined for one that was not chosen. */
  server: ReturnType<Servers["get"]>;
  record: ServerRecord;
  channels: readonly MadeChannel[];
}

/** Writes what a server of an export of Parley shows and asks newcomers, where this import has made the server. */
export async function makeOnboarding(writing: Writing, { server, record, roles, channels }: Made): Promise<void> {
  const { settings } = record;
  if (writing.row.source !== "parley" || server?.isNew !== true || settings?.onboarding === undefined) return;
  const given = read(settings.onboarding);
  if (given === undefined) {
    writing.skipped.add("unknown_record", "the welcome of the server cannot be read", record.id);
    return;
  }
  const channelIds = new Map(channels.map(({ external, id }) => [external, id]));
  const made = {
    ...given,
    channels: given.channels.flatMap(({ channel_id, ...channel }) => {
      const id = channelIds.get(channel_id);
      return id === undefined ? [] : [{ channel_id: id, ...channel }];
    }),
    questions: given.questions.map((question) => ({
      ...question,
      options: question.options.map((option) => ({
        ...option,
        role_ids: option.role_ids.flatMap((id) => roles.get(id)?.id ?? []),
        channel_ids: option.channel_ids.flatMap((id) => channelIds.get(id) ?? []),
      })),
    })),
  };
  await step(writing, async (transaction) => {
    if ((await findOnboarding(transaction, server.id)) === null) await putOnboarding(transaction, server.id, made);
  });
}

/** Within the bounds of requests, as archives are strangers' bytes, and with the ids of the archive. */
function read(value: unknown): Onboarding | undefined {
  const { data } = onboardingBody.safeParse(value);
  const given = Onboarding.safeParse(data).data;
  if (given === undefined) return undefined;
  const ids = given.questions.flatMap(({ id, options }) => [id, ...options.map((option) => option.id)]);
  return new Set(ids).size === ids.length ? given : undefined;
}
