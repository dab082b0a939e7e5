/** A message waits this long for each verdict; then it is accepted and judged late (contract.md 11.2, rule 9). */
export const verdictTimeoutMs = 500;
/** Entries that the log shows (contract.md 16.1). */
export const logEntriesMax = 100;
