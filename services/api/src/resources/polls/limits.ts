/** Options of a poll (docs/interface.md#7.5). */
export const optionsMin = 2;
export const optionsMax = 10;
