/** "1 server", "2 servers": a number, or what is shown of it, with what it counts. */
export const counted = (count: number | string, noun: string, plural = `${noun}s`): string =>
  `${count} ${String(count) === "1" ? noun : plural}`;
