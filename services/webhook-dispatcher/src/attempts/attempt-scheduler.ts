import { AnswerTimes } from "./answer-times.js";
import { quickAnswerMs, requeueMaxMs, requeueMinMs, type SchedulerLimits, waitingBytesMax } from "./limits.js";

/** The share of one owner in the slots that a receiver may use, and in the jobs that this process has taken. */
const shareOfOne = 1 / 4;
/** The share of all receivers together that are not known to be quick, in the jobs that this process has taken. */
const shareOfUnproven = 1 / 2;

/** A job that this process holds. */
export interface ScheduledJob {
  readonly receiverId: string;
  /** The account that the receiver belongs to, or for which a receiver that many share gets it. */
  readonly ownerId: string;
  readonly body: { readonly byteLength: number };
}

/** The jobs of one receiver, or of one owner, in this process. */
interface Jobs {
  readonly id: string;
  /** When each job under way began; the first is the oldest. */
  readonly running: Map<ScheduledJob, number>;
  waiting: number;
}

/** The jobs of one owner for one receiver that wait for a slot and since when, oldest first. */
interface Lane<Job extends ScheduledJob> {
  readonly receiver: Jobs;
  readonly owner: Owner<Job>;
  readonly waiting: Map<Job, number>;
}
interface Owner<Job extends ScheduledJob> extends Jobs {
  /** Those with waiting jobs, by receiver; the first one has waited longest for a slot. */
  readonly lanes: Map<string, Lane<Job>>;
}

/**
 * Fair scheduling of attempts, so that nobody waits for another one's receiver, which is a webhook, a bot or a push
 * service:
 *
 * - A running job occupies one of {@link SchedulerLimits.atOnceMax} slots, and one receiver gets few of them. Receivers
 * without a measured answer time cannot use all of them, and slow ones fewer still, so that slots remain for quick
 * receivers however many others hang, and for new ones.
 * - One owner gets a quarter of the slots that the receiver may use, however many receivers are the owner's. So does a
 * receiver that is not known to be quick, with any number of owners.
 * - A job without a slot waits in memory and does not block taking the next job. Waiting jobs are bounded by bytes;
 * beyond that the owner with most waiting jobs has one *requeued*: given back with a short delay. The queue's consumer
 * may have as many unacked deliveries as the queue holds, so neither waiting nor requeued jobs stop the delivery of
 * others.
 * - Where a process takes few jobs at all ({@link SchedulerLimits.heldMax}), an owner and a receiver that is not known
 * to be quick have a quarter of them, and all such receivers a half; the scheduler requeues jobs beyond that.
 * - Owners with waiting jobs get free slots in rotation, and so do the receivers of an owner.
 *
 * States of a job: submitted → running → done; submitted → waiting → running; submitted or waiting → requeued (the
 * submitter decides what to do with it).
 */
export class AttemptScheduler<Job extends ScheduledJob> {
  readonly #receivers = new Map<string, Jobs>();
  readonly #owners = new Map<string, Owner<Job>>();
  /** Owners with waiting jobs; the first one has waited longest for a slot. */
  readonly #queue = new Set<Owner<Job>>();
  readonly #answerTimes: AnswerTimes;
  readonly #begin: (job: Job) => void;
  readonly #requeue: (job: Job, delayMs: number) => void;
  readonly #now: () => number;
  readonly #limits: SchedulerLimits;
  #running = 0;
  #waiting = 0;
  #waitingBytes = 0;

  /** @param options.begin starts a job and calls `done` at its end; `requeue` takes one back */
  constructor(options: {
    limits: SchedulerLimits;
    begin: (job: Job) => void;
    requeue: (job: Job, delayMs: number) => void;
    now?: () => number;
  }) {
    this.#limits = options.limits;
    this.#begin = options.begin;
    this.#requeue = options.requeue;
    this.#now = options.now ?? (() => performance.now());
    this.#answerTimes = new AnswerTimes(this.#now);
  }

  /** Jobs under way. */
  get running(): number {
    return this.#running;
  }

