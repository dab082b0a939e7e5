/**
 * A group of equal processes: the one to try first, and the next ones when it cannot be reached. Orders by the number of open long-lived connections, fewest first, and in turn among equals. Upstreams that only
 * answer requests have none, so for them it is plain round robin. `urls` is read for every request.
 */
export type Upstreams = ReturnType<typeof createUpstreams>;

export function createUpstreams(urls: () => readonly string[]) {
  const open = new Map<string, number>();
  let turn = 0;
  const openAt = (url: string) => open.get(url) ?? 0;
  return {
    /** Every upstream once, in the order in which to try them for one request. */
    order: (): readonly string[] => {
      const all = urls();
      const start = all.length === 0 ? 0 : turn++ % all.length;
      const rotated = [...all.slice(start), ...all.slice(0, start)];
      return rotated.sort((left, right) => openAt(left) - openAt(right));
    },
    /** A long-lived connection to the upstream was opened. */
    opened: (url: string) => void open.set(url, openAt(url) + 1),
    closed: (url: string) => void open.set(url, openAt(url) - 1),
  };
}
