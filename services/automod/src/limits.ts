/** How long a dependency may take to answer a readiness check. */
export const dependencyCheckTimeoutMs = 2_000;

/** Size of the cache of word lists, which evicts the least recently used first: servers, and bytes of all lists. */
export const wordListsMax = 5_000;
export const wordListBytesMax = 96 * 1024 * 1024;
/**
 * Words of a server that are read, the first ones: ten times the cap of docs/protocol/limits.md#16.3. It bounds an automaton
 * where the database has a list that is older than the cap.
 */
export const wordsReadMax = 10_000;
/**
 * Lists that are read and built at the same time; further ones wait unread, so that they occupy no memory. So many that
 * a short list is among those under way although many are long; of these, the shortest is built first.
 */
export const listLoadsMax = 32;
/**
 * Automata are built in slices of this length, with pauses as long in between. A verdict takes several turns of the
 * event loop, and may wait for a slice in each.
 */
export const buildSliceMs = 1;
/**
 * After a list was loaded, the server's next version waits this many times as long as loading took, up to the maximum:
 * a server that changes a long list all the time waits for it, the others do not.
 */
export const reloadPauseFactor = 2;
export const reloadPauseMaxMs = 1_000;

/** Statements that look up recent messages at the same time; look-ups that come meanwhile share the next one. */
export const statementsInFlightMax = 2;
/** Scripts of one kind that run at the same time: they take microseconds, so one is enough and gathers the most. */
export const scriptsInFlightMax = 1;
/** Most questions that one statement or script answers. */
export const lookupBatchMax = 200;

/** Older evidence does not approve a message. */
export const evidenceAgeMaxMs = 1_000;
/** Assumed maximum duration of storing a message. */
export const storingMaxMs = 500;
/**
 * An identical message waits this long for the one that is being stored; after that it counts as its duplicate. Well
 * below the timeout of the api's request.
 */
export const textWaitMs = 300;
/** A message that may be spam waits this long for those that were approved before it. */
export const approvedWaitMs = 300;
/** Interval at which a waiting check tries to reserve again. */
export const reservationPollMs = 5;

/** Fraction of the request's timeout after which the verdict is sent even if its action is still under way. */
export const actionWaitShare = 0.6;

/** How far the order in which messages are stored may differ from the order of their times. */
export const storeSkewMs = 2_000;
/** How long the order in which a user's messages were stored is remembered: the longest spam window, twice. */
export const sequenceExpiryMs = 120_000;

/**
 * A user's latest messages in a server that are looked up, several times the largest spam limit; and those whose
 * order is remembered.
 */
export const messagesListedMax = 200;
export const messagesSequencedMax = 500;

/** A stored message that is not judged at this age is judged late. */
export const lateAfterMs = 1_000;
/** Lifetime of the mark of a judged message: longer than its event may be delivered. */
export const judgedExpirySeconds = 3_600;
/** An event that is not acknowledged for so long goes to another process. */
export const eventAckWaitMs = 5_000;
/** Events that all processes together may be judging or have waiting. */
export const eventsUnackedMax = 20_000;
/** Events that one process judges or has waiting. */
export const eventsWaitingMax = 2_000;
/** Most events whose marks are looked up together. */
export const eventBatchMax = 200;
/** Pause before an event whose judgement failed is tried again. */
export const eventRetryMs = 1_000;

/** Size of the cache of the rules that servers have made, as for word lists. */
export const ruleSetsMax = 5_000;
export const ruleSetBytesMax = 128 * 1024 * 1024;
/** A text is searched for patterns at once for so long; a longer search goes on beside the other messages. */
export const searchAtOnceMs = 0.5;
/** Then it may take so long altogether; beyond that its patterns do not match. */
export const searchMaxMs = 200;
/** Texts of one server that go on so at a time, and that wait for it; further ones match no pattern. */
export const searchesWaitingMax = 10;
/** Messages with one text that are counted for repetition: several times the most that a rule allows. */
export const repetitionsKeptMax = 100;
/** Messages of a member that are compared when Redis is out of reach. */
export const repetitionsReadMax = 200;
/** The longest window of repetition. */
export const repetitionWindowMaxMs = 600_000;
