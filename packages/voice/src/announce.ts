import type { Outbox } from "@parley/outbox";
import { tell } from "./announcements.js";
import { Change, StoredSession, StoredState } from "./change.js";
import { eventsOf, placesOf } from "./events.js";
import { settleAttemptsMax } from "./limits.js";
import type { RunVoiceScript } from "./run-script.js";
import { scripts, subjectKey } from "./scripts.js";

/** A change that is not confirmed as announced, with its JSON text, which is its member of `voice:unsaid` in Redis. */
export interface UnsaidChange {
  text: string;
  change: Change;
}

export const readChange = (text: string): UnsaidChange => ({ text, change: Change.parse(JSON.parse(text)) });

/**
 * Publishes changes so that the last event about a state agrees with Redis, also when several processes change the
 * state at the same time.
 *
 * Redis orders the changes, but two processes may publish theirs in the opposite order. Therefore each process reads
 * the state from Redis after publishing, and publishes again, at most {@link settleAttemptsMax} times, while the state
 * differs from what it has published. The last event thus agrees with a read that came after it; a change after that
 * read has an event of its own.
 *
 * A change is removed from `voice:unsaid` by the read that finds no difference. A change whose process ends before is
 * announced by `Voice.announceForgotten`.
 */
export async function announce(
  { outbox, run }: { outbox: Outbox; run: RunVoiceScript },
  changes: readonly UnsaidChange[],
): Promise<void> {
  let open = changes;
  for (let attempt = 0; attempt < settleAttemptsMax && open.length > 0; attempt += 1) {
    await publish(
      outbox,
      open.map(({ change }) => change),
    );
    open = await findOvertaken(run, open);
  }
}

/**
 * For each announced change whose state is another one in Redis by now: the change from the announced to that state.
 */
export async function findOvertaken(
  run: RunVoiceScript,
  announced: readonly UnsaidChange[],
): Promise<readonly UnsaidChange[]> {
  const truths = await truthsAbout(run, announced);
  return announced.flatMap(({ text, change }, index) => {
    const truth = truths[index];
    // Without an answer from Redis, the change stays in `voice:unsaid`, and `announceForgotten` compares it later.
    return truth === undefined || truth === "settled" ? [] : [{ text, change: asItIsNow(change, truth) }];
  });
}

/** Announces changes that their process did not confirm: the state that Redis has now, not the one of that time. */
export async function announceLate(
  channels: { outbox: Outbox; run: RunVoiceScript },
  changes: readonly UnsaidChange[],
): Promise<void> {
  const truths = await truthsAbout(channels.run, changes, () => neverAnnounced);
  const late = changes.flatMap(({ text, change }, index) => {
    const truth = truths[index];
    if (truth === undefined) return [];
    const now = asItIsNow(change, truth);
    // The end of the user's stay at the former place has not been announced.
    if (now.kind === "voice" && change.kind === "voice") now.previous = change.previous;
    return [{ text, change: now }];
  });
  await announce(channels, late);
}

async function publish(outbox: Outbox, changes: readonly Change[]): Promise<void> {
  if (changes.flatMap(eventsOf).length === 0) return;
  await outbox.transaction(changes.flatMap(placesOf), (transaction, emit) => tell(transaction, emit, changes));
}

/** No state has this version, so the script `settle` confirms nothing and returns the present state. */
const neverAnnounced = -1;
/** Version of the state that the change announces; 0 when it announces an end. */
const announcedVersion = (change: Change) => (change.kind === "voice" ? change.state : change.session)?.version ?? 0;

async function truthsAbout(
  run: RunVoiceScript,
  changes: readonly UnsaidChange[],
  version: (change: Change) => number = announcedVersion,
): Promise<string[]> {
  try {
    return await run(
      scripts.settle,
      changes.flatMap(({ text, change }) => [
        text,
        change.kind === "voice" ? subjectKey.voice(change.user_id) : subjectKey.go_live(change.channel_id),
        version(change),
      ]),
    );
  } catch {
    // The change is made and announced, so the loss of Redis afterwards must not fail the caller.
    return [];
  }
}

/** The change that brings clients from an announced change to the state that Redis has now. */
function asItIsNow(announced: Change, truth: string): Change {
  const now: unknown = JSON.parse(truth);
  if (announced.kind === "voice") {
    return { ...announced, previous: announced.state, state: StoredState.nullable().parse(now) };
  }
  const session = StoredSession.nullable().parse(now);
  return { ...announced, session, broadcaster_id: session?.broadcaster_id ?? announced.broadcaster_id };
}
