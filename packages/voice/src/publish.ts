import type { Outbox } from "@parley/outbox";
import { emitChanges } from "./announcements.js";
import { Change, StoredSession, StoredState } from "./change.js";
import { eventsOf, placesOf } from "./events.js";
import { publishAttemptsMax } from "./limits.js";
import { stateKey, type VoiceStore } from "./scripts.js";

/** A change whose events may not be stored yet, with its JSON text, which is its member of `voice:unsaid` in Redis. */
export interface UnpublishedChange {
  text: string;
  change: Change;
}

export const readChange = (text: string): UnpublishedChange => ({ text, change: Change.parse(JSON.parse(text)) });

/**
 * Publishes changes so that the last event about a state agrees with Redis, also when several processes change the
 * state at the same time.
 *
 * Redis orders the changes, but two processes may publish theirs in the opposite order. Therefore each process reads
 * the state from Redis after publishing, and publishes again, at most {@link publishAttemptsMax} times, while the state
 * differs from its last event. The last event thus agrees with a read that came after it; a change after that read has
 * an event of its own.
 *
 * A change is removed from `voice:unsaid` by the read that finds no difference. A change whose process ends before is
 * published by `Voice.republish`.
 */
export async function publish(
  { outbox, store }: { outbox: Outbox; store: VoiceStore },
  changes: readonly UnpublishedChange[],
): Promise<void> {
  let unpublished = changes;
  for (let attempt = 0; attempt < publishAttemptsMax && unpublished.length > 0; attempt += 1) {
    const open = unpublished.map(({ change }) => change);
    if (open.some((change) => eventsOf(change).length > 0)) {
      await outbox.transaction(open.flatMap(placesOf), (transaction, emit) => emitChanges(transaction, emit, open));
    }
    unpublished = await confirm(store, unpublished);
  }
}

/** Publishes changes that their process did not confirm: the state that Redis has now, not the one of that time. */
export async function republish(
  voice: { outbox: Outbox; store: VoiceStore },
  changes: readonly UnpublishedChange[],
): Promise<void> {
  await publish(voice, await confirm(voice.store, changes, { arePublished: false }));
}

/**
 * Takes published changes whose state is still that of Redis out of `voice:unsaid`.
 *
 * @returns for each of the others the change from the published state to the state in Redis
 */
export async function confirm(
  store: VoiceStore,
  changes: readonly UnpublishedChange[],
  { arePublished } = { arePublished: true },
): Promise<UnpublishedChange[]> {
  let answers: string[];
  try {
    answers = await store.run(
      "confirm",
      changes.flatMap(({ text, change }) => [
        text,
        change.kind === "voice" ? stateKey.voice(change.user_id) : stateKey.go_live(change.channel_id),
        arePublished ? versionOf(change) : neverPublished,
      ]),
    );
  } catch {
    // The changes are made and stored, so the loss of Redis afterwards must not fail the caller. They stay in
    // `voice:unsaid`, and `republish` compares them later.
    return [];
  }
  return changes.flatMap(({ text, change }, index) => {
    const answer = answers[index];
    if (answer === undefined || answer === "confirmed") return [];
    return [{ text, change: toCurrent(change, JSON.parse(answer), arePublished) }];
  });
}

/** No state has this version, so the script `confirm` returns the present state. */
const neverPublished = -1;
/** Version of the state that the change begins; 0 for an end. */
const versionOf = (change: Change) => (change.kind === "voice" ? change.state : change.session)?.version ?? 0;

/** The change that brings clients to the state in Redis, from the change if it is published, else from before it. */
function toCurrent(change: Change, current: unknown, isPublished: boolean): Change {
  if (change.kind === "voice") {
    const previous = isPublished ? change.state : change.previous;
    return { ...change, previous, state: StoredState.nullable().parse(current) };
  }
  const session = StoredSession.nullable().parse(current);
  return { ...change, session, broadcaster_id: session?.broadcaster_id ?? change.broadcaster_id };
}
