import { rememberedMs, rememberedRowsMax } from "./limits.js";

/**
 * Rows that a session read lately, so that the next event of the same people and channels needs no statement. Every event
 * that may have changed one of them forgets all (`upstream-events.ts`).
 */
export class Remembered {
  readonly #rows = new Map<string, { readonly row: unknown; readonly until: number }>();

  constructor(private readonly count: (from: "memory" | "database", rows: number) => void) {}

  forget(): void {
    this.#rows.clear();
  }

  /**
   * @param kind of the rows
   * @param load reads the rows that are not remembered; one that is not there is remembered, too
   * @returns the rows that are there, by key
   */
  async read<Row>(
    kind: string,
    keys: Iterable<string>,
    load: (keys: readonly string[]) => Promise<ReadonlyMap<string, Row>>,
  ): Promise<ReadonlyMap<string, Row>> {
    const now = performance.now();
    const asked = [...new Set(keys)];
    const known = new Map<string, unknown>();
    for (const key of asked) {
      const found = this.#rows.get(`${kind} ${key}`);
      if (found !== undefined && found.until > now) known.set(key, found.row);
    }
    const missing = asked.filter((key) => !known.has(key));
    this.count("memory", known.size);
    this.count("database", missing.length);
    const loaded = missing.length === 0 ? new Map<string, Row>() : await load(missing);
    for (const key of missing) this.#keep(`${kind} ${key}`, loaded.get(key), now + rememberedMs);
    return new Map(
      asked.flatMap((key) => {
        const row = (known.get(key) ?? loaded.get(key)) as Row | undefined;
        return row === undefined ? [] : [[key, row] as const];
      }),
    );
  }

  #keep(key: string, row: unknown, until: number): void {
    this.#rows.delete(key);
    this.#rows.set(key, { row, until });
    for (const oldest of this.#rows.keys()) {
      if (this.#rows.size <= rememberedRowsMax) break;
      this.#rows.delete(oldest);
    }
  }
}