  /** Jobs that wait here. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Accepts a job: it begins, waits, or is requeued. */
  submit(job: Job): void {
    const lane = this.#laneOf(job);
    const now = this.#now();
    // Jobs of one lane begin in the order of submission.
    if (lane.waiting.size === 0 && this.#hasSlot(lane, now)) this.#start(lane, job, now);
    else if (this.#mayWait(lane, job, now)) this.#wait(lane, job, now);
    else this.#sendBack(lane, job);
  }

  /** Frees the slot of the job; `durationMs` is how long the answer took, null when nothing was sent. */
  done(job: Job, durationMs: number | null): void {
    const [receiver, owner] = [this.#receivers.get(job.receiverId), this.#owners.get(job.ownerId)];
    if (receiver === undefined || owner === undefined || !receiver.running.delete(job)) return;
    owner.running.delete(job);
    if (durationMs !== null) this.#answerTimes.add(job.receiverId, durationMs);
    this.#running -= 1;
    this.#forgetIfIdle({ receiver, owner });
    this.#startWaiting();
  }

  /** Requeues jobs that have waited for {@link SchedulerLimits.waitingMaxMs}. */
  expireWaiting(): void {
    const now = this.#now();
    for (const lane of this.#waitingLanes()) {
      for (const [job, since] of lane.waiting) {
        if (now - since < this.#limits.waitingMaxMs) break;
        this.#stopWaiting(lane, job);
        this.#sendBack(lane, job);
      }
    }
    this.#startWaiting();
  }

  /** Requeues all waiting jobs without delay: another process may take them. */
  requeueWaiting(): void {
    for (const lane of this.#waitingLanes()) {
      for (const job of lane.waiting.keys()) {
        this.#stopWaiting(lane, job);
        this.#requeue(job, 0);
        this.#forgetIfIdle(lane);
      }
    }
  }

  #startWaiting(): void {
    const now = this.#now();
    // Re-added owners are visited again in this loop, until slots or owners that may use one run out.
    for (const owner of this.#queue) {
      if (this.#running >= this.#limits.atOnceMax) return;
      const lane = this.#nextLane(owner, now);
      const [job] = lane?.waiting.keys() ?? [];
      if (lane === null || job === undefined) continue;
      this.#stopWaiting(lane, job);
      this.#start(lane, job, now);
      // To the end of both rotations.
      if (owner.lanes.delete(lane.receiver.id) && lane.waiting.size > 0) owner.lanes.set(lane.receiver.id, lane);
      if (this.#queue.delete(owner)) this.#queue.add(owner);
    }
  }

  #nextLane(owner: Owner<Job>, now: number): Lane<Job> | null {
    if (owner.running.size >= this.#limits.atOnceMax * shareOfOne) return null;
    for (const lane of owner.lanes.values()) if (this.#hasSlot(lane, now)) return lane;
    return null;
  }

  #waitingLanes(): Lane<Job>[] {
    return [...this.#queue].flatMap(({ lanes }) => [...lanes.values()]);
  }

  #start({ receiver, owner }: Lane<Job>, job: Job, now: number): void {
    receiver.running.set(job, now);
    owner.running.set(job, now);
    this.#receivers.set(receiver.id, receiver);
    this.#owners.set(owner.id, owner);
    this.#running += 1;
    this.#begin(job);
  }

  #wait(lane: Lane<Job>, job: Job, now: number): void {
    lane.waiting.set(job, now);
    lane.receiver.waiting += 1;
    lane.owner.waiting += 1;
    lane.owner.lanes.set(lane.receiver.id, lane);
    this.#queue.add(lane.owner);
    this.#receivers.set(lane.receiver.id, lane.receiver);
    this.#owners.set(lane.owner.id, lane.owner);
    this.#waiting += 1;
    this.#waitingBytes += job.body.byteLength;
  }

  #stopWaiting(lane: Lane<Job>, job: Job): void {
    lane.waiting.delete(job);
    lane.receiver.waiting -= 1;
    lane.owner.waiting -= 1;
    this.#waiting -= 1;
    this.#waitingBytes -= job.body.byteLength;
    if (lane.waiting.size === 0) lane.owner.lanes.delete(lane.receiver.id);
    if (lane.owner.waiting === 0) this.#queue.delete(lane.owner);
  }

  #sendBack(lane: Lane<Job>, job: Job): void {
    this.#requeue(job, Math.round(requeueMinMs + Math.random() * (requeueMaxMs - requeueMinMs)));
    this.#forgetIfIdle(lane);
  }

  #hasSlot({ receiver, owner }: Lane<Job>, now: number): boolean {
    const slots = this.#slotsFor(receiver, now);
    const share = slots * shareOfOne;
    const ofReceiver = this.#isQuick(receiver, now) ? this.#limits.perReceiverMax : share;
    return (
      this.#running < slots &&
      owner.running.size < share &&
      receiver.running.size < Math.min(ofReceiver, this.#limits.perReceiverMax)
    );
  }

  /** How many slots a receiver may use: most for one that is known to be quick, fewest for one that is slow. */
  #slotsFor(receiver: Jobs, now: number): number {
    if (this.#isQuick(receiver, now)) return this.#limits.atOnceMax;
    return this.#isSlow(receiver, now) ? this.#limits.slowMax : this.#limits.untrustedMax;
  }

  #isQuick(receiver: Jobs, now: number): boolean {
    return this.#answerTimes.of(receiver.id) !== undefined && !this.#isSlow(receiver, now);
  }

  /** By its usual time, or because it has not answered for so long while an attempt is under way. */
  #isSlow({ id, running }: Jobs, now: number): boolean {
    const { average = 0, lastAt = 0 } = this.#answerTimes.of(id) ?? {};
    const [oldest = now] = running.values();
    return Math.max(average, now - Math.max(oldest, lastAt)) > quickAnswerMs;
  }

