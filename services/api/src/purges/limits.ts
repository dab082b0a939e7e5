/** How often each process looks for deleted channels whose messages are still stored. */
export const purgeIntervalMs = 2_000;
/** Messages removed in one statement, with their reactions, polls, votes and rows of attachments. */
export const purgeBatchMax = 500;
