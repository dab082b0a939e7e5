type Work = () => Promise<void>;

/**
 * The running and waiting work of one user; exists while there is any, and for the rest of a second in which any began.
 */
interface UserWork<Key> {
  /** Begun in this second. */
  begun: number;
  /** The keys whose work is running: that of one key runs one at a time. */
  running: Set<Key>;
  /** The latest work of each key that waits, in the order in which the keys began to wait. */
  waiting: Map<Key, Work>;
}

/**
 * Limits how much work of one user begins in a second, over all its keys. Above that the latest work of each key waits,
 * in the place of earlier one; the keys begin in turn.
 *
 * @param options.onError is called when work fails that had to wait
 */
export function createLatestPace<Key>(options: {
  perSecondMax: number;
  onError: (err: unknown, userId: string) => void;
  secondMs?: number;
}) {
  const { perSecondMax, onError, secondMs = 1_000 } = options;
  const users = new Map<string, UserWork<Key>>();

  function enter(userId: string): UserWork<Key> {
    const known = users.get(userId);
    if (known !== undefined) return known;
    const user = { begun: 0, running: new Set<Key>(), waiting: new Map<Key, Work>() };
    users.set(userId, user);
    const timer = setInterval(() => {
      if (user.begun === 0 && user.running.size === 0 && user.waiting.size === 0) {
        clearInterval(timer);
        users.delete(userId);
        return;
      }
      user.begun = 0;
      beginWaiting(userId, user);
    }, secondMs);
    timer.unref();
    return user;
  }

  async function begin(userId: string, user: UserWork<Key>, key: Key, work: Work): Promise<void> {
    user.begun += 1;
    user.running.add(key);
    try {
      await work();
    } finally {
      user.running.delete(key);
      beginWaiting(userId, user);
    }
  }

  function beginWaiting(userId: string, user: UserWork<Key>): void {
    for (const [key, work] of user.waiting) {
      if (user.begun >= perSecondMax) return;
      if (user.running.has(key)) continue;
      user.waiting.delete(key);
      begin(userId, user, key, work).catch((err: unknown) => onError(err, userId));
    }
  }

  return {
    /** @returns the end of the work when it begins at once; nothing when it waits */
    add(userId: string, key: Key, work: Work): Promise<void> | undefined {
      const user = enter(userId);
      const mayBegin = user.begun < perSecondMax && !user.running.has(key) && !user.waiting.has(key);
      if (mayBegin) return begin(userId, user, key, work);
      user.waiting.set(key, work);
      return undefined;
    },
  };
}
