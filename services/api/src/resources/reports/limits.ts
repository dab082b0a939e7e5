/** Reports by one account within the window, all kinds together (docs/interface.md#16.1). */
export const reportsMax = 20;
export const reportsWindowMs = 3_600_000;
