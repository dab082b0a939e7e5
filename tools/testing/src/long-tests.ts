/** The projects of `npm run test:long`. */
export const longProjects = ["kills", "volume", "models", "deploy", "bench", "pictures", "lapses"] as const;

/** A case of `npm test`: its file from the repository's root, and its name as the source has it. */
export interface ShortCase {
  readonly file: string;
  readonly name: string;
}

/** A file of `npm run test:long`. */
export interface LongTest {
  readonly file: `${string}.long.test.ts`;
  readonly project: (typeof longProjects)[number];
  /** What guards the same promise in `npm test`. */
  readonly shortCases: readonly [ShortCase, ...ShortCase[]];
}

/** Every file of `npm run test:long`; `long-tests.test.ts` compares it with the files that exist. */
export const longTests: readonly LongTest[] = [];
