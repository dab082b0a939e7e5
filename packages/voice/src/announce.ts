import type { Outbox } from "@parley/outbox";
import { tell } from "./announcements.js";
import { Change, StoredSession, StoredState } from "./change.js";
import { eventsOf, placesOf } from "./events.js";
import { settleAttemptsMax } from "./limits.js";
import type { RunVoiceScript } from "./run-script.js";
import { scripts, subjectKey } from "./scripts.js";

/** A change with the JSON text under which Redis remembers it as not yet announced. */
export interface UnsaidChange {
  text: string;
  change: Change;
}

export const readChange = (text: string): UnsaidChange => ({ text, change: Change.parse(JSON.parse(text)) });

/**
 * Publishes changes, so that the last event of a state says what Redis says, also when processes change it at once.
 *
 * Redis orders the changes, but two processes may publish theirs in the other order. So after publishing, each reads
 * Redis again and announces the state there when it is not what it has just announced. The last announcement of all was
 * then true when its process read it, after publishing; a later change would be announced later still.
 *
 * Each change stays in `voice:unsaid` until that look has succeeded, so one whose process died is found by the sweep.
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

/** What has become of announced changes that are not the truth any more. */
export async function findOvertaken(
  run: RunVoiceScript,
  announced: readonly UnsaidChange[],
): Promise<readonly UnsaidChange[]> {
  const truths = await truthsAbout(run, announced);
  return announced.flatMap(({ text, change }, index) => {
    const truth = truths[index];
    // Without an answer the sweep looks later.
    return truth === undefined || truth === "settled" ? [] : [{ text, change: asItIsNow(change, truth) }];
  });
}

/** Tells clients of changes that a dead process left: not what they were, but what has become of them. */
export async function announceLate(
  channels: { outbox: Outbox; run: RunVoiceScript },
  changes: readonly UnsaidChange[],
): Promise<void> {
  const truths = await truthsAbout(channels.run, changes, () => neverAnnounced);
  const late = changes.flatMap(({ text, change }, index) => {
    const truth = truths[index];
    if (truth === undefined) return [];
    const now = asItIsNow(change, truth);
    // That the user left this place was not announced.
    if (now.kind === "voice" && change.kind === "voice") now.previous = change.previous;
    return [{ text, change: now }];
  });
  await announce(channels, late);
}

async function publish(outbox: Outbox, changes: readonly Change[]): Promise<void> {
  if (changes.flatMap(eventsOf).length === 0) return;
  await outbox.transaction(changes.flatMap(placesOf), (transaction, emit) => tell(transaction, emit, changes));
}

/** No state has this version, so the script `settle` only tells the truth. */
const neverAnnounced = -1;
/** The version that an announcement told of; 0 for "gone". */
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
    // Changed and announced: that Redis went away afterwards must not fail the caller.
    return [];
  }
}

/** What leads clients from an announced change to what is true now. */
function asItIsNow(announced: Change, truth: string): Change {
  const now: unknown = JSON.parse(truth);
  if (announced.kind === "voice") {
    return { ...announced, previous: announced.state, state: StoredState.nullable().parse(now) };
  }
  const session = StoredSession.nullable().parse(now);
  return { ...announced, session, broadcaster_id: session?.broadcaster_id ?? announced.broadcaster_id };
}