  /**
   * Whether the job fits into its shares of the jobs that this process takes, and into the bytes, for which others with
   * more may give way.
   */
  #mayWait(lane: Lane<Job>, { body }: Job, now: number): boolean {
    if (!this.#isWithinShares(lane, now)) return false;
    while (this.#waitingBytes + body.byteLength > waitingBytesMax) {
      const longest = this.#longestLane();
      if (longest === null) return false;
      const isOwn = longest.owner === lane.owner;
      const [most, own] = isOwn
        ? [longest.waiting.size, lane.waiting.size]
        : [longest.owner.waiting, lane.owner.waiting];
      const [evicted] = longest.waiting.keys();
      if (evicted === undefined || most <= own + 1) return false;
      this.#stopWaiting(longest, evicted);
      this.#sendBack(longest, evicted);
    }
    return true;
  }

  #isWithinShares({ receiver, owner }: Lane<Job>, now: number): boolean {
    const { heldMax } = this.#limits;
    if (heldMax === undefined) return true;
    const share = heldMax * shareOfOne;
    if (heldOf(owner) >= share) return false;
    if (this.#isQuick(receiver, now)) return true;
    const others = [...this.#receivers.values()].filter((each) => !this.#isQuick(each, now));
    const held = others.reduce((sum, each) => sum + heldOf(each), 0);
    return heldOf(receiver) < share && held < heldMax * shareOfUnproven;
  }

  /** That of the owner with most waiting jobs, of these the longest. */
  #longestLane(): Lane<Job> | null {
    let most: Owner<Job> | null = null;
    for (const owner of this.#queue) if (owner.waiting > (most?.waiting ?? 0)) most = owner;
    let longest: Lane<Job> | null = null;
    for (const lane of most?.lanes.values() ?? []) if (lane.waiting.size > (longest?.waiting.size ?? 0)) longest = lane;
    return longest;
  }

  #laneOf({ receiverId, ownerId }: Job): Lane<Job> {
    const none = () => ({ running: new Map<Job, number>(), waiting: 0 });
    const receiver = this.#receivers.get(receiverId) ?? { id: receiverId, ...none() };
    const owner = this.#owners.get(ownerId) ?? { id: ownerId, ...none(), lanes: new Map() };
    return owner.lanes.get(receiverId) ?? { receiver, owner, waiting: new Map() };
  }

  #forgetIfIdle({ receiver, owner }: Pick<Lane<Job>, "receiver" | "owner">): void {
    if (heldOf(receiver) === 0) this.#receivers.delete(receiver.id);
    if (heldOf(owner) === 0) this.#owners.delete(owner.id);
  }
}

const heldOf = ({ running, waiting }: Jobs): number => running.size + waiting;
