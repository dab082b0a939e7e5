/** A group of equal processes: the one to try first, and the next ones when it cannot be reached. */
export interface Upstreams {
  /** Every upstream once, in the order in which to try them for one request. */
  readonly order: () => readonly string[];
  /** A long-lived connection to the upstream was opened. */
  readonly opened: (url: string) => void;
  /** It was closed. */
  readonly closed: (url: string) => void;
}

/**
 * Orders by the number of open long-lived connections, fewest first, and in turn among equals. Upstreams that only
 * answer requests have none, so for them it is plain round robin. `urls` is read for every request.
 */
export function createUpstreams(urls: () => readonly string[]): Upstreams {
  const open = new Map<string, number>();
  let turn = 0;
  const openAt = (url: string) => open.get(url) ?? 0;
  return {
    order: () => {
      const all = urls();
      const start = all.length === 0 ? 0 : turn++ % all.length;
      const rotated = [...all.slice(start), ...all.slice(0, start)];
      return rotated.sort((left, right) => openAt(left) - openAt(right));
    },
    opened: (url) => void open.set(url, openAt(url) + 1),
    closed: (url) => void open.set(url, openAt(url) - 1),
  };
}
